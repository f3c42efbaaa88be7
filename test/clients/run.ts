/**
 * `npm run test:clients`: installs the real programs and packages, and runs the tests with them on a loopback-only network, so
 * that none of them can reach anything else. Arguments go to vitest.
 */

import { spawnSync } from "node:child_process"
import { existsSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { installPacked } from "./installPacked.ts"

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
const { installMs, project } = installPacked(run, root)
process.once("exit", () => rmSync(dirname(project), { recursive: true, force: true }))
run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", here])

/** A separate loopback-only network, whose processes end with it. PostgreSQL runs there as the current user. */
const whoever = process.getuid?.() === 0 ? [] : ["--user", "--map-current-user", "--keep-caps"]
const alone = [...whoever, "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
const isAlone = spawnSync("unshare", [...alone, "ip", "link", "set", "lo", "up"]).status === 0
if (!isAlone) {
  console.error(
    "these tests need Linux with unshare and ip: they start agents, which must not reach anything but loopback"
  )
  process.exit(1)
}
process.env["PACKED_PROJECT"] = project
process.env["PACKED_INSTALL_MS"] = String(installMs)
const vitest = [process.execPath, join(root, "node_modules/vitest/vitest.mjs")]
const tests = [...vitest, "run", "--config", "vitest.clients.config.ts", ...process.argv.slice(2)]
run("unshare", [...alone, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...tests])
