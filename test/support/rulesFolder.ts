/** A copy of the working rules and policies that a test may change, removed when its file is done. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"
import { packageRoot } from "../../src/rules/files/readTree.ts"

export interface RulesFolder {
  readonly root: string
  readonly readText: (file: string) => string
  readonly writeText: (file: string, text: string) => void
  /** Replaces text of a file that must be there. */
  readonly edit: (file: string, from: string | RegExp, to: string) => void
  /** Sets another version in `ruleset.json` or a `policy.json`. */
  readonly setVersion: (file: string, version: string) => void
}

/** Without anything frozen, unless asked. */
export const rulesFolder = (
  frozen: "without releases" | "with releases" = "without releases"
): RulesFolder => {
  const root = mkdtempSync(join(tmpdir(), "action-risk-rules-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ["rules", "policies"]) {
    cpSync(join(packageRoot, folder), join(root, folder), {
      recursive: true,
      filter: (source) => frozen === "with releases" || !source.includes("releases")
    })
  }
  const readText = (file: string) => readFileSync(join(root, file), "utf8")
  const writeText = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return {
    root,
    readText,
    writeText,
    edit: (file, from, to) => {
      const text = readText(file)
      const says = typeof from === "string" ? text.includes(from) : from.test(text)
      if (!says) throw new Error(`${file} does not say ${String(from)}`)
      writeText(file, text.replace(from, to))
    },
    setVersion: (file, version) =>
      writeText(file, readText(file).replace(/"version": "[^"]+"/, `"version": "${version}"`))
  }
}
