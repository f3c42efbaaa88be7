import { describe, expect, it } from "vitest"
import { type EarlierAssessment, naiveSnapshot } from "../../../src/rules/cases/Situation.ts"
import type { HistoryRecord } from "../../../src/scoring/HistoryRecord.ts"
import { baseline } from "../../support/baseline.ts"

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
    changes: true,
    agentId: "agent-7",
    destinationKey: "partner.example",
    destinationSummedUnder: "partnerexample",
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
      last24Hours: { entities: 0, usdCents: 0 },
      otherSums: { destination: { entities: 0, usdCents: 0 }, organization: { entities: 0, usdCents: 0 } },
      usualDay: { days: 0, entities: 0, usdCents: 0 },
      today: { units: 0, actionTypeSeen: false, destinationSeen: false }
    })
  })

  it("counts an action once a day, however often it was assessed", () => {
    const { sampleSize, today } = snapshot(ago(minute), ago(2 * minute), ago(day), ago(day + minute))
    expect([sampleSize, today?.units]).toEqual([1, 1])
  })

  it("takes nothing of the day itself for evidence, and reports it apart", () => {
    const today = snapshot(ago(minute))
    expect([today.sampleSize, today.agentSeen, today.actionTypeSeen, today.destination?.days]).toEqual([
      0,
      false,
      false,
      0
    ])
    expect(today.today).toEqual({ units: 1, actionTypeSeen: true, destinationSeen: true })
    expect(today.velocity).toEqual({ lastHour: 2, p95PerHour: null, days: 0, hours: 0 })
    expect(snapshot(ago(day)).sampleSize).toBe(1)
  })

  it("leaves the asked action of the day itself out of the report, and of nothing on other days", () => {
    const own = { canonicalForm: "asked" }
    expect(snapshot(ago(minute, own)).today).toEqual({
      units: 0,
      actionTypeSeen: false,
      destinationSeen: false
    })
    expect(snapshot(ago(day, own)).sampleSize).toBe(1)
  })

  it("knows nothing of other environments than production's, and production nothing of those", () => {
    const sandbox = { production: false }
    expect(snapshot(ago(day, sandbox), ago(minute, sandbox))).toEqual(snapshot())
    const asking = naiveSnapshot([ago(day), ago(day, sandbox)], record(sandbox), now, baseline)
    expect(asking.sampleSize).toBe(1)
  })

  it("begins with the first whole day of the last 30 and ends before now", () => {
    const sinceMidnight = now % day
    expect(snapshot(ago(29 * day + sinceMidnight)).sampleSize).toBe(1)
    expect(snapshot(ago(0)).today?.units).toBe(0)
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

  it("sums the last 24 hours as scored, identical questions each time, reads left out", () => {
    const { last24Hours, otherSums } = snapshot(
      ago(hour, { scoredEntities: 5, scoredUsdCents: 50 }),
      ago(hour, { scoredEntities: 5, scoredUsdCents: 50 }),
      ago(hour, { scoredEntities: 1_000, summedUnder: "agent-8" }),
      ago(hour, {
        scoredEntities: 10_000,
        summedUnder: "agent-9",
        destinationKey: null,
        destinationSummedUnder: null
      }),
      ago(hour, { scoredEntities: 20_000, summedUnder: "agent-9", destinationKey: "partner. example" }),
      ago(2 * hour, { scoredEntities: 7 }),
      ago(3 * hour, { scoredEntities: 100, actionClass: "read" }),
      ago(4 * hour, { scoredEntities: 100, agentId: null, summedUnder: "" }),
      ago(day + 1, { scoredEntities: 100 })
    )
    expect(last24Hours).toEqual({ entities: 17, usdCents: 100 })
    expect(otherSums).toEqual({
      destination: { entities: 21_117, usdCents: 100 },
      organization: { entities: 31_117, usdCents: 100 }
    })
  })

  it("takes the median of the days before today for the usual day", () => {
    const days = [1, 2, 3, 4].flatMap((days) =>
      [1, 2].map(() => ago(days * day, { scoredEntities: 10 ** days, scoredUsdCents: days }))
    )
    expect(snapshot(...days, ago(minute)).usualDay).toEqual({ days: 4, entities: 200, usdCents: 4 })
  })
})
