/** Runs every case of a suite through the whole score of a rulebook, and says which fail, where and why. */

import { Result } from "effect"
import type { Facts } from "../../scoring/Facts.ts"
import { type Ladder, policyLadders, ruleLadders } from "../ladders.ts"
import { locateFindings } from "../locate.ts"
import type { Finding } from "../Problem.ts"
import type { Read } from "../Read.ts"
import type { Root } from "../readTree.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Case, CaseFile } from "./Case.ts"
import type { CasesReport } from "./CasesReport.ts"
import type { Coverage } from "./Coverage.ts"
import { coverageOf } from "./measureCoverage.ts"
import { explainFailure } from "./explainFailure.ts"
import { readPolicySuite, readRuleSuite } from "./readSuite.ts"
import { ready, type Trial, tryCase } from "./tryCase.ts"

export interface RunOptions {
  /** Also measures what no case reaches; a gap is a finding. */
  readonly coverage?: boolean
}

/** The cases beside factors and typologies, and the calibration. */
export const runCases = (root: Root, rulebook: Rulebook, options: RunOptions = {}): CasesReport =>
  run(root, rulebook, { folder: "rules", read: readRuleSuite(root) }, ruleLadders(rulebook.release), options)

/** The cases beside the rules of the rulebook's policy set. */
export const runPolicyCases = (root: Root, rulebook: Rulebook, options: RunOptions = {}): CasesReport => {
  const { name } = rulebook.policies.policySet
  const suite = { folder: `policies/${name}`, read: readPolicySuite(root, name) }
  return run(root, rulebook, suite, policyLadders(rulebook.policies), options)
}

interface Tried {
  readonly one: Case
  readonly trial: Trial
}

interface Suite {
  readonly folder: string
  readonly read: Read<ReadonlyArray<CaseFile>>
}

const run = (
  root: Root,
  { policies, release }: Rulebook,
  { folder, read }: Suite,
  ladders: ReadonlyArray<Ladder>,
  options: RunOptions
): CasesReport => {
  if (Result.isFailure(read)) return runNothing(root, read.failure)
  const { model } = release
  const files = read.success.map(({ cases, ...file }) => ({
    ...file,
    tried: cases.map((one): Tried => ({ one, trial: tryCase(ready(one, model), model, policies.policySet) }))
  }))
  const tried = files.flatMap((file) => file.tried)
  // A set without rules, such as `none`, has nothing to show a case of.
  if (tried.length === 0 && ladders.length > 0) return runNothing(root, [nothingIn(folder)])
  const failed = tried.filter(({ trial }) => !trial.passed)
  const coverage = options.coverage === true ? coverageOf(ladders, seenBy(tried)) : undefined
  const byCode = new Map(ladders.map((ladder) => [ladder.code, ladder]))
  const findings = [
    ...failed.map(({ one, trial }) => failureOf(one, trial, byCode.get(one.of))),
    ...(coverage === undefined ? [] : gapsOf(coverage))
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

const nothingIn = (folder: string): Finding => ({
  rule: "no-cases",
  file: folder,
  path: [],
  message: "no cases found"
})

/** Nothing was run, because of these. */
export const runNothing = (root: Root, findings: ReadonlyArray<Finding>): CasesReport => ({
  ok: false,
  findings: locateFindings(root, findings),
  cases: { total: 0, failed: 0 },
  groups: []
})

const whyOf = (
  one: Case,
  { came, expected, hearings: [first] }: Trial,
  ladder: Ladder | undefined
): string => {
  if (one.kind === "level" || one.kind === "ordering" || first === undefined) return ""
  if (ladder === undefined) return `: there is no \`${one.of}\` among these rules`
  const facts = one.kind === "typology" ? first.first : first.reported
  return `, score ${first.opinion.actionRisk.score}: ${explainFailure(ladder, { expected, came, facts })}`
}

const failureOf = (one: Case, trial: Trial, ladder: Ladder | undefined): Finding => ({
  rule: "failing-case",
  file: one.file,
  path: one.path,
  message: `\`${one.name}\` expects ${trial.expected} and comes out ${trial.came}${whyOf(one, trial, ladder)}`
})

const gapsOf = ({ gaps }: Coverage): ReadonlyArray<Finding> =>
  gaps.map(({ file, kind, message, path }) => ({
    rule: kind === "boundary" ? "boundary-without-case" : "uncovered",
    file,
    path,
    message
  }))

/** What the cases of each file put before its rules: the facts of the score's first question and those it reports. */
const seenBy = (tried: ReadonlyArray<Tried>): ReadonlyMap<string, ReadonlyArray<Facts>> =>
  new Map(
    [...Map.groupBy(tried, ({ one }) => one.of)].map(([code, own]) => [
      code,
      own.flatMap(({ trial }) => trial.hearings.flatMap(({ first, reported }) => [first, reported]))
    ])
  )
