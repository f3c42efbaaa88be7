import { describe, expect, it } from "vitest"
import { type EarlierAssessment, naiveSnapshot } from "../../../src/rules/cases/Situation.ts"
import type { HistoryRecord } from "../../../src/scoring/HistoryRecord.ts"

const baseline = { windowDays: 30, establishedDaysMin: 3, establishedHoursMin: 24 }
const now = Date.parse("2026-11-02T12:00:00Z")
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const record = (differing: Partial<HistoryRecord> = {}): HistoryRecord => {
  const stated = {
    normalizedActionType: "customer.export",
    actionClass: "export" as const,
    actionCategory: "data" as const,
    production: true,
    agentId: "agent-7",
    destinationKey: "partner.example",
    statedEntities: 10,
    statedUsdCents: null,
    summedUnder: "agent-7",
    scoredEntities: 10,
    scoredUsdCents: 0,
    ...differing
  }
  return { ...stated, canonicalForm: differing.canonicalForm ?? JSON.stringify(stated) }
}

const ago = (ms: number, differing: Partial<HistoryRecord> = {}): EarlierAssessment => ({
  record: record(differing),
  atMs: now - ms
})

const asked = record({ canonicalForm: "asked" })
const snapshot = (...history: ReadonlyArray<EarlierAssessment>) =>
  naiveSnapshot(history, asked, now, baseline)

describe("the snapshot by definition", () => {
  it("of an organization without assessments is empty", () => {
    expect(snapshot()).toEqual({
      takenAt: "2026-11-02T12:00:00.000Z",
      windowDays: 30,
      sampleSize: 0,
      entityVolume: { units: 0, median: null },
      financialValue: { units: 0, medianUsdCents: null },
      velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
      destination: { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false },
      actionTypeSeen: false,
      agentSeen: false,
      last24Hours: { entities: 0, usdCents: 0 }
    })
  })

  it("counts an action once a day, however often it was assessed", () => {
    const { sampleSize } = snapshot(ago(minute), ago(2 * minute), ago(3 * minute), ago(day))
    expect(sampleSize).toBe(2)
  })

  it("leaves out the asked action on its own day, and counts it on others", () => {
    const own = { canonicalForm: "asked" }
    const today = snapshot(ago(minute, own))
    expect([today.sampleSize, today.agentSeen, today.actionTypeSeen, today.destination?.days]).toEqual([
      0,
      false,
      false,
      0
    ])
    expect(today.velocity).toEqual({ lastHour: 2, p95PerHour: null, days: 0, hours: 0 })
    expect(snapshot(ago(day, own)).sampleSize).toBe(1)
  })

  it("begins with the first whole day of the last 30 and ends before now", () => {
    const sinceMidnight = now % day
    expect(snapshot(ago(29 * day + sinceMidnight), ago(0)).sampleSize).toBe(1)
    expect(snapshot(ago(29 * day + sinceMidnight + 1)).sampleSize).toBe(0)
  })

  it("takes the lower median of stated figures, values within the category", () => {
    const paid = (value: number) => ({
      actionCategory: "data" as const,
      statedUsdCents: value,
      statedEntities: null
    })
    const { entityVolume, financialValue } = snapshot(
      ago(day, { statedEntities: 4 }),
      ago(day, { statedEntities: 1 }),
      ago(day, { statedEntities: 9 }),
      ago(day, { statedEntities: 7 }),
      ago(day, paid(300)),
      ago(day, paid(200)),
      ago(day, { statedEntities: null, actionCategory: "financial", statedUsdCents: 100 })
    )
    expect(entityVolume).toEqual({ units: 4, median: 4 })
    expect(financialValue).toEqual({ units: 2, medianUsdCents: 200 })
  })

  it("takes velocity over clock hours, by nearest rank", () => {
    const hours = Array.from({ length: 20 }, (_, i) => i + 1)
    const history = hours.flatMap((count) =>
      Array.from({ length: count }, (_, i) => ago(count * day - i * minute))
    )
    expect(snapshot(...history).velocity).toMatchObject({ p95PerHour: 19, hours: 20, days: 20, lastHour: 1 })
  })

  it("knows an established destination and its look-alike", () => {
    const there = [1, 2, 3].map((days) =>
      ago(days * day, { destinationKey: "partner.exarnple", statedUsdCents: days })
    )
    expect(snapshot(...there).destination).toMatchObject({ days: 0, lookalike: true })
    expect(snapshot(...there.slice(0, 2)).destination?.lookalike).toBe(false)
    const own = [1, 2, 3].map((days) => ago(days * day, { statedEntities: days, statedUsdCents: 5 * days }))
    expect(snapshot(...own).destination).toEqual({
      days: 3,
      firstSeenHours: 72,
      largestEntities: 3,
      largestUsdCents: 15,
      lookalike: false
    })
  })

  it("sums the last 24 hours of one agent as scored, reads left out", () => {
    const { last24Hours } = snapshot(
      ago(hour, { scoredEntities: 5, scoredUsdCents: 50 }),
      ago(2 * hour, { scoredEntities: 7 }),
      ago(3 * hour, { scoredEntities: 100, actionClass: "read" }),
      ago(4 * hour, { scoredEntities: 100, agentId: null, summedUnder: "" }),
      ago(day + 1, { scoredEntities: 100 })
    )
    expect(last24Hours).toEqual({ entities: 12, usdCents: 50 })
  })
})
