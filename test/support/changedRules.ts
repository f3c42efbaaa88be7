/** The rules that a reviewer compares: the newest release, and working files, or later releases, in which something changed. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Layer } from "effect"
import { afterAll } from "vitest"
import type { Root } from "../../src/rules/files/readTree.ts"
import { ruleReleasesAt } from "../../src/rules/ruleReleases.ts"
import { policySetsAt } from "../../src/rules/policies/policyRegistry.ts"
import { lightCheckout } from "./checkout.ts"
import { freezePolicies, freezeRules } from "./freezeIn.ts"
import { rulesFolder } from "./rulesFolder.ts"

/** In the file at that path, a text that occurs once, and its replacement. */
type Change = readonly [file: string, from: string, to: string]

/** The floor under a score with a critical factor is lower, so that some requests score lower and none scores higher. */
export const lowerFloor: Change = ["rules/ruleset.json", `"critical": 70\n`, `"critical": 65\n`]

const makeChange = (root: Root, [name, from, to]: Change): void => {
  const file = join(root, name)
  const text = readFileSync(file, "utf8")
  if (text.split(from).length !== 2) throw new Error(`${name} says ${from} not once`)
  writeFileSync(file, text.replace(from, to))
}

/** The root of such rules, or of rules with other changes. */
export const changedRules = (...changes: ReadonlyArray<Change>): Root => {
  const { root } = rulesFolder("with releases")
  for (const change of changes.length === 0 ? [lowerFloor] : changes) makeChange(root, change)
  return root
}

/** A checkout with the same, for commands that run as a process. */
export const changedCheckout = (...changes: ReadonlyArray<Change>): string => {
  const folder = mkdtempSync(join(tmpdir(), "action-risk-changed-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const checkout = lightCheckout(join(folder, "checkout"))
  for (const change of changes.length === 0 ? [lowerFloor] : changes) makeChange(checkout, change)
  return checkout
}

/** Further texts that differ in each of the later releases: a factor, and a rule of the starter policies. */
export const rewordedFactor = "CUMULATIVE_FINANCIAL_VALUE"
export const rewordedPolicy = "bulk-deletion-in-production"

/** The root of an installation with later releases in addition to 1.0.0, of rules and starter policies. Messages weigh more in each. */
export const laterReleases = (...versions: readonly [string, ...ReadonlyArray<string>]): Root => {
  const { edit, root, setVersion } = rulesFolder("with releases")
  for (const [i, version] of versions.entries()) {
    const weight = messageWeight + (i + 1) * moreWeight
    edit(
      "rules/ruleset.json",
      /(?<start>"communicate": \{[^}]*"weight_bp": \{[^}]*"high": )\d+/,
      `$<start>${weight}`
    )
    for (const file of [
      `rules/factors/financial/${rewordedFactor}.json`,
      `policies/starter/${rewordedPolicy}.json`
    ])
      edit(file, `"why": "`, `"why": "Since ${version}: `)
    setVersion("rules/ruleset.json", version)
    setVersion("policies/starter/policy.json", version)
    freezeRules(root)
    freezePolicies(root, "starter")
  }
  return root
}

/** Basis points: the weight of messages in 1.0.0, and its increase in each later release. */
const [messageWeight, moreWeight] = [6000, 600]

/** Instead of `openedRules`: the rules below another root. */
export const rulesAt = (root: Root) => Layer.merge(ruleReleasesAt(root), policySetsAt(root))
