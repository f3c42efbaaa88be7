/** What a reviewer compares: the newest release, and working files in which two numbers of it changed. */

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

/** The first makes scores fall, the second makes scores rise. */
const changes = [
  [`"reversibility_bp": 3300`, `"reversibility_bp": 2000`],
  [`"hazard_blast_radius_bp": 7500`, `"hazard_blast_radius_bp": 9000`]
] as const

const changeNumbers = (root: string): void => {
  const file = join(root, "rules/ruleset.json")
  const changed = changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`ruleset.json does not say ${from}`)
      return text.replace(from, to)
    },
    readFileSync(file, "utf8")
  )
  writeFileSync(file, changed)
}

/** The root of such rules. */
export const changedRules = (): string => {
  const root = temporaryFolder()
  for (const name of ["rules", "policies"])
    cpSync(join(packageRoot, name), join(root, name), { recursive: true })
  changeNumbers(root)
  return root
}

/** A checkout with such rules, for commands that run as a process. */
export const changedCheckout = (): string => {
  const checkout = lightCheckout(join(temporaryFolder(), "checkout"))
  changeNumbers(checkout)
  return checkout
}
