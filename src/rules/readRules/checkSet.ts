/** What can only be seen over a whole set of rules: their number, and names that are not their own. */

import { rulesPerSetMax } from "../../Limits.ts"
import type { Finding, Problem } from "../Problem.ts"

/** A rule's name and where it stands. */
export interface NamedRule {
  readonly name: string
  readonly file: string
  /** Its place in the file's `rules`. */
  readonly index: number
}

export const checkNumber = (rules: number): ReadonlyArray<Problem> =>
  rules > rulesPerSetMax
    ? [{ rule: "too-many-rules", path: [], message: `${rules} rules are more than ${rulesPerSetMax}` }]
    : []

export const checkRuleNames = (rules: ReadonlyArray<NamedRule>): ReadonlyArray<Finding> => {
  const first = new Map<string, NamedRule>()
  const findings: Array<Finding> = []
  for (const rule of rules) {
    const earlier = first.get(rule.name)
    if (earlier === undefined) first.set(rule.name, rule)
    else {
      findings.push({
        rule: "duplicate-rule",
        file: rule.file,
        path: ["rules", rule.index, "name"],
        message: `\`${rule.name}\` is already the name of a rule in ${earlier.file}`
      })
    }
  }
  return findings
}
