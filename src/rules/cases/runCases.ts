/** Runs every case of a suite through the whole score of a rulebook, and says which fail, where and why. */

import { Result } from "effect"
import { severities } from "../../domain/Opinion.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { renderFigure } from "../../scoring/renderMessage.ts"
import type { Finding, LocatedFinding, Read } from "../Finding.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook, type RuleGroup } from "../Rulebook.ts"
import { describeAtom } from "../explain/describeCondition.ts"
import { atomsOf, type AtomTrace, distance, lacking, trace } from "../explain/explainRules.ts"
import { locateFindings } from "../files/locate.ts"
import type { Root } from "../files/readTree.ts"
import { type Case, type CaseFile, readPolicySuite, readRuleSuite } from "./Case.ts"
import { type Coverage, coverageOf } from "./coverage.ts"
import { prepareCase, type Trial, tryCase } from "./tryCase.ts"

export interface CasesReport {
  /** Whether there are cases, and no findings. */
  readonly ok: boolean
  /** One for each case that fails, at its expectation; with coverage also one for each gap. */
  readonly findings: ReadonlyArray<LocatedFinding>
  readonly cases: { readonly total: number; readonly failed: number }
  /** By file of cases, in the order of the files. */
  readonly groups: ReadonlyArray<CaseGroup>
  readonly coverage?: Coverage
}

/** The cases of one file. */
export interface CaseGroup {
  /** A factor's code, a typology's name, a policy rule's id, or `calibration`. */
  readonly of: string
  readonly file: string
  readonly cases: number
  readonly failed: number
}

/** Runs every case of a suite through the whole score of a rulebook, and says which fail, where and why. */
interface RunOptions {
  /** Also measures what no case reaches; a gap is a finding. */
  readonly coverage?: boolean
}

/** The cases beside factors and typologies, and the calibration. */
export const runCases = (root: Root, rulebook: Rulebook, options: RunOptions = {}): CasesReport =>
  runSuite(
    root,
    rulebook,
    { folder: "rules", read: readRuleSuite(root) },
    releaseRuleGroups(rulebook.release),
    options
  )

/** The cases beside the rules of the rulebook's policy set. */
export const runPolicyCases = (root: Root, rulebook: Rulebook, options: RunOptions = {}): CasesReport => {
  const { name } = rulebook.policies.policySet
  const suite = { folder: `policies/${name}`, read: readPolicySuite(root, name) }
  return runSuite(root, rulebook, suite, policyRuleGroups(rulebook.policies), options)
}

interface TriedCase {
  readonly one: Case
  readonly trial: Trial
}

interface SuiteToRun {
  readonly folder: string
  readonly read: Read<ReadonlyArray<CaseFile>>
}

const runSuite = (
  root: Root,
  { policies, release }: Rulebook,
  { folder, read }: SuiteToRun,
  ladders: ReadonlyArray<RuleGroup>,
  options: RunOptions
): CasesReport => {
  if (Result.isFailure(read)) return reportWithoutRun(root, read.failure)
  const { model } = release
  const files = read.success.map(({ cases, ...file }) => ({
    ...file,
    tried: cases.map((one): TriedCase => ({
      one,
      trial: tryCase(prepareCase(one, model), model, policies.policySet)
    }))
  }))
  const tried = files.flatMap((file) => file.tried)
  // A set without rules, such as `none`, has nothing to show a case of.
  if (tried.length === 0 && ladders.length > 0) return reportWithoutRun(root, [noCasesIn(folder)])
  const failed = tried.filter(({ trial }) => !trial.passed)
  const coverage = options.coverage === true ? coverageOf(ladders, factsByCode(tried)) : undefined
  const byCode = new Map(ladders.map((ladder) => [ladder.code, ladder]))
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

const noCasesIn = (folder: string): Finding => ({
  rule: "no-cases",
  file: folder,
  path: [],
  message: "no cases found"
})

/** Nothing was run, because of these. */
export const reportWithoutRun = (root: Root, findings: ReadonlyArray<Finding>): CasesReport => ({
  ok: false,
  findings: locateFindings(root, findings),
  cases: { total: 0, failed: 0 },
  groups: []
})

const explainTrial = (
  one: Case,
  { came, expected, hearings: [first] }: Trial,
  ladder: RuleGroup | undefined
): string => {
  if (one.kind === "level" || one.kind === "ordering" || first === undefined) return ""
  if (ladder === undefined) return `: there is no \`${one.of}\` among these rules`
  const facts = one.kind === "typology" ? first.first : first.reported
  return `, score ${first.opinion.actionRisk.score}: ${explainFailure(ladder, { expected, came, facts })}`
}

const failureFinding = (one: Case, trial: Trial, ladder: RuleGroup | undefined): Finding => ({
  rule: "failing-case",
  file: one.file,
  path: one.path,
  message: `\`${one.name}\` expects ${trial.expected} and comes out ${trial.came}${explainTrial(one, trial, ladder)}`
})

const gapFindings = ({ gaps }: Coverage): ReadonlyArray<Finding> =>
  gaps.map(({ file, kind, message, path }) => ({
    rule: kind === "boundary" ? "boundary-without-case" : "uncovered",
    file,
    path,
    message
  }))

/** What the cases of each file put before its rules: the facts of the score's first question and those it reports. */
const factsByCode = (tried: ReadonlyArray<TriedCase>): ReadonlyMap<string, ReadonlyArray<Facts>> =>
  new Map(
    [...Map.groupBy(tried, ({ one }) => one.of)].map(([code, own]) => [
      code,
      own.flatMap(({ trial }) => trial.hearings.flatMap(({ first, reported }) => [first, reported]))
    ])
  )

/** Why a case failed, by the rules that it is about: which question was answered otherwise than the case expects. */
interface Failure {
  readonly expected: string
  readonly came: string
  readonly facts: Facts
}

const describeActual = ({ atom, actual }: AtomTrace): string =>
  `\`${atom.fact}\` is ${renderFigure(atom.fact, actual)}`

/** `HIGH_ENTITY_COUNT.high` asks that …, and `entities_affected` is 999 */
const describeLacking = (rule: string, atoms: ReadonlyArray<AtomTrace>): string =>
  `\`${rule}\` asks that ${atoms.map(({ atom }) => describeAtom(atom)).join(", and ")}; ${atoms.map(describeActual).join(", ")}`

const strengthOf = (outcome: string): number => ["none", ...severities, "matched"].indexOf(outcome)

const outcomeOfRule = (rule: RuleGroup["rules"][number]): string =>
  "severity" in rule.match ? rule.match.severity : "matched"

const explainFailure = (ladder: RuleGroup, { came, expected, facts }: Failure): string => {
  const traces = ladder.rules.map((rule) => ({
    name: rule.name,
    gives: outcomeOfRule(rule),
    tree: trace(rule.condition, facts)
  }))
  if (strengthOf(came) > strengthOf(expected)) {
    const holding = traces.find(({ gives, tree }) => gives === came && tree.result)
    if (holding === undefined) return ""
    const held = atomsOf(holding.tree).filter(({ result }) => result)
    return `\`${holding.name}\` holds: ${held.map(({ atom }) => describeAtom(atom)).join(", and ")}; ${held.map(describeActual).join(", ")}`
  }
  const wanted = traces
    .filter(({ gives, tree }) => gives === expected && !tree.result)
    .map(({ name, tree }) => ({ name, atoms: lacking(tree) }))
    .toSorted((a, b) => distance(a.atoms) - distance(b.atoms))
  const [nearest] = wanted
  return nearest === undefined
    ? `no rule of \`${ladder.code}\` gives ${expected}`
    : describeLacking(nearest.name, nearest.atoms)
}
