/** Small folders of rules and policies without a finding, in which a test may break one thing at a time. */

import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { packageRoot } from "../../src/rules/files/readTree.ts"

const clean = join(import.meta.dirname, "../rules/check/clean")

/** Each call of the result creates one and returns its root; all are deleted when the test file is done. */
export const cleanRules = (): (() => string) => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-clean-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let made = 0
  return () => {
    const root = join(folder, String(made++))
    cpSync(clean, root, { recursive: true })
    // The numbers of the model are the shipped ones.
    cpSync(join(packageRoot, "rules/ruleset.json"), join(root, "rules/ruleset.json"))
    return root
  }
}
