/** What a report shows, and the five questions that a reviewer asks first, each answered in a sentence. */

import type { Backtest } from "../../rules/backtest/Backtest.ts"
import type { CasesReport } from "../../rules/cases/runCases.ts"
import type { CheckReport } from "../../rules/check/checkFiles.ts"
import { type Change, type ChangeKind, changeKinds, type Diff } from "../../rules/diff/Diff.ts"
import type { Proof } from "../../rules/proof/proveNotLower.ts"
import type { ChangelogEntry, ChangelogItem } from "../../rules/release/changelog.ts"
import { counted, enumerated, figure } from "./formatText.ts"

/** One of the two that are compared. */
export interface Edition {
  /** What the reviewer called it: `1.0.0`, `draft`, `starter@1.0.0`. */
  readonly label: string
  /** The version its files state. */
  readonly version: string
  /** SHA-256 in hex over what it says. */
  readonly digest: string
}

export interface Report {
  readonly of: "rules" | "policies"
  readonly from: Edition
  readonly to: Edition
  /** When it was made, as ISO 8601 writes a day; null leaves it out. */
  readonly date: string | null
  /** Of the working files, which is what can still be changed. */
  readonly check: CheckReport
  /** The working cases, tried on `to`. */
  readonly cases: CasesReport
  readonly diff: Diff
  readonly proof: Proof
  /** Null where no history was given. */
  readonly backtest: { readonly history: string; readonly result: Backtest } | null
  /** What the changelog says of `to`; null where it says nothing yet. */
  readonly changelog: ChangelogEntry | null
}

/**
 * The five questions a reviewer asks first, each answered in a sentence.
 * - `good`: nothing to look at; `look`: a reviewer should know; `bad`: it stands against the change.
 * - `none`: it was not asked.
 */
export type AnswerState = "good" | "look" | "bad" | "none"

export interface ReportAnswer {
  /** The section that says more. */
  readonly section: "check" | "cases" | "changes" | "proof" | "backtest"
  readonly question: string
  readonly state: AnswerState
  readonly statement: string
}

export const answersOf = (report: Report): ReadonlyArray<ReportAnswer> => [
  checked(report),
  tested(report),
  changed(report),
  lower(report),
  effect(report)
]

const checked = ({ check }: Report): ReportAnswer => {
  const errors = check.findings.filter(({ severity }) => severity === "error").length
  const warnings = check.findings.length - errors
  const found = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : [])
  ]
  return {
    section: "check",
    question: "Are the files sound?",
    state: errors > 0 ? "bad" : warnings > 0 ? "look" : "good",
    statement:
      found.length === 0
        ? `Yes: nothing was found in ${counted(check.files, "file")}.`
        : `${enumerated(found)} in ${counted(check.files, "file")}.`
  }
}

const tested = ({ cases: { cases, coverage, ok } }: Report): ReportAnswer => {
  const share = coverage === undefined ? "" : ` They reach ${coverage.percent} % of what the rules ask.`
  const passed =
    cases.total === 0 ? "There are no cases." : `Yes: all ${figure(cases.total)} cases hold.${share}`
  return {
    section: "cases",
    question: "Do the cases hold?",
    state:
      cases.failed > 0 || cases.total === 0
        ? "bad"
        : ok && (coverage?.percent ?? 100) === 100
          ? "good"
          : "look",
    statement:
      cases.failed === 0
        ? passed
        : `No: ${figure(cases.failed)} of ${counted(cases.total, "case")} ${cases.failed === 1 ? "fails" : "fail"}.`
  }
}

export const ofKind = (changes: ReadonlyArray<Change>, kind: ChangeKind): ReadonlyArray<Change> =>
  changes.filter((change) => change.kind === kind)

const kindWords: Readonly<Record<ChangeKind, string>> = {
  looser: "looser",
  moved: "moved both ways",
  stricter: "stricter",
  text: "in words only"
}

const changed = ({ diff: { changes } }: Report): ReportAnswer => {
  const kinds = changeKinds
    .map((kind) => ({ kind, count: ofKind(changes, kind).length }))
    .filter(({ count }) => count > 0)
  const lowering = kinds.some(({ kind }) => kind === "looser" || kind === "moved")
  return {
    section: "changes",
    question: "Looser or stricter?",
    state: lowering ? "look" : "good",
    statement:
      kinds.length === 0
        ? "Neither: the two say the same."
        : `${counted(changes.length, "change")}: ${enumerated(kinds.map(({ count, kind }) => `${figure(count)} ${kindWords[kind]}`))}.`
  }
}

const lower = (report: Report): ReportAnswer => {
  const { holds, sampled, witness } = report.proof
  const accepted = acceptedOf(report).map(({ code }) => code)
  const answer = { section: "proof", question: "Can anything score lower?" } as const
  if (holds && sampled === undefined)
    return { ...answer, state: "good", statement: "No: proven for every request there is." }
  if (holds)
    return {
      ...answer,
      state: "good",
      statement: `No: proven over all thresholds, and tried on ${counted(sampled?.requests ?? 0, "request")} where text decides.`
    }
  if (witness === undefined)
    return {
      ...answer,
      state: "look",
      statement: "It could not be decided; the section says how far it got."
    }
  const agreed = accepted.length === 0 ? "" : ` The changelog accepts it for ${namedOrCounted(accepted)}.`
  return {
    ...answer,
    state: accepted.length === 0 ? "bad" : "look",
    statement: `Yes: there is a request that scores ${witness.fromScore} under ${report.from.label} and ${witness.toScore} under ${report.to.label}.${agreed}`
  }
}

/** What the changelog says may score lower, and why that is right. */
export const acceptedOf = ({ changelog }: Report): ReadonlyArray<NonNullable<ChangelogItem["accepted"]>> =>
  (changelog?.items ?? []).flatMap(({ accepted }) => (accepted === undefined ? [] : [accepted]))

const effect = (report: Report): ReportAnswer => {
  const { backtest } = report
  const answer = { section: "backtest", question: "What would it have changed?" } as const
  if (backtest === null)
    return { ...answer, state: "none", statement: "Not asked: no history was given (`--history`)." }
  const { falls, lowered, raised, records, rises } = backtest.result.counts
  const of = `Of ${counted(records, "recorded assessment")}`
  if (falls + rises > 0) {
    return {
      ...answer,
      state: falls > 0 && acceptedOf(report).length === 0 ? "bad" : "look",
      statement: `${of}, ${noneOr(falls)} would fall to a lower level and ${noneOr(rises)} would rise to a higher one.`
    }
  }
  return lowered + raised === 0
    ? { ...answer, state: "good", statement: `Nothing: ${of.toLowerCase()}, every one keeps its score.` }
    : {
        ...answer,
        state: "look",
        statement: `${of}, every one keeps its level; ${noneOr(lowered)} would score lower and ${noneOr(raised)} higher.`
      }
}

const noneOr = (count: number): string => (count === 0 ? "none" : figure(count))

const namedMax = 3

const namedOrCounted = (codes: ReadonlyArray<string>): string =>
  codes.length > namedMax ? counted(codes.length, "code") : enumerated(codes)
