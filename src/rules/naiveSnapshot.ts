/** The behaviour snapshot by its definition (scoring.md §6), over a list in memory: for cases, calibration and backtests. */

import type { BehaviorSnapshot } from "../domain/Behavior.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import { imitates } from "../scoring/imitates.ts"
import type { Numbers } from "../scoring/Model.ts"

/** One assessment of the past. */
export interface Earlier {
  readonly record: HistoryRecord
  readonly atMs: number
}

export type Baseline = Pick<Numbers["behavior"], "windowDays" | "establishedDaysMin" | "establishedHoursMin">

type Rows = ReadonlyArray<Earlier>

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const dayOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / dayMs)
const hourOf = ({ atMs }: { readonly atMs: number }): number => Math.floor(atMs / hourMs)

const countOf = <K>(rows: Rows, key: (row: Earlier) => K): number => new Set(rows.map(key)).size

/** Distinct actions on a day: one row each. Equal canonical forms have equal figures under one release. */
const unitsOf = (rows: Rows): Rows => [
  ...new Map(rows.map((row) => [`${dayOf(row)} ${row.record.canonicalForm}`, row])).values()
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

const ageMs = (rows: Rows, nowMs: number): number =>
  rows.length === 0 ? 0 : nowMs - Math.min(...rows.map(({ atMs }) => atMs))

const isEstablished = (rows: Rows, nowMs: number, baseline: Baseline): boolean =>
  countOf(rows, dayOf) >= baseline.establishedDaysMin &&
  ageMs(rows, nowMs) >= baseline.establishedHoursMin * hourMs

const destinationOf = (
  others: Rows,
  key: string,
  nowMs: number,
  baseline: Baseline
): NonNullable<BehaviorSnapshot["destination"]> => {
  const byKey = Map.groupBy(others, ({ record }) => record.destinationKey)
  const there = byKey.get(key) ?? []
  return {
    days: countOf(there, dayOf),
    firstSeenHours: Math.floor(ageMs(there, nowMs) / hourMs),
    largestEntities: Math.max(0, ...statedOf(there, (record) => record.statedEntities)),
    largestUsdCents: Math.max(0, ...statedOf(there, (record) => record.statedUsdCents)),
    lookalike: [...byKey].some(
      ([other, rows]) =>
        other !== null && other !== key && isEstablished(rows, nowMs, baseline) && imitates(key, other)
    )
  }
}

export const naiveSnapshot = (
  history: Rows,
  asked: HistoryRecord,
  nowMs: number,
  baseline: Baseline
): BehaviorSnapshot => {
  const window = history.filter(({ atMs }) => atMs >= nowMs - baseline.windowDays * dayMs && atMs < nowMs)
  // Repeating a question is no evidence: the asked action on its own day is left out of everything but velocity's last hour.
  const others = window.filter(
    (row) => row.record.canonicalForm !== asked.canonicalForm || dayOf(row) !== dayOf({ atMs: nowMs })
  )
  const units = unitsOf(others)
  const entities = statedOf(units, (record) => record.statedEntities)
  const amounts = statedOf(
    units.filter(({ record }) => record.actionCategory === asked.actionCategory),
    (record) => record.statedUsdCents
  )
  const perHour = [...Map.groupBy(others, hourOf).values()].map((rows) => rows.length)
  const recent = unitsOf(
    others.filter(
      ({ atMs, record }) =>
        atMs >= nowMs - dayMs && record.actionClass !== "read" && record.agentId === asked.agentId
    )
  )
  return {
    takenAt: new Date(nowMs).toISOString(),
    windowDays: baseline.windowDays,
    sampleSize: units.length,
    entityVolume: { units: entities.length, median: nearestRank(entities, 50) },
    financialValue: { units: amounts.length, medianUsdCents: nearestRank(amounts, 50) },
    velocity: {
      lastHour: window.filter(({ atMs }) => atMs >= nowMs - hourMs).length + 1,
      p95PerHour: nearestRank(perHour, 95),
      days: countOf(others, dayOf),
      hours: perHour.length
    },
    destination:
      asked.destinationKey === null ? null : destinationOf(others, asked.destinationKey, nowMs, baseline),
    actionTypeSeen: others.some(({ record }) => record.normalizedActionType === asked.normalizedActionType),
    agentSeen: asked.agentId !== null && others.some(({ record }) => record.agentId === asked.agentId),
    last24Hours: {
      entities: sumOf(recent, (record) => record.scoredEntities),
      usdCents: sumOf(recent, (record) => record.scoredUsdCents)
    }
  }
}
