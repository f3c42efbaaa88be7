/** A request with its history, and the behavior snapshot that this history gives by definition (scoring.md §6). */

import type { Action } from "../../domain/Action.ts"
import type { BehaviorSnapshot, Sum } from "../../domain/Behavior.ts"
import { dayMs, hourMs } from "../../domain/Day.ts"
import { historyRecord, type HistoryRecord } from "../../scoring/HistoryRecord.ts"
import type { PolicySet, RiskModel } from "../../scoring/Model.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import { isLookalike } from "../../scoring/names/lookalike.ts"
import { instantsOf, type SituationFile } from "../files/caseFiles.ts"
import type { BaselineSettings } from "../../scoring/Numbers.ts"
import type { Lexicon } from "../../scoring/reading/callArguments.ts"
import { readCall, type Reading } from "../../scoring/reading/readCall.ts"
import { knowledgeAt } from "../../scoring/knowledge/OrganizationCatalogue.ts"

export type Situation = typeof SituationFile.Type

/** The time of a situation that does not state one. */
export const defaultNow = "2026-11-02T12:00:00Z"

/** The parts of a rule release that are needed to turn history into a snapshot. */
interface HistoryModel {
  readonly historyRecord: (action: Action, atMs: number) => HistoryRecord
  readonly baseline: BaselineSettings
}

/** Without a history, the situation is the first request of an organization. */
export const snapshotBy = (
  { baseline, historyRecord: recordOf }: HistoryModel,
  { request, history }: Situation
): BehaviorSnapshot => {
  const nowMs = Date.parse(history?.now ?? defaultNow)
  const earlier = (history?.earlier ?? []).flatMap((entry): ReadonlyArray<EarlierAssessment> => {
    const record = recordOf(entry.request, Date.parse(entry.at))
    return instantsOf(entry).map((atMs) => ({ record, atMs }))
  })
  return naiveSnapshot(earlier, recordOf(request, nowMs), nowMs, baseline)
}

/** The parts of a policy set that describe tools. */
export type Knowing = Pick<PolicySet, "catalogue">

const readings = new WeakMap<Lexicon, WeakMap<Action, Reading>>()

/**
 * Reads each action once per lexicon. Rulebooks that differ only in rules or numbers share the lexicon and thus the readings. Both keys are
 * compared by identity.
 */
export const readingIn = ({ lexicon }: RiskModel, action: Action): Reading => {
  const known = readings.get(lexicon) ?? new WeakMap<Action, Reading>()
  readings.set(lexicon, known)
  const reading = known.get(action) ?? readCall(action, lexicon)
  known.set(action, reading)
  return reading
}

/** `policies`: the organization's set. Its catalogue counts in the history too. */
export const snapshotOf = (
  situation: Situation,
  model: RiskModel,
  policies: Knowing = {}
): BehaviorSnapshot =>
  snapshotBy(
    {
      baseline: model.numbers.behavior,
      historyRecord: (action, atMs) =>
        historyRecord(action, model, knowledgeAt(policies, atMs), readingIn(model, action))
    },
    situation
  )

/** One earlier assessment. */
export interface EarlierAssessment {
  readonly record: HistoryRecord
  readonly atMs: number
  /** Its review was closed as `risk_rejected`, so it makes nothing familiar or usual. */
  readonly rejected?: boolean
}

type Rows = ReadonlyArray<EarlierAssessment>

/** Velocity counts in slots of ten minutes, so a window of 60 minutes starts at the start of a slot. */
const slotMs = hourMs / 6

const dayOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / dayMs)
const hourOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / hourMs)

const isEvidence = ({ rejected = false }: EarlierAssessment): boolean => !rejected

const countOf = <K>(rows: Rows, key: (row: EarlierAssessment) => K): number => new Set(rows.map(key)).size

const unitOf = (row: EarlierAssessment): string => `${dayOf(row)} ${row.record.canonicalForm}`

/** A unit is one distinct action on one day, represented by its first row. */
const unitsOf = (rows: Rows): Rows => [
  ...new Map(rows.toSorted((a, b) => b.atMs - a.atMs).map((row) => [unitOf(row), row])).values()
]

/** The smallest value that is at least as large as this share of the values; null without values. */
const nearestRank = (values: ReadonlyArray<number>, percent: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? null

const statedOf = (rows: Rows, figure: (record: HistoryRecord) => number | null): ReadonlyArray<number> =>
  rows.map(({ record }) => figure(record)).filter((value) => value !== null)

const firstAtMs = (rows: Rows): number => Math.min(...rows.map(({ atMs }) => atMs))

/** Rounding before taking the median gives the rounded median, because rounding preserves the order. */
const medianOf = (figures: ReadonlyArray<number>): number | null =>
  nearestRank(figures.map(firstTwoDigits), 50)

const isEstablished = (rows: Rows, nowMs: number, baseline: BaselineSettings): boolean =>
  countOf(rows, dayOf) >= baseline.establishedDaysMin &&
  nowMs - firstAtMs(rows) >= baseline.establishedHoursMin * hourMs

const destinationOf = (
  earlier: Rows,
  key: string,
  nowMs: number,
  baseline: BaselineSettings
): NonNullable<BehaviorSnapshot["destination"]> => {
  const here = earlier.filter(({ record }) => record.destinationKey === key)
  const unitsHere = unitsOf(here)
  const others = Map.groupBy(earlier, ({ record }) => record.destinationKey)
  return {
    days: countOf(here, dayOf),
    firstSeenHours: here.length === 0 ? 0 : Math.floor((nowMs - firstAtMs(here)) / hourMs),
    largestEntities: Math.max(0, ...statedOf(unitsHere, (record) => record.statedEntities)),
    largestUsdCents: Math.max(0, ...statedOf(unitsHere, (record) => record.statedUsdCents)),
    lookalike: [...others].some(
      ([other, rows]) =>
        other !== null &&
        other !== key &&
        isEstablished(rows, nowMs, baseline) &&
        isLookalike(key, other, baseline.counterDigitsMax)
    )
  }
}

/** Counts each agent or pool separately. */
const usualPaceOf = (earlierDays: Rows): Omit<BehaviorSnapshot["velocity"], "lastHour"> => {
  const hour = (row: EarlierAssessment) => `${hourOf(row)} ${row.record.summedUnder}`
  const perHour = [...Map.groupBy(earlierDays, hour).values()].map((rows) => rows.length)
  return { p95PerHour: nearestRank(perHour, 95), days: countOf(earlierDays, dayOf), hours: perHour.length }
}

/**
 * The last hour, and the usual pace on the days of evidence: that of the agent or pool or, if the days know too little about it, that of
 * all agents, each counted separately.
 */
const velocityOf = (
  window: Rows,
  earlierDays: Rows,
  { summedUnder }: HistoryRecord,
  nowMs: number,
  { velocityDaysMin, velocityHoursMin }: BaselineSettings
): BehaviorSnapshot["velocity"] => {
  const sinceMs = Math.floor((nowMs - hourMs) / slotMs) * slotMs
  const lastHour = window.filter(({ atMs }) => atMs >= sinceMs)
  const isOwn = ({ record }: EarlierAssessment) => record.summedUnder === summedUnder
  const own = usualPaceOf(earlierDays.filter(isOwn))
  return {
    lastHour: lastHour.filter(isOwn).length + 1,
    ...(own.days >= velocityDaysMin && own.hours >= velocityHoursMin ? own : usualPaceOf(earlierDays))
  }
}

const sumOf = (rows: Rows): Sum => {
  const total = (figure: (record: HistoryRecord) => number): number =>
    Math.min(
      rows.reduce((sum, { record }) => sum + figure(record), 0),
      Number.MAX_SAFE_INTEGER
    )
  return {
    entities: total(({ scoredEntities }) => scoredEntities),
    usdCents: total(({ scoredUsdCents }) => scoredUsdCents)
  }
}

/** Excludes only the class `read`. Repeated and rejected assessments count, because what is done twice moves twice as much. */
const sumsOf = (
  window: Rows,
  earlierDays: Rows,
  { destinationSummedUnder, summedUnder }: HistoryRecord,
  nowMs: number
): Pick<BehaviorSnapshot, "last24Hours" | "otherSums" | "usualDay"> => {
  const moves = ({ record }: EarlierAssessment) => record.actionClass !== "read"
  const sinceHour = hourOf({ atMs: nowMs - dayMs })
  const recent = window.filter((row) => moves(row) && hourOf(row) >= sinceHour)
  const days = [...Map.groupBy(earlierDays.filter(moves), dayOf).values()].map(sumOf)
  const usual = (figure: (sum: Sum) => number) => nearestRank(days.map(figure), 50) ?? 0
  return {
    last24Hours: sumOf(recent.filter(({ record }) => record.summedUnder === summedUnder)),
    otherSums: {
      destination:
        destinationSummedUnder === null
          ? null
          : sumOf(recent.filter(({ record }) => record.destinationSummedUnder === destinationSummedUnder)),
      organization: sumOf(recent)
    },
    usualDay: {
      days: days.length,
      entities: usual(({ entities }) => entities),
      usdCents: usual(({ usdCents }) => usdCents)
    }
  }
}

/** The actions since the end of the evidence, for the report. Excludes the action itself on its own day. */
const todayOf = (
  later: Rows,
  { canonicalForm, destinationKey, normalizedActionType }: HistoryRecord,
  today: number
): BehaviorSnapshot["today"] => {
  const others = later.filter((row) => dayOf(row) < today || row.record.canonicalForm !== canonicalForm)
  return {
    units: unitsOf(others).length,
    actionTypeSeen: others.some(({ record }) => record.normalizedActionType === normalizedActionType),
    destinationSeen:
      destinationKey !== null && others.some(({ record }) => record.destinationKey === destinationKey)
  }
}

/** The definition of a snapshot, computed from a list in memory for cases, calibration and backtests. Storage must give the same result. */
export const naiveSnapshot = (
  history: Rows,
  asked: HistoryRecord,
  nowMs: number,
  baseline: BaselineSettings
): BehaviorSnapshot => {
  const today = dayOf({ atMs: nowMs })
  // Evidence ends before this day, so that the last hours make nothing familiar or usual.
  const until = dayOf({ atMs: nowMs - baseline.evidenceHoursMin * hourMs })
  const window = history.filter(
    (row) =>
      dayOf(row) > today - baseline.windowDays &&
      row.atMs < nowMs &&
      row.record.production === asked.production
  )
  const isEarlier = (row: EarlierAssessment) => dayOf(row) < until
  // A rejected action may still have been carried out, so it stays in the sums and in the pace, which only raise a score.
  const comparable = window.filter(({ record }) => record.changes || !asked.changes)
  const evidence = comparable.filter(isEvidence)
  const earlier = evidence.filter(isEarlier)
  const units = unitsOf(earlier)
  const entities = statedOf(units, (record) => record.statedEntities)
  const amounts = statedOf(
    units.filter(({ record }) => record.actionCategory === asked.actionCategory),
    (record) => record.statedUsdCents
  )
  const { agentId, destinationKey } = asked
  return {
    takenAt: new Date(nowMs).toISOString(),
    windowDays: baseline.windowDays,
    sampleSize: units.length,
    entityVolume: { units: entities.length, median: medianOf(entities) },
    financialValue: { units: amounts.length, medianUsdCents: medianOf(amounts) },
    velocity: velocityOf(comparable, comparable.filter(isEarlier), asked, nowMs, baseline),
    destination: destinationKey === null ? null : destinationOf(earlier, destinationKey, nowMs, baseline),
    actionTypeSeen: earlier.some(({ record }) => record.normalizedActionType === asked.normalizedActionType),
    agentSeen: agentId !== null && earlier.some(({ record }) => record.agentId === agentId),
    ...sumsOf(window, window.filter(isEarlier), asked, nowMs),
    today: todayOf(
      evidence.filter((row) => !isEarlier(row)),
      asked,
      today
    )
  }
}
