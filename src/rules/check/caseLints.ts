/** Lints about cases: each rule and each threshold needs cases on both sides, and case names are unique. */

import { severities } from "../../domain/Opinion.ts"
import type { FileProblem, Finding, LintId, LocatedFinding } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import type { CasesReport } from "../cases/runCases.ts"
import type { CaseOutline, ExaminedFile } from "./examine.ts"
import { didYouMean } from "../nearestName.ts"

export const casesFile = (file: string): string => file.replace(/\.json$/, ".cases.json")
const ruleFile = (file: string): string => file.replace(/\.cases\.json$/, ".json")
const isCases = (file: string): boolean => file.endsWith(".cases.json")

/** The outcomes that the cases of a rule file must expect at least once: each severity, or `matched`. */
const outcomesOf = ({ kind, rules }: RuleGroup): ReadonlyArray<string> => {
  if (kind !== "factor") return ["matched"]
  const given = new Set(rules.map(({ match }) => match.severity))
  return severities.filter((severity) => given.has(severity))
}

/** Reports outcomes that no case of the file expects. */
const checkExpectations = (
  group: RuleGroup,
  file: string,
  cases: ReadonlyArray<CaseOutline>
): ReadonlyArray<Finding> => {
  const { code } = group
  const at = { file, path: ["cases"] }
  const isExpected = (outcome: string) => cases.some(({ expect }) => expect === outcome)
  const lacking = (rule: LintId, must: string): Finding => ({
    rule,
    ...at,
    message: `no case says where \`${code}\` must ${must}`
  })
  return [
    ...outcomesOf(group)
      .filter((outcome) => !isExpected(outcome))
      .map((outcome) => lacking("no-must-case", outcome === "matched" ? "match" : `be ${outcome}`)),
    ...(isExpected("none") ? [] : [lacking("no-must-not-case", "not match: expect `none` of one")])
  ]
}

const checkRuleGroup = (
  group: RuleGroup,
  byFile: ReadonlyMap<string, ExaminedFile>
): ReadonlyArray<Finding> => {
  const file = casesFile(group.file)
  const own = byFile.get(file)
  if (own === undefined) return [noCases(group.file)]
  return own.cases === undefined ? [] : checkExpectations(group, file, own.cases)
}

export const noCases = (file: string): Finding => ({
  rule: "no-cases",
  file,
  path: [],
  message: `there are no cases next to it: write ${casesFile(file)}`
})

const casesWithoutRule = (file: string, files: ReadonlyArray<string>): Finding => {
  const { hint, suggested } = didYouMean(file, files.map(casesFile))
  return {
    rule: "misplaced-file",
    file,
    path: [],
    message: `the file of these cases is missing${hint}`,
    ...suggested
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

/** Findings name cases, so names must be unique within a file. In a list of calls, the call itself is the name. */
export const checkDuplicateCases = (cases: ReadonlyArray<CaseOutline>): ReadonlyArray<FileProblem> => {
  const names = cases.map(({ name }) => name)
  return names.flatMap((name, i): ReadonlyArray<FileProblem> =>
    names.indexOf(name) === i
      ? []
      : [{ rule: "duplicate-case", path: ["cases", i, "name"], message: `another case is named \`${name}\`` }]
  )
}

/**
 * Thresholds without a case on each side, taken from a run with coverage. `check` reports missing cases, `test` failing ones. `unclear`:
 * files with other findings, which need no cases yet because their thresholds may still change.
 */
export const boundaryFindings = (
  { findings }: CasesReport,
  unclear: ReadonlySet<string>
): ReadonlyArray<LocatedFinding> =>
  findings.filter(({ file, rule }) => rule === "boundary-without-case" && !unclear.has(file))
