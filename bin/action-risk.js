#!/usr/bin/env node
/** Starts `action-risk`: the bundle in `dist/` where it is at least as new as the sources, else the sources. */

import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const sources = join(root, "src")
const bundle = join(root, "dist", "main.js")

const newestSourceMs = () =>
  readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .reduce((newest, name) => Math.max(newest, statSync(join(sources, name)).mtimeMs), 0)

/** Why the bundle cannot run; null when it can. An installation may have the bundle alone. */
const reasonAgainstBundle = () => {
  if (!existsSync(bundle)) return "there is no bundle"
  if (!existsSync(sources)) return null
  return statSync(bundle).mtimeMs < newestSourceMs() ? "the bundle is older than the sources" : null
}

const reason = reasonAgainstBundle()
if (reason !== null)
  process.stderr.write(
    `action-risk: ${reason}, so this start is slower; \`npm run bundle\` makes a new one\n`
  )
await import(reason === null ? "../dist/main.js" : "../src/main.ts")
