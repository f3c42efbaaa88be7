/** Bundles the program into `dist/`, for `npm run bundle` and after each install: one start then reads a few files, not a thousand. */

import { rmSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "dist")

/** An installation without development packages has no bundler; its sources run as they are. */
const bundler = await import("rolldown").catch(() => null)

if (bundler === null) {
  process.stderr.write("no bundler is installed; action-risk runs from its sources\n")
} else {
  rmSync(folder, { recursive: true, force: true })
  await bundler.build({
    input: {
      main: join(import.meta.dirname, "src/main.ts"),
      // A thread starts from a file of its own: src/rules/backtest/runBacktest.ts names it.
      worker: join(import.meta.dirname, "src/rules/backtest/worker.ts")
    },
    platform: "node",
    // jsonc-parser's `main` finds its parts by a call that no bundler follows.
    resolve: { mainFields: ["module", "main"] },
    // Optional packages of `pg` that are not installed.
    external: ["pg-native", "cloudflare:sockets"],
    logLevel: "warn",
    output: { dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" }
  })
}
