/** Every rule has cases beside it, some that must raise it and some that must not, and no cases stand alone. */

import { severities } from "../../../domain/RiskFactor.ts"
import type { Ladder } from "../../ladders.ts"
import { nearestName } from "../../nearestName.ts"
import type { Finding } from "../../Problem.ts"
import type { CaseOutline } from "../FileKind.ts"
import type { Examined } from "../examine.ts"

const casesFile = (file: string): string => file.replace(/\.json$/, ".cases.json")
const ruleFile = (file: string): string => file.replace(/\.cases\.json$/, ".json")
const isCases = (file: string): boolean => file.endsWith(".cases.json")

/** What a case says where the rule must match: a severity, or that it matched. */
const matching = ({ kind, rules }: Ladder): ReadonlyArray<string> => {
  if (kind !== "factor") return ["matched"]
  const given = new Set(rules.map(({ match }) => match.severity))
  return severities.filter((severity) => given.has(severity))
}

const checkOutlines = (
  { code, file }: Ladder,
  cases: ReadonlyArray<CaseOutline>,
  expected: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const at = { file: casesFile(file), path: ["cases"] }
  const unmet = expected.filter((expect) => !cases.some((one) => one.expect === expect))
  return [
    ...unmet.map((expect): Finding => {
      const what = expect === "matched" ? `\`${code}\` must match` : `\`${code}\` must be ${expect}`
      return { rule: "no-must-case", ...at, message: `no case says where ${what}` }
    }),
    ...(cases.some(({ expect }) => expect === "none")
      ? []
      : [
          {
            rule: "no-must-not-case" as const,
            ...at,
            message: `no case says where \`${code}\` must not match: expect \`none\` of one`
          }
        ])
  ]
}

const checkLadder = (ladder: Ladder, byFile: ReadonlyMap<string, Examined>): ReadonlyArray<Finding> => {
  const file = casesFile(ladder.file)
  const beside = byFile.get(file)
  if (beside === undefined) {
    return [
      { rule: "no-cases", file: ladder.file, path: [], message: `no cases stand beside it: write ${file}` }
    ]
  }
  return beside.cases === undefined ? [] : checkOutlines(ladder, beside.cases, matching(ladder))
}

const orphan = (file: string, files: ReadonlyArray<string>): Finding => {
  const suggestion = nearestName(ruleFile(file), files)?.replace(/\.json$/, ".cases.json")
  const hint = suggestion === undefined ? "" : `, did you mean \`${suggestion}\`?`
  const message = `no rule stands beside these cases${hint}`
  return {
    rule: "misplaced-file",
    file,
    path: [],
    message,
    ...(suggestion === undefined ? {} : { suggestion })
  }
}

export const checkCasesBeside = (examined: ReadonlyArray<Examined>): ReadonlyArray<Finding> => {
  const byFile = new Map(examined.map((one) => [one.file, one]))
  const rules = examined.map(({ file }) => file).filter((file) => !isCases(file))
  return examined.flatMap(({ file, ladder }) => {
    if (isCases(file)) return byFile.has(ruleFile(file)) ? [] : [orphan(file, rules)]
    return ladder === undefined ? [] : checkLadder(ladder, byFile)
  })
}
