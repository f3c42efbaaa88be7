/** A request with its history, and the behaviour snapshot of that history by its definition (scoring.md §6). */

import type { Action } from "../../domain/Action.ts"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import { type BaselineSettings, type Edition, knowledgeAt } from "../../scoring/Edition.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import type { PolicySet } from "../../scoring/Model.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import { isLookalike } from "../../scoring/names/lookalike.ts"
import { instantsOf, type SituationFile } from "../files/caseFiles.ts"

export type Situation = typeof SituationFile.Type

/** The instant of a situation that states none. */
export const defaultNow = "2026-11-02T12:00:00Z"

/** The parts of a rule release that turn history into a snapshot. */
interface HistoryModel {
  readonly historyRecord: (action: Action, atMs: number) => HistoryRecord
  readonly baseline: BaselineSettings
}

/** A situation without a history is that of an organization's first request. */
export const snapshotBy = (
  { baseline, historyRecord }: HistoryModel,
  { request, history }: Situation
): BehaviorSnapshot => {
  const nowMs = Date.parse(history?.now ?? defaultNow)
  const earlier = (history?.earlier ?? []).flatMap((entry): ReadonlyArray<EarlierAssessment> => {
    const record = historyRecord(entry.request, Date.parse(entry.at))
    return instantsOf(entry).map((atMs) => ({ record, atMs }))
  })
  return naiveSnapshot(earlier, historyRecord(request, nowMs), nowMs, baseline)
}

/** A policy set, as far as it knows what tools do. */
export type Knowing = Pick<PolicySet, "catalogue">

/** `policies`: the set of the organization. What its catalogue knows counts in its history too. */
export const snapshotOf = (
  situation: Situation,
  { baseline, historyRecord }: Edition,
  policies: Knowing = {}
): BehaviorSnapshot =>
  snapshotBy(
    {
      baseline,
      historyRecord: (action, atMs) => historyRecord(action, undefined, knowledgeAt(policies, atMs))
    },
    situation
  )

/** One assessment of the past. */
export interface EarlierAssessment {
  readonly record: HistoryRecord
  readonly atMs: number
  /** Its review was closed `risk_rejected`: the assessment makes nothing familiar or usual. */
  readonly rejected?: boolean
}

type Rows = ReadonlyArray<EarlierAssessment>

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Velocity counts in slots of ten minutes: a window of 60 minutes starts at the start of a slot. */
const slotMs = hourMs / 6

const dayOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / dayMs)
const hourOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / hourMs)

const isEvidence = ({ rejected = false }: EarlierAssessment): boolean => !rejected

const countOf = <K>(rows: Rows, key: (row: EarlierAssessment) => K): number => new Set(rows.map(key)).size

const unitOf = (row: EarlierAssessment): string => `${dayOf(row)} ${row.record.canonicalForm}`

/** A unit is one distinct action on one day; it is represented by its first row. */
const unitsOf = (rows: Rows): Rows => [
  ...new Map(rows.toSorted((a, b) => b.atMs - a.atMs).map((row) => [unitOf(row), row])).values()
]

/** The smallest value that at least this share of the values does not exceed; null without values. */
const nearestRank = (values: ReadonlyArray<number>, percent: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? null

const statedOf = (rows: Rows, figure: (record: HistoryRecord) => number | null): ReadonlyArray<number> =>
  rows.map(({ record }) => figure(record)).filter((value) => value !== null)

const sumOf = (rows: Rows, figure: (record: HistoryRecord) => number): number =>
  Math.min(
    rows.reduce((sum, { record }) => sum + figure(record), 0),
    Number.MAX_SAFE_INTEGER
  )

const firstAtMs = (rows: Rows): number => Math.min(...rows.map(({ atMs }) => atMs))

/** Rounding before taking the median gives the rounded median, because rounding keeps the order of figures. */
const medianOf = (figures: ReadonlyArray<number>): number | null =>
  nearestRank(figures.map(firstTwoDigits), 50)

const isEstablished = (rows: Rows, nowMs: number, baseline: BaselineSettings): boolean =>
  countOf(rows, dayOf) >= baseline.establishedDaysMin &&
  nowMs - firstAtMs(rows) >= baseline.establishedHoursMin * hourMs

const destinationOf = (
  { earlierDays, units }: { readonly earlierDays: Rows; readonly units: Rows },
  key: string,
  nowMs: number,
  baseline: BaselineSettings
): NonNullable<BehaviorSnapshot["destination"]> => {
  const unitsHere = units.filter(({ record }) => record.destinationKey === key)
  const before = earlierDays.filter(({ record }) => record.destinationKey === key)
  const others = Map.groupBy(earlierDays, ({ record }) => record.destinationKey)
  return {
    days: countOf(unitsHere, dayOf),
    firstSeenHours: before.length === 0 ? 0 : Math.floor((nowMs - firstAtMs(before)) / hourMs),
    largestEntities: Math.max(0, ...statedOf(unitsHere, (record) => record.statedEntities)),
    largestUsdCents: Math.max(0, ...statedOf(unitsHere, (record) => record.statedUsdCents)),
    lookalike: [...others].some(
      ([other, rows]) =>
        other !== null && other !== key && isEstablished(rows, nowMs, baseline) && isLookalike(key, other)
    )
  }
}

/** The last hour, and the usual pace of the days before today: today's requests count towards the pace from tomorrow. */
const velocityOf = (window: Rows, earlierDays: Rows, nowMs: number): BehaviorSnapshot["velocity"] => {
  const perHour = [...Map.groupBy(earlierDays, hourOf).values()].map((rows) => rows.length)
  const sinceMs = Math.floor((nowMs - hourMs) / slotMs) * slotMs
  return {
    lastHour: window.filter(({ atMs }) => atMs >= sinceMs).length + 1,
    p95PerHour: nearestRank(perHour, 95),
    days: countOf(earlierDays, dayOf),
    hours: perHour.length
  }
}

/** The units of the same agent, or of the same pool of callers that name none, with a row in the last 24 hours, rounded to the hour, without the class `read`. */
const recentOf = (others: Rows, summedUnder: string, nowMs: number): Rows => {
  const sinceHour = hourOf({ atMs: nowMs - dayMs })
  const recentUnits = new Set(others.filter((row) => hourOf(row) >= sinceHour).map(unitOf))
  return unitsOf(others).filter(
    (unit) =>
      recentUnits.has(unitOf(unit)) &&
      unit.record.actionClass !== "read" &&
      unit.record.summedUnder === summedUnder
  )
}

/** The definition itself, over a list in memory: for cases, calibration and backtests. Storage must give the same. */
export const naiveSnapshot = (
  history: Rows,
  asked: HistoryRecord,
  nowMs: number,
  baseline: BaselineSettings
): BehaviorSnapshot => {
  const today = dayOf({ atMs: nowMs })
  const window = history.filter((row) => dayOf(row) > today - baseline.windowDays && row.atMs < nowMs)
  const earlierDays = window.filter((row) => dayOf(row) < today)
  // A repeated request is no evidence: the asked action on the same day counts in nothing except velocity's last hour.
  const others = window.filter(
    (row) => row.record.canonicalForm !== asked.canonicalForm || dayOf(row) !== today
  )
  const evidence = others.filter(isEvidence)
  const units = unitsOf(evidence)
  const entities = statedOf(units, (record) => record.statedEntities)
  const amounts = statedOf(
    units.filter(({ record }) => record.actionCategory === asked.actionCategory),
    (record) => record.statedUsdCents
  )
  // A rejected action may still have been carried out: it stays in the sums and in the pace, which only raise a score.
  const recent = recentOf(others, asked.summedUnder, nowMs)
  const { agentId, destinationKey } = asked
  return {
    takenAt: new Date(nowMs).toISOString(),
    windowDays: baseline.windowDays,
    sampleSize: units.length,
    entityVolume: { units: entities.length, median: medianOf(entities) },
    financialValue: { units: amounts.length, medianUsdCents: medianOf(amounts) },
    velocity: velocityOf(window, earlierDays, nowMs),
    destination:
      destinationKey === null
        ? null
        : destinationOf(
            { earlierDays: earlierDays.filter(isEvidence), units },
            destinationKey,
            nowMs,
            baseline
          ),
    actionTypeSeen: evidence.some(({ record }) => record.normalizedActionType === asked.normalizedActionType),
    agentSeen: agentId !== null && evidence.some(({ record }) => record.agentId === agentId),
    last24Hours: {
      entities: sumOf(recent, (record) => record.scoredEntities),
      usdCents: sumOf(recent, (record) => record.scoredUsdCents)
    }
  }
}
