/**
 * Bundles the program into `dist/`, after each install and for `npm run bundle`: a start then reads a few files, not a thousand. The newest
 * release of the rules is there in its compiled form.
 * A bundle that is as new as the sources and the packages stays, because another process may be reading it.
 */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { bundle, reasonAgainstBundle } from "./bin/bundleState.js"
import { codeDigest } from "./src/rules/compiled/compiledFiles.ts"
import { compileInstalled } from "./src/rules/release/compileInstalled.ts"

const root = import.meta.dirname
const folder = join(root, "dist")
const entries = new Set([
  "main.js",
  "worker.js",
  "libraryWorker.js",
  "olderReleasesWorker.js",
  "batchWorker.js",
  "agent.js",
  "agents.js",
  "client.js",
  "effectClient.js"
])

const isCurrent = (): boolean =>
  reasonAgainstBundle() === null &&
  ["bundle.ts", "package-lock.json"].every(
    (name) => statSync(join(root, name)).mtimeMs <= statSync(bundle).mtimeMs
  )

/** Entries last, so that an entry never names a chunk that is not there yet; then what only the old bundle used goes. */
const replaceBundle = (made: string): void => {
  const names = readdirSync(made).toSorted((a, b) => Number(entries.has(a)) - Number(entries.has(b)))
  mkdirSync(folder, { recursive: true })
  // A folder cannot take the place of another one that has files.
  rmSync(join(folder, "schema"), { recursive: true, force: true })
  for (const name of names) renameSync(join(made, name), join(folder, name))
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { recursive: true })
  }
}

/** An installation without development packages has no bundler; its sources run as they are. */
const bundler = isCurrent() ? null : await import("rolldown").catch(() => undefined)

if (bundler === undefined) {
  process.stderr.write("no bundler is installed; action-risk runs from its sources\n")
} else if (bundler === null) {
  // A release may be newer than the bundle.
  await compileInstalled(folder)
} else {
  const made = mkdtempSync(join(root, ".bundle-"))
  /** For what opens the compiled rules. */
  const ofProgram = {
    // jsonc-parser's `main` finds its parts by a call that no bundler follows.
    resolve: { mainFields: ["module", "main"] },
    transform: { define: { ACTION_RISK_CODE: JSON.stringify(codeDigest()) } }
  }
  // A third of the rules' chunk, which each start reads: a hook that answers itself starts 15 ms later with them.
  const comments = { jsdoc: false, annotation: false }
  try {
    await bundler.build({
      input: {
        main: join(root, "src/main.ts"),
        // A thread starts from its own file, which is the `entry` of a call of `makeThreads`.
        worker: join(root, "src/rules/backtest/worker.ts"),
        libraryWorker: join(root, "src/rules/library/libraryWorker.ts"),
        olderReleasesWorker: join(root, "src/evidence/recorded/olderReleasesWorker.ts"),
        batchWorker: join(root, "src/cli/batch/batchWorker.ts")
      },
      platform: "node",
      ...ofProgram,
      // Optional packages of `pg` that are not installed.
      external: ["pg-native", "cloudflare:sockets"],
      logLevel: "warn",
      output: { dir: made, format: "esm", chunkFileNames: "[name]-[hash].js", comments }
    })
    // What agents load is made apart, so that it shares no chunk with the service, and each client is one file.
    const light = [
      // The rules and their score, which only a program loads that answers itself, are one chunk of both.
      { agent: "src/agents/main.ts", agents: "src/agents/frameworks.ts" },
      { client: "src/client/actionRisk.ts" },
      { effectClient: "src/client/effectClient.ts" }
    ]
    for (const sources of light) {
      const [name] = Object.keys(sources)
      await bundler.build({
        input: Object.fromEntries(Object.entries(sources).map(([own, source]) => [own, join(root, source)])),
        platform: "node",
        ...ofProgram,
        ...(name === "effectClient" && { external: [/^effect(?:\/|$)/] }),
        logLevel: "warn",
        output: {
          dir: made,
          format: "esm",
          chunkFileNames: `${name}-[name]-[hash].js`,
          comments
        }
      })
    }
    // `migrate.ts` reads the SQL beside itself.
    cpSync(join(root, "src/storage/schema"), join(made, "schema"), { recursive: true })
    await compileInstalled(made)
    replaceBundle(made)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
