/** Lints about cases: every rule has cases on both sides, every threshold has them, and no two cases share a name. */

import { severities } from "../../domain/Opinion.ts"
import type { FileProblem, Finding, LocatedFinding } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import type { CasesReport } from "../cases/runCases.ts"
import { nearestName } from "../nearestName.ts"
import type { CaseOutline, ExaminedFile } from "./examine.ts"

const casesFile = (file: string): string => file.replace(/\.json$/, ".cases.json")
const ruleFile = (file: string): string => file.replace(/\.cases\.json$/, ".json")
const isCases = (file: string): boolean => file.endsWith(".cases.json")

/** What a case says where the rule must match: a severity, or that it matched. */
const outcomesOf = ({ kind, rules }: RuleGroup): ReadonlyArray<string> => {
  if (kind !== "factor") return ["matched"]
  const given = new Set(rules.map(({ match }) => match.severity))
  return severities.filter((severity) => given.has(severity))
}

const checkExpectations = (
  { code, file }: RuleGroup,
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

const checkRuleGroup = (
  ladder: RuleGroup,
  byFile: ReadonlyMap<string, ExaminedFile>
): ReadonlyArray<Finding> => {
  const file = casesFile(ladder.file)
  const beside = byFile.get(file)
  if (beside === undefined) {
    return [
      { rule: "no-cases", file: ladder.file, path: [], message: `no cases stand beside it: write ${file}` }
    ]
  }
  return beside.cases === undefined ? [] : checkExpectations(ladder, beside.cases, outcomesOf(ladder))
}

const casesWithoutRule = (file: string, files: ReadonlyArray<string>): Finding => {
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

export const checkCasesBeside = (examined: ReadonlyArray<ExaminedFile>): ReadonlyArray<Finding> => {
  const byFile = new Map(examined.map((one) => [one.file, one]))
  const rules = examined.map(({ file }) => file).filter((file) => !isCases(file))
  return examined.flatMap(({ file, ladder }) => {
    if (isCases(file)) return byFile.has(ruleFile(file)) ? [] : [casesWithoutRule(file, rules)]
    return ladder === undefined ? [] : checkRuleGroup(ladder, byFile)
  })
}

/** Cases are known by their names: no two of a file share one. */
export const checkDuplicateCases = (cases: ReadonlyArray<CaseOutline>): ReadonlyArray<FileProblem> => {
  const names = cases.map(({ name }) => name)
  return names.flatMap((name, i): ReadonlyArray<FileProblem> =>
    names.indexOf(name) === i
      ? []
      : [{ rule: "duplicate-case", path: ["cases", i, "name"], message: `another case is named \`${name}\`` }]
  )
}

/**
 * Each threshold has a case on both of its sides.
 * Of cases run with coverage: whether they hold is for `test` to say, that they are there is a matter of form.
 * Files in which more than that is wrong are `unclear`, and their thresholds not worth a case yet.
 */
export const boundaryFindings = (
  { findings }: CasesReport,
  unclear: ReadonlySet<string>
): ReadonlyArray<LocatedFinding> =>
  findings.filter(({ file, rule }) => rule === "boundary-without-case" && !unclear.has(file))
