import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { storageTotalMsMax } from "../../../src/limits.ts"
import { type EarlierAssessment, naiveSnapshot } from "../../../src/rules/cases/Situation.ts"
import { destinationSummedUnder, type HistoryRecord } from "../../../src/scoring/HistoryRecord.ts"
import { ReviewRecords } from "../../../src/storage/ReviewRecords.ts"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import { sha256 } from "../../../src/storage/sha256.ts"
import { TestSql } from "../../support/modeSql.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { scaled } from "../../support/depth.ts"
import { miscounted } from "../../support/recount.ts"
import type { BaselineSettings } from "../../../src/scoring/Numbers.ts"
import { baseline } from "../../support/baseline.ts"

/** The thresholds come from the release. With other thresholds each of them matters separately. */
const baselines = fc.record({
  windowDays: fc.constantFrom(30, 2),
  establishedDaysMin: fc.constantFrom(3, 2, 1),
  establishedHoursMin: fc.constantFrom(24, 1, 50),
  evidenceHoursMin: fc.constantFrom(1, 24, 24, 5),
  velocityDaysMin: fc.constantFrom(1, 2),
  velocityHoursMin: fc.constantFrom(1, 3),
  counterDigitsMax: fc.constantFrom(1, 3)
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Times around every boundary of the definitions: now, the hour, the day before, midnight, the window's end. */
const agoMs = fc.oneof(
  fc.integer({ min: 1, max: 2 * hour }),
  fc.integer({ min: 23 * hour, max: 25 * hour }),
  fc.integer({ min: 1, max: 4 * day }),
  fc.integer({ min: 29 * day, max: 31 * day })
)

const destinations = [
  null,
  "acme.example",
  "acne.example",
  "acme.exampl",
  "other.example",
  "ännchen.example",
  // Places from above, as a reader sees them.
  "acme\u200b.example",
  "acme example",
  "annchen-example"
]

const record: fc.Arbitrary<HistoryRecord> = fc
  .record({
    normalizedActionType: fc.constantFrom("customer.read", "customer.update", "invoice.pay"),
    actionClass: fc.constantFrom("read", "write", "transact"),
    actionCategory: fc.constantFrom("data", "financial"),
    production: fc.oneof(
      { weight: 3, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) }
    ),
    agentId: fc.constantFrom(null, "a", "b"),
    summedUnder: fc.constantFrom("", " crm", " billing", "a", "b"),
    destinationKey: fc.constantFrom(...destinations),
    statedEntities: fc.option(fc.oneof(fc.nat(20), fc.maxSafeNat())),
    statedUsdCents: fc.option(fc.oneof(fc.nat(20), fc.maxSafeNat())),
    scoredEntities: fc.oneof(fc.nat(20), fc.maxSafeNat()),
    scoredUsdCents: fc.oneof(fc.nat(20), fc.maxSafeNat()),
    canonicalForm: fc.constantFrom("a", "b", "c", "d", "e", "f")
  })
  .map((fields): HistoryRecord => ({
    ...fields,
    changes: fields.actionClass !== "read",
    destinationSummedUnder: destinationSummedUnder(fields.destinationKey)
  }))

/**
 * A few actions, each with figures of its own, when they were assessed, and which of them a person rejected once how many
 * more statements had been written; the first is the one asked about.
 */
const pasts = fc
  .uniqueArray(record, { selector: ({ canonicalForm }) => canonicalForm, minLength: 1, maxLength: 6 })
  .chain((records) =>
    fc.record({
      asked: fc.constant(records[0]).filter((first) => first !== undefined),
      history: fc.array(
        fc.record({
          record: fc.constantFrom(...records),
          agoMs,
          rejectedAfter: fc.option(fc.nat(3), { freq: 2 })
        }),
        { maxLength: 40, size: "max" }
      )
    })
  )

interface Past {
  readonly record: HistoryRecord
  readonly agoMs: number
  readonly rejectedAfter?: number | null
}

/** Writes assessments at level high, so that they can be rejected. Returns their ids. */
const insertHistory = Effect.fnUntraced(function* (
  organizationId: string,
  rows: ReadonlyArray<EarlierAssessment>
) {
  const sql = yield* TestSql
  const batch = rows.map(({ atMs, record }) => ({
    owner: { organizationId, mode: "test" as const },
    record: assessmentRecord(0, {
      createdAtMicros: atMs * 1_000,
      level: "high",
      history: record,
      fingerprint: sha256(record.canonicalForm)
    })
  }))
  yield* sql.unsafe(writeStatement, writeParameters(batch))
  return batch.map(({ record }) => record.assessmentId)
})

const reject = Effect.fnUntraced(function* (organizationId: string, assessmentId: string) {
  const { close } = yield* ReviewRecords
  yield* close({ organizationId, mode: "test" }, assessmentId, {
    outcome: "risk_rejected",
    note: null,
    by: { keyId: randomUUID(), name: null },
    environments: null
  })
})

const readSnapshot = Effect.fnUntraced(function* (
  organizationId: string,
  asked: HistoryRecord,
  settings: BaselineSettings = baseline
) {
  const snapshots = yield* BehaviorSnapshots
  const question = {
    organizationId,
    mode: "test" as const,
    record: asked,
    fingerprint: sha256(asked.canonicalForm),
    baseline: settings
  }
  return yield* snapshots.read(question, storageTotalMsMax)
})

/** The snapshot agrees with its definition, however the history was split into statements, and whenever an assessment was rejected. */
const agrees = Effect.fnUntraced(function* (
  history: ReadonlyArray<Past>,
  asked: HistoryRecord,
  settings: BaselineSettings = baseline,
  together = history.length
) {
  const organizationId = randomUUID()
  const nowMs = Date.now()
  const inOrder = history
    .map(({ agoMs, record, rejectedAfter = null }) => ({ record, atMs: nowMs - agoMs, rejectedAfter }))
    .toSorted((a, b) => a.atMs - b.atMs)
  const written: Array<EarlierAssessment> = []
  const due: Array<{ readonly place: number; readonly id: string; readonly at: number }> = []
  const holds = Effect.fnUntraced(function* () {
    const { atMicros, snapshot } = yield* readSnapshot(organizationId, asked, settings)
    expect(snapshot).toEqual(naiveSnapshot(written, asked, atMicros / 1_000, settings))
  })
  const rejectThoseOf = Effect.fnUntraced(function* (isDue: (at: number) => boolean) {
    for (const { id, place } of due.filter(({ at }) => isDue(at))) {
      yield* reject(organizationId, id)
      const row = written[place]
      if (row !== undefined) written[place] = { ...row, rejected: true }
    }
  })
  for (let from = 0; from < inOrder.length; from += together) {
    const rows = inOrder.slice(from, from + together)
    const ids = yield* insertHistory(organizationId, rows)
    for (const [i, { rejectedAfter, ...row }] of rows.entries()) {
      const id = ids[i]
      if (rejectedAfter !== null && id !== undefined)
        due.push({ place: written.length, id, at: from + rejectedAfter * together })
      written.push(row)
    }
    yield* rejectThoseOf((at) => at === from)
  }
  // From here on the cached window is outdated by later rejections.
  yield* holds()
  yield* rejectThoseOf((at) => at >= inOrder.length)
  yield* holds()
})

const stores = Layer.mergeAll(BehaviorSnapshots.layer, ReviewRecords.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(stores)("BehaviorSnapshots", (it) => {
  it.effect("the statement agrees with the definitions, on any history", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<BehaviorSnapshots | ReviewRecords | TestSql>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(pasts, baselines, fc.integer({ min: 1, max: 20 }), ({ asked, history }, ...how) =>
            Effect.runPromiseWith(services)(agrees(history, asked, ...how))
          ),
          { numRuns: scaled(60, 2_000) }
        )
      )
      expect(yield* miscounted(yield* TestSql)).toEqual([])
    })
  )

  it.effect("the 95th percentile of many hours is the nearest rank", () =>
    Effect.gen(function* () {
      const [asked] = fc.sample(record, 1)
      if (asked === undefined) return
      for (const hours of [1, 19, 20, 21, 100, 101]) {
        const history = Array.from({ length: hours }, (_, index) =>
          Array.from({ length: 1 + (index % 7) }, () => ({
            record: { ...asked, canonicalForm: `${index % 3}` },
            agoMs: (index + 1) * 5 * hour + 1
          }))
        ).flat()
        yield* agrees(history, asked)
      }
    })
  )

  it.effect("where the figures of one unit differ, those of its first assessment count", () =>
    Effect.gen(function* () {
      const [asked] = fc.sample(record, 1)
      if (asked === undefined) return
      const organizationId = randomUUID()
      const unit = { ...asked, canonicalForm: "other", actionClass: "write" } as const
      for (const [place, statedEntities] of [3, 7, 5].entries()) {
        const atMs = Date.UTC(2026, 0, 1) + place
        yield* insertHistory(organizationId, [{ record: { ...unit, statedEntities }, atMs }])
      }
      const { snapshot } = yield* readSnapshot(organizationId, asked, { ...baseline, windowDays: 100_000 })
      expect(snapshot).toMatchObject({ sampleSize: 1, entityVolume: { units: 1, median: 3 } })
    })
  )

  it.effect(
    "another action of today is seen in addition to the action's own, also where one of them changes nothing",
    () =>
      Effect.gen(function* () {
        const [asked] = fc.sample(record, 1)
        if (asked === undefined) return
        const own: HistoryRecord = { ...asked, actionClass: "read", changes: false, canonicalForm: "own" }
        const other: HistoryRecord = { ...own, actionClass: "write", changes: true, canonicalForm: "other" }
        const organizationId = randomUUID()
        const today = Date.now()
        for (const each of [own, other]) {
          yield* insertHistory(organizationId, [{ record: each, atMs: today }])
          const seen = { units: each === own ? 0 : 1, actionTypeSeen: each === other }
          const { today: alone } = (yield* readSnapshot(organizationId, own)).snapshot
          expect(alone).toMatchObject(seen)
          const together = yield* Effect.all(
            [own, own].map((one) => readSnapshot(organizationId, one)),
            {
              concurrency: "unbounded"
            }
          )
          for (const { snapshot } of together) expect(snapshot.today).toMatchObject(seen)
        }
      })
  )

  it.effect("an empty history is a snapshot, not a failure", () =>
    Effect.gen(function* () {
      const asked = fc.sample(record, 1)[0]
      if (asked === undefined) return
      const { snapshot } = yield* readSnapshot(randomUUID(), asked)
      expect(snapshot).toMatchObject({
        sampleSize: 0,
        entityVolume: { units: 0, median: null },
        velocity: { lastHour: 1, p95PerHour: null },
        last24Hours: { entities: 0, usdCents: 0 },
        usualDay: { days: 0, entities: 0, usdCents: 0 },
        today: { units: 0 }
      })
    })
  )
})
