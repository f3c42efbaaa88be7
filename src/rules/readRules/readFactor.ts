/** Reads a factor file into the rules that can raise it. */

import { Result } from "effect"
import { bySeverity } from "../bySeverity.ts"
import { decodeFile } from "../decodeFile.ts"
import { FactorFile } from "../files/FactorFile.ts"
import { inFile, type Problem } from "../Problem.ts"
import { type Read, unless } from "../Read.ts"
import type { FactorRule } from "../Rule.ts"
import { stated } from "../releaseDocument.ts"
import type { SourceFile } from "../SourceFile.ts"
import { checkMessage } from "./checkMessage.ts"
import { checkFolder, checkName } from "./checkName.ts"
import { readConditions } from "./readConditions.ts"

/** Invariant: a more severe rule never carries less hazard, else raising a field could lower a score. */
const checkHazards = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<Problem> => {
  const mildestFirst = rules
    .map((rule, index) => ({ index, ...rule }))
    .toSorted((a, b) => bySeverity(b.match, a.match))
  return mildestFirst.flatMap(({ index, match, name }, i): ReadonlyArray<Problem> => {
    const milder = mildestFirst[i - 1]
    if (milder === undefined || milder.match.severity === match.severity) return []
    if (milder.match.hazardBp <= match.hazardBp) return []
    const message = `hazard_bp falls while severity rises: \`${name}\` carries ${match.hazardBp}, the milder \`${milder.name}\` ${milder.match.hazardBp}`
    return [{ rule: "hazard-falls", path: ["rules", index, "event", "params"], message }]
  })
}

export const readFactor = (source: SourceFile): Read<ReadonlyArray<FactorRule>> => {
  const completeness = stated(source.json, "category") === "completeness"
  const { conditions, problems: inConditions } = readConditions(source.json, { raises: true, completeness })
  return decodeFile(FactorFile, source).pipe(
    Result.mapError((findings) => [...findings, ...inFile(source.file, inConditions)]),
    Result.flatMap((file) => {
      const rules = file.rules.flatMap(({ name, event: { params } }, i): ReadonlyArray<FactorRule> => {
        const condition = conditions[i] ?? null
        const { code, category, message, recommendations } = file
        const { severity, hazardBp = file.hazardBp } = params
        return condition === null
          ? []
          : [{ name, condition, match: { code, category, severity, message, recommendations, hazardBp } }]
      })
      const problems = [
        ...checkName(
          "code",
          file.code,
          source.name,
          file.rules.map(({ event }) => event.type)
        ),
        ...checkFolder("category", file.category, source.folder),
        ...checkMessage(file.message),
        ...inConditions,
        ...checkHazards(rules)
      ]
      return unless(inFile(source.file, problems), () => rules)
    })
  )
}
