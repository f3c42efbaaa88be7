/**
 * `npm run test:clients`: installs the genuine programs and packages, and runs the tests with them where there is loopback alone, so
 * that none of them can reach anything else. Arguments go to vitest.
 */

import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"

const here = import.meta.dirname
const root = join(here, "../..")

const run = (program: string, args: ReadonlyArray<string>, cwd = root): void => {
  const { error, status } = spawnSync(program, args, { cwd, stdio: "inherit" })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}

const installed = join(here, "node_modules/.package-lock.json")
const isInstalled =
  existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(here, "package-lock.json")).mtimeMs
if (!isInstalled) run("npm", ["ci"], here)
run(process.execPath, ["bundle.ts"])
run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", here])

/** A network of its own, with loopback alone, and processes that end with it. */
const alone = ["--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
const vitest = [process.execPath, join(root, "node_modules/vitest/vitest.mjs")]
const tests = [...vitest, "run", "--config", "vitest.clients.config.ts", ...process.argv.slice(2)]
const isAlone = spawnSync("unshare", [...alone, "ip", "link", "set", "lo", "up"]).status === 0
if (!isAlone) {
  console.error(
    "these tests need Linux with unshare and ip: they start agents, which must not reach anything but loopback"
  )
  process.exit(1)
}
run("unshare", [...alone, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...tests])
