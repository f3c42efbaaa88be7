/** What a reviewer compares: the newest release, and working files in which one threshold of it changed. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { lightCheckout } from "./checkout.ts"

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-changed-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The floor under a score with a critical factor is lower, so that some requests score lower and none scores higher. */
const change = [`"critical": 70\n`, `"critical": 65\n`] as const

const changeNumber = (root: string): void => {
  const file = join(root, "rules/ruleset.json")
  const text = readFileSync(file, "utf8")
  const [from, to] = change
  if (text.split(from).length !== 2) throw new Error(`ruleset.json says ${from} not once`)
  writeFileSync(file, text.replace(from, to))
}

/** The root of such rules. */
export const changedRules = (): string => {
  const root = temporaryFolder()
  for (const name of ["rules", "policies"])
    cpSync(join(packageRoot, name), join(root, name), { recursive: true })
  changeNumber(root)
  return root
}

/** A checkout with such rules, for commands that run as a process. */
export const changedCheckout = (): string => {
  const checkout = lightCheckout(join(temporaryFolder(), "checkout"))
  changeNumber(checkout)
  return checkout
}
