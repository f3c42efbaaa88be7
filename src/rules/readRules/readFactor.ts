/** Reads a factor file into the rules that can raise it. */

import { Result } from "effect"
import { decodeFile } from "../decodeFile.ts"
import { FactorFile } from "../files/FactorFile.ts"
import { inFile, type Problem } from "../Problem.ts"
import { type Read, unless } from "../Read.ts"
import { readCondition } from "../readCondition.ts"
import type { FactorRule } from "../Rule.ts"
import { bySeverity } from "../bySeverity.ts"
import type { SourceFile } from "../SourceFile.ts"
import { checkMessage } from "./checkMessage.ts"
import { checkEventType, checkName } from "./checkName.ts"

/** Invariant: a more severe rule never carries less hazard, else raising a field could lower a score. */
const checkHazards = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<Problem> => {
  const weakestFirst = rules.map(({ match }) => match).toSorted((a, b) => bySeverity(b, a))
  const falls = weakestFirst.some(
    (match, i) => match.hazardBp > (weakestFirst[i + 1]?.hazardBp ?? match.hazardBp)
  )
  return falls ? [{ path: ["rules"], message: "hazard_bp falls while severity rises" }] : []
}

export const readFactor = (source: SourceFile): Read<ReadonlyArray<FactorRule>> =>
  Result.flatMap(decodeFile(FactorFile, source), (file) => {
    const permissions = { raises: true, completeness: file.category === "completeness" }
    const read = file.rules.map((rule) => readCondition(rule.conditions, permissions))
    const rules = file.rules.flatMap(({ name, event: { params } }, i): ReadonlyArray<FactorRule> => {
      const condition = read[i]?.condition ?? null
      const { code, category, message, recommendations } = file
      const { severity, hazardBp = file.hazardBp } = params
      return condition === null
        ? []
        : [{ name, condition, match: { code, category, severity, message, recommendations, hazardBp } }]
    })
    const problems: ReadonlyArray<Problem> = [
      ...checkName("code", file.code, source.name),
      ...checkName("category", file.category, source.folder),
      ...checkMessage(file.message),
      ...file.rules.flatMap(({ event }, i) => checkEventType(event.type, file.code, i)),
      ...read.flatMap(({ problems }, i) =>
        problems.map(({ path, message }) => ({ path: ["rules", i, "conditions", ...path], message }))
      ),
      ...checkHazards(rules)
    ]
    return unless(inFile(source.file, problems), () => rules)
  })
