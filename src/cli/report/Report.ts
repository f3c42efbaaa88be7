/** The content of a report, and a reviewer's five questions, each answered in a sentence. */

import type { Backtest, Move } from "../../rules/backtest/Backtest.ts"
import type { CasesReport } from "../../rules/cases/runCases.ts"
import type { CheckReport } from "../../rules/check/checkFiles.ts"
import { moveText } from "../../rules/ScoreAndControl.ts"
import { type Change, type ChangeKind, changeKinds, type Diff } from "../../rules/diff/Diff.ts"
import type { Proof } from "../../rules/proof/proveNotLower.ts"
import type { ChangelogEntry, ChangelogItem } from "../../rules/release/changelog.ts"
import { counted, enumerated, figure, findingCounts } from "../texts.ts"

/** One of the two compared versions. */
export interface ComparedVersion {
  /** The name on the command line: `1.0.0`, `draft`, `starter@1.0.0`. */
  readonly label: string
  /** The version stated in the files. */
  readonly version: string
  /** The hex SHA-256 of the content. */
  readonly digest: string
}

export interface Report {
  readonly of: "rules" | "policies"
  readonly from: ComparedVersion
  readonly to: ComparedVersion
  /** The day of the report as ISO 8601; null omits it. */
  readonly date: string | null
  /** The check of the working files, because only those can still be changed. */
  readonly check: CheckReport
  /** The working cases, tried on `to`. */
  readonly cases: CasesReport
  readonly diff: Diff
  readonly proof: Proof
  /** Null if no history was given. */
  readonly backtest: { readonly history: string; readonly result: Backtest } | null
  /** The changelog entry for `to`; null if there is none yet. */
  readonly changelog: ChangelogEntry | null
}

/**
 * - `good`: nothing to read; `look`: a reviewer should read it; `bad`: it counts against the change.
 * - `none`: the question was not asked.
 */
export type AnswerState = "good" | "look" | "bad" | "none"

export interface ReportAnswer {
  readonly section: "check" | "cases" | "changes" | "proof" | "backtest"
  readonly question: string
  readonly state: AnswerState
  readonly statement: string
}

export const answersOf = (report: Report): ReadonlyArray<ReportAnswer> => [
  checked(report),
  tested(report),
  changed(report),
  fallen(report),
  effect(report)
]

const checked = ({ check }: Report): ReportAnswer => {
  const worst = check.findings.some(({ severity }) => severity === "error") ? "bad" : "look"
  return {
    section: "check",
    question: "Are the files sound?",
    state: check.findings.length === 0 ? "good" : worst,
    statement: `${findingCounts(check.findings) || "Yes: nothing was found"} in ${counted(check.files, "file")}.`
  }
}

/** The cases always come from the working files, whichever version is tried on them. */
const failing = ({ failed, total }: CasesReport["cases"], { label }: ComparedVersion): string =>
  `No: of today's ${counted(total, "case")}, checked against ${label}, ${figure(failed)} ${failed === 1 ? "fails" : "fail"}.`

const tested = ({ cases: { cases, coverage, ok }, to }: Report): ReportAnswer => {
  const share = coverage === undefined ? "" : ` They reach ${coverage.percent} % of what the rules test.`
  const answer = { section: "cases", question: "Do the cases hold?" } as const
  if (cases.failed > 0) return { ...answer, state: "bad", statement: failing(cases, to) }
  if (cases.total === 0) return { ...answer, state: "bad", statement: "There are no cases." }
  const statement = `Yes: all ${figure(cases.total)} cases hold.${share}`
  return { ...answer, state: ok && (coverage?.percent ?? 100) === 100 ? "good" : "look", statement }
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
    .map(({ count, kind }) => `${figure(count)} ${kindWords[kind]}`)
  return {
    section: "changes",
    question: "Looser or stricter?",
    state: changes.some(({ kind }) => kind === "looser" || kind === "moved") ? "look" : "good",
    statement:
      kinds.length === 0
        ? "Neither: both are equivalent."
        : `${counted(changes.length, "change")}: ${enumerated(kinds)}.`
  }
}

const fallen = (report: Report): ReportAnswer => {
  const { holds, sampled, witness } = report.proof
  const accepted = acceptedOf(report).map(({ code }) => code)
  const answer = { section: "proof", question: "Can a score or a control fall?" } as const
  const proven =
    sampled === undefined
      ? "No: proven for every possible request, but only the score if a request does several things."
      : `No: proven for all thresholds, and tested on ${counted(sampled.requests, "request")} whose text decides.`
  if (holds) return { ...answer, state: "good", statement: proven }
  const undecided = "Undecided; the section says how far the proof got."
  if (witness === undefined) return { ...answer, state: "look", statement: undecided }
  const agreed = accepted.length === 0 ? "" : ` The changelog accepts it for ${namedOrCounted(accepted)}.`
  return {
    ...answer,
    state: accepted.length === 0 ? "bad" : "look",
    statement: `Yes: a request ${moveText(witness)}.${agreed}`
  }
}

/** The codes that the changelog allows to lower a score or weaken a control, each with the reason. */
export const acceptedOf = ({ changelog }: Report): ReadonlyArray<NonNullable<ChangelogItem["accepted"]>> =>
  (changelog?.items ?? []).flatMap(({ accepted }) => (accepted === undefined ? [] : [accepted]))

const effect = (report: Report): ReportAnswer => {
  const { backtest } = report
  const answer = { section: "backtest", question: "What would it have changed?" } as const
  if (backtest === null)
    return { ...answer, state: "none", statement: "Unknown: no history was given (`--history`)." }
  const { falls, lowered, raised, records, rises, strengthened, weakened } = backtest.result.counts
  const state = falls + weakened > 0 && acceptedOf(report).length === 0 ? "bad" : "look"
  const of = `Out of ${counted(records, "recorded assessment")}`
  const controls =
    weakened + strengthened === 0
      ? ""
      : ` The recommended control would be weaker for ${noneOr(weakened)} and stronger for ${noneOr(strengthened)}.`
  if (falls + rises + lowered + raised + weakened + strengthened === 0) {
    const statement = `Nothing: ${of.toLowerCase()}, all keep their score and control.`
    return { ...answer, state: "good", statement }
  }
  const moved =
    falls + rises > 0
      ? `${noneOr(falls)} would fall to a lower level and ${noneOr(rises)} would rise to a higher one`
      : `all keep their level; ${noneOr(lowered)} would score lower and ${noneOr(raised)} higher`
  return { ...answer, state, statement: `${of}, ${moved}.${controls}` }
}

const noneOr = (count: number): string => (count === 0 ? "none" : figure(count))

const namedMax = 3

const namedOrCounted = (codes: ReadonlyArray<string>): string =>
  codes.length > namedMax ? counted(codes.length, "code") : enumerated(codes)

export const reasonsOf = ({ factors }: Move): ReadonlyArray<string> =>
  factors.length === 0
    ? ["no factor changed; a floor, a typology or a number did"]
    : factors.map(({ code, from, to }) => {
        if (from === null) return `${code} appears (${to})`
        return to === null ? `${code} vanishes (was ${from})` : `${code} is ${to}, was ${from}`
      })

export const actionTypeOf = ({ request }: Move): string => String(request["action_type"] ?? "unnamed")

/** Recorded assessments with the same action, scores and reasons. `move` is the first of them. */
export interface MoveGroup {
  readonly move: Move
  readonly count: number
}

/** In the order of each group's first move. */
export const groupMoves = (moves: ReadonlyArray<Move>): ReadonlyArray<MoveGroup> => {
  const kinds = Map.groupBy(moves, (move) =>
    JSON.stringify([actionTypeOf(move), move.from, move.to, reasonsOf(move)])
  )
  return [...kinds.values()].flatMap(([move, ...others]) =>
    move === undefined ? [] : [{ move, count: 1 + others.length }]
  )
}
