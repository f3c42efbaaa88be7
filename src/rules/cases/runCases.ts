/** Runs every case of a suite through a rulebook's whole score, and reports which cases fail, where and why. */

import { Result } from "effect"
import { severities } from "../../domain/Opinion.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import type { Finding, LocatedFinding, Read } from "../Finding.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook, type RuleGroup } from "../Rulebook.ts"
import { describeAtom } from "../explain/describeCondition.ts"
import { type AtomTrace, atomTraces, distance, lacking, trace } from "../explain/explainRules.ts"
import { locateFindings } from "../files/locate.ts"
import type { Root } from "../files/readTree.ts"
import { type Case, type CaseFile, readPolicySuite, readRuleSuite } from "./Case.ts"
import { type Coverage, coverageOf } from "./coverage.ts"
import { type KnowledgeCoverage, knowledgeCoverage } from "./knowledgeCoverage.ts"
import { prepareCase, type Trial, tryCase } from "./tryCase.ts"

export interface CasesReport {
  /** True if there are cases and no findings. */
  readonly ok: boolean
  /** One per failing case, at its expectation. With coverage, also one per gap. */
  readonly findings: ReadonlyArray<LocatedFinding>
  readonly cases: { readonly total: number; readonly failed: number }
  /** One group per case file, in file order. */
  readonly groups: ReadonlyArray<CaseGroup>
  readonly coverage?: Coverage
  /** How the cases cover the lexicon, if coverage is requested. A gap in it is not a finding. */
  readonly knowledge?: KnowledgeCoverage
}

/** The cases of one file. */
export interface CaseGroup {
  /** The code of a factor, the name of a typology, the id of a policy rule, or `calibration`. */
  readonly of: string
  readonly file: string
  readonly cases: number
  readonly failed: number
}

interface RunOptions {
  /** Also measures coverage. Each gap is a finding. */
  readonly coverage?: boolean
}

/** Runs the cases of factors, typologies and lexicon files, and the calibration. */
export const runCases = (root: Root, rulebook: Rulebook, options: RunOptions = {}): CasesReport => {
  const read = readRuleSuite(root)
  const groups = releaseRuleGroups(rulebook.release)
  const report = runSuite(root, rulebook, "rules", read, groups, options)
  const knowledge =
    options.coverage === true && Result.isSuccess(read)
      ? knowledgeCoverage(rulebook, read.success)
      : undefined
  return knowledge === undefined ? report : { ...report, knowledge }
}

/** Runs the cases of the rulebook's policy set. */
export const runPolicyCases = (root: Root, rulebook: Rulebook, options: RunOptions = {}): CasesReport => {
  const { name } = rulebook.policies.policySet
  const folder = `policies/${name}`
  const groups = policyRuleGroups(rulebook.policies)
  return runSuite(root, rulebook, folder, readPolicySuite(root, name), groups, options)
}

interface TriedCase {
  readonly one: Case
  readonly trial: Trial
}

const runSuite = (
  root: Root,
  { policies, release }: Rulebook,
  folder: string,
  read: Read<ReadonlyArray<CaseFile>>,
  ruleGroups: ReadonlyArray<RuleGroup>,
  options: RunOptions
): CasesReport => {
  if (Result.isFailure(read)) return reportWithoutRun(root, read.failure)
  const { model } = release
  const files = read.success.map(({ cases, ...file }) => ({
    ...file,
    tried: cases.map((one): TriedCase => ({
      one,
      trial: tryCase(prepareCase(one, model, policies.policySet), model, policies.policySet)
    }))
  }))
  const tried = files.flatMap((file) => file.tried)
  // A set without rules, such as `none`, needs no cases.
  if (tried.length === 0 && ruleGroups.length > 0)
    return reportWithoutRun(root, [{ rule: "no-cases", file: folder, path: [], message: "no cases found" }])
  const failed = tried.filter(({ trial }) => !trial.passed)
  const coverage = options.coverage === true ? coverageOf(ruleGroups, factsByCode(tried)) : undefined
  const byCode = new Map(ruleGroups.map((ruleGroup) => [ruleGroup.code, ruleGroup]))
  const findings = [
    ...failed.map(({ one, trial }) => failureFinding(one, trial, byCode.get(one.of))),
    ...(coverage === undefined ? [] : gapFindings(coverage))
  ]
  return {
    ok: findings.length === 0,
    findings: locateFindings(root, findings),
    cases: { total: tried.length, failed: failed.length },
    groups: files.map(({ file, of, tried }) => ({
      of,
      file,
      cases: tried.length,
      failed: tried.filter(({ trial }) => !trial.passed).length
    })),
    ...(coverage === undefined ? {} : { coverage })
  }
}

/** The report if no case could run because of these findings. */
export const reportWithoutRun = (root: Root, findings: ReadonlyArray<Finding>): CasesReport => ({
  ok: false,
  findings: locateFindings(root, findings),
  cases: { total: 0, failed: 0 },
  groups: []
})

const explainTrial = (
  one: Case,
  { actual, expected, traces: [first] }: Trial,
  ruleGroup: RuleGroup | undefined
): string => {
  if (one.kind === "level" || one.kind === "ordering" || one.kind === "call" || first === undefined) return ""
  if (one.kind === "catalogue") return `, score ${first.opinion.actionRisk.score}`
  if (ruleGroup === undefined) return `: these rules have no \`${one.of}\``
  const facts = one.kind === "typology" ? first.first : first.reported
  return `, score ${first.opinion.actionRisk.score}: ${explainFailure(ruleGroup, expected, actual, facts)}`
}

const failureFinding = (one: Case, trial: Trial, ruleGroup: RuleGroup | undefined): Finding => ({
  rule: "failing-case",
  file: one.file,
  path: one.path,
  message: `\`${one.name}\` expects ${trial.expected} but gets ${trial.actual}${explainTrial(one, trial, ruleGroup)}`
})

const gapFindings = ({ gaps }: Coverage): ReadonlyArray<Finding> =>
  gaps.map(({ file, kind, message, path }) => ({
    rule: kind === "boundary" ? "boundary-without-case" : "uncovered",
    file,
    path,
    message
  }))

/** The facts with which the cases of each file tested its rules: the first and the reported record of each trace. */
const factsByCode = (tried: ReadonlyArray<TriedCase>): ReadonlyMap<string, ReadonlyArray<Facts>> =>
  new Map(
    [...Map.groupBy(tried, ({ one }) => one.of)].map(([code, own]) => [
      code,
      own.flatMap(({ trial }) => trial.traces.flatMap(({ first, reported }) => [first, reported]))
    ])
  )

const describeActual = ({ atom, actual }: AtomTrace): string =>
  `\`${atom.fact}\` is ${renderFigure(atom.fact, actual)}`

/** `HIGH_ENTITY_COUNT.high` requires that …, and `entities_affected` is 999 */
const describeLacking = (
  rule: string,
  does: "asks that" | "holds:",
  atoms: ReadonlyArray<AtomTrace>
): string =>
  `\`${rule}\` ${does} ${atoms.map(({ atom }) => describeAtom(atom)).join(", and ")}; ${atoms.map(describeActual).join(", ")}`

const strengthOf = (outcome: string): number => ["none", ...severities, "matched"].indexOf(outcome)

const outcomeOfRule = (rule: RuleGroup["rules"][number]): string =>
  "severity" in rule.match ? rule.match.severity : "matched"

/** Lists the atoms of a rule that decided differently from what the case expects. */
const explainFailure = (ruleGroup: RuleGroup, expected: string, actual: string, facts: Facts): string => {
  const rules = ruleGroup.rules.map((rule) => ({
    name: rule.name,
    gives: outcomeOfRule(rule),
    tree: trace(rule.condition, facts)
  }))
  if (strengthOf(actual) > strengthOf(expected)) {
    const holding = rules.find(({ gives, tree }) => gives === actual && tree.result)
    if (holding === undefined) return ""
    const held = atomTraces(holding.tree).filter(({ result }) => result)
    return describeLacking(holding.name, "holds:", held)
  }
  const [nearest] = rules
    .filter(({ gives, tree }) => gives === expected && !tree.result)
    .map(({ name, tree }) => ({ name, atoms: lacking(tree) }))
    .toSorted((a, b) => distance(a.atoms) - distance(b.atoms))
  return nearest === undefined
    ? `no rule of \`${ruleGroup.code}\` gives ${expected}`
    : describeLacking(nearest.name, "asks that", nearest.atoms)
}
