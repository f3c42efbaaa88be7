/** A request with its history, and the behaviour snapshot that it gives by definition (scoring.md §6). */

import type { Action } from "../../domain/Action.ts"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import { historyRecord, type HistoryRecord } from "../../scoring/HistoryRecord.ts"
import type { Model, Numbers } from "../../scoring/Model.ts"
import { firstTwoDigits } from "../../scoring/arithmetic.ts"
import { isLookalike } from "../../scoring/lookalike.ts"
import { instantsOf, type SituationFile } from "../files/caseFiles.ts"

export type Situation = typeof SituationFile.Type

const defaultNow = "2026-11-02T12:00:00Z"

/** How a rule release reads history: what an action contributes to it, and the thresholds of its snapshot. */
interface HistoryModel {
  readonly historyRecord: (action: Action) => HistoryRecord
  readonly baseline: BaselineSettings
}

/** Without a history: an organization that has never asked before. */
export const snapshotBy = (
  { baseline, historyRecord }: HistoryModel,
  { request, history }: Situation
): BehaviorSnapshot => {
  const nowMs = Date.parse(history?.now ?? defaultNow)
  const earlier = (history?.earlier ?? []).flatMap((entry): ReadonlyArray<EarlierAssessment> => {
    const record = historyRecord(entry.request)
    return instantsOf(entry).map((atMs) => ({ record, atMs }))
  })
  return naiveSnapshot(earlier, historyRecord(request), nowMs, baseline)
}

export const snapshotOf = (situation: Situation, model: Model): BehaviorSnapshot =>
  snapshotBy(
    { historyRecord: (action) => historyRecord(action, model), baseline: model.numbers.behavior },
    situation
  )

/**
 * The behaviour snapshot by its definition (scoring.md §6), over a list in memory: for cases, calibration and backtests.
 * One assessment of the past.
 */
export interface EarlierAssessment {
  readonly record: HistoryRecord
  readonly atMs: number
  /** Whether its review was closed `risk_rejected`: such a one makes nothing familiar or usual. */
  readonly rejected?: boolean
}

type BaselineSettings = Pick<Numbers["behavior"], "windowDays" | "establishedDaysMin" | "establishedHoursMin">

type Rows = ReadonlyArray<EarlierAssessment>

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How finely the pace of an hour is known: a window of 60 minutes begins with the ten minutes that it begins in. */
const slotMs = hourMs / 6

const dayOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / dayMs)
const hourOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / hourMs)

const isEvidence = ({ rejected = false }: EarlierAssessment): boolean => !rejected

const countOf = <K>(rows: Rows, key: (row: EarlierAssessment) => K): number => new Set(rows.map(key)).size

const unitOf = (row: EarlierAssessment): string => `${dayOf(row)} ${row.record.canonicalForm}`

/** Distinct actions on a day: the first row of each. */
const unitsOf = (rows: Rows): Rows => [
  ...new Map(rows.toSorted((a, b) => b.atMs - a.atMs).map((row) => [unitOf(row), row])).values()
]

/** The smallest value that at least this share of them does not exceed; null of none. */
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

/** Rounding loses nothing that a median of rounded figures could show: the order of figures stays. */
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
  const there = units.filter(({ record }) => record.destinationKey === key)
  const before = earlierDays.filter(({ record }) => record.destinationKey === key)
  const others = Map.groupBy(earlierDays, ({ record }) => record.destinationKey)
  return {
    days: countOf(there, dayOf),
    firstSeenHours: before.length === 0 ? 0 : Math.floor((nowMs - firstAtMs(before)) / hourMs),
    largestEntities: Math.max(0, ...statedOf(there, (record) => record.statedEntities)),
    largestUsdCents: Math.max(0, ...statedOf(there, (record) => record.statedUsdCents)),
    lookalike: [...others].some(
      ([other, rows]) =>
        other !== null && other !== key && isEstablished(rows, nowMs, baseline) && isLookalike(key, other)
    )
  }
}

/** The pace of the days before today: what today does to it, whoever repeats what, begins to count tomorrow. */
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

/** Units that were last assessed within 24 hours, to the hour, of the same agent, classes other than read. */
const recentOf = (others: Rows, agentId: string | null, nowMs: number): Rows => {
  const sinceHour = hourOf({ atMs: nowMs - dayMs })
  const awake = new Set(others.filter((row) => hourOf(row) >= sinceHour).map(unitOf))
  return unitsOf(others).filter(
    (unit) => awake.has(unitOf(unit)) && unit.record.actionClass !== "read" && unit.record.agentId === agentId
  )
}

export const naiveSnapshot = (
  history: Rows,
  asked: HistoryRecord,
  nowMs: number,
  baseline: BaselineSettings
): BehaviorSnapshot => {
  const today = dayOf({ atMs: nowMs })
  const window = history.filter((row) => dayOf(row) > today - baseline.windowDays && row.atMs < nowMs)
  const earlierDays = window.filter((row) => dayOf(row) < today)
  // Repeating a question is no evidence: the asked action on its own day is left out of everything but velocity's last hour.
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
  // What was rejected may have been done all the same: it stays in the sums and in the pace, which only raise.
  const recent = recentOf(others, asked.agentId, nowMs)
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
