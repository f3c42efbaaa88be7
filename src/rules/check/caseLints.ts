/** Lints about cases: each rule and each threshold needs cases on both sides, and case names are unique. */

import { severities } from "../../domain/Opinion.ts"
import type { FileProblem, Finding, LocatedFinding } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import type { CasesReport } from "../cases/runCases.ts"
import { nearestName } from "../nearestName.ts"
import type { CaseOutline, ExaminedFile } from "./examine.ts"

const casesFile = (file: string): string => file.replace(/\.json$/, ".cases.json")
const ruleFile = (file: string): string => file.replace(/\.cases\.json$/, ".json")
const isCases = (file: string): boolean => file.endsWith(".cases.json")

/** The outcomes that cases of a rule file must expect at least once: each of its severities, or `matched`. */
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
  const unmet = expected.filter((outcome) => !cases.some(({ expect }) => expect === outcome))
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
  ruleGroup: RuleGroup,
  byFile: ReadonlyMap<string, ExaminedFile>
): ReadonlyArray<Finding> => {
  const file = casesFile(ruleGroup.file)
  const casesOfRule = byFile.get(file)
  if (casesOfRule === undefined) {
    return [
      { rule: "no-cases", file: ruleGroup.file, path: [], message: `no cases stand beside it: write ${file}` }
    ]
  }
  return casesOfRule.cases === undefined
    ? []
    : checkExpectations(ruleGroup, casesOfRule.cases, outcomesOf(ruleGroup))
}

const casesWithoutRule = (file: string, files: ReadonlyArray<string>): Finding => {
  const suggestion = nearestName(ruleFile(file), files)?.replace(/\.json$/, ".cases.json")
  const hint = suggestion === undefined ? "" : `, did you mean \`${suggestion}\`?`
  const message = `the file of these cases is missing${hint}`
  return {
    rule: "misplaced-file",
    file,
    path: [],
    message,
    ...(suggestion === undefined ? {} : { suggestion })
  }
}

export const checkCasesBeside = (examined: ReadonlyArray<ExaminedFile>): ReadonlyArray<Finding> => {
  const byFile = new Map(examined.map((file) => [file.file, file]))
  const rules = examined.map(({ file }) => file).filter((file) => !isCases(file))
  return examined.flatMap(({ file, ruleGroup }) => {
    if (isCases(file)) return byFile.has(ruleFile(file)) ? [] : [casesWithoutRule(file, rules)]
    return ruleGroup === undefined ? [] : checkRuleGroup(ruleGroup, byFile)
  })
}

/** Findings name cases, so names are unique in a file. In a list of calls the call itself is the name. */
export const checkDuplicateCases = (cases: ReadonlyArray<CaseOutline>): ReadonlyArray<FileProblem> => {
  const names = cases.map(({ name }) => name)
  return names.flatMap((name, i): ReadonlyArray<FileProblem> =>
    names.indexOf(name) === i
      ? []
      : [{ rule: "duplicate-case", path: ["cases", i, "name"], message: `another case is named \`${name}\`` }]
  )
}

/**
 * Thresholds without a case on each side, taken from a run with coverage. `check` reports missing cases; `test` reports
 * failing ones. `unclear` names files with other findings: their thresholds may still change, so they need no cases yet.
 */
export const boundaryFindings = (
  { findings }: CasesReport,
  unclear: ReadonlySet<string>
): ReadonlyArray<LocatedFinding> =>
  findings.filter(({ file, rule }) => rule === "boundary-without-case" && !unclear.has(file))
