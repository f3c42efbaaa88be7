import { expect, layer } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { fold } from "../../src/storage/assessmentRecords/fold.ts"
import { sha256 } from "../../src/assessment/sha256.ts"
import { type Earlier, naiveSnapshot } from "../../src/rules/naiveSnapshot.ts"
import type { HistoryRecord } from "../../src/scoring/HistoryRecord.ts"
import type { Baseline } from "../../src/storage/behaviorSnapshots/past.ts"
import { BehaviorSnapshots } from "../../src/storage/BehaviorSnapshots.ts"
import { TestSql } from "../../src/storage/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const released: Baseline = { windowDays: 30, establishedDaysMin: 3, establishedHoursMin: 24 }
/** Thresholds come from the release; with other ones each of them matters on its own. */
const baselines = fc.record({
  windowDays: fc.constantFrom(30, 2),
  establishedDaysMin: fc.constantFrom(3, 2, 1),
  establishedHoursMin: fc.constantFrom(24, 1, 50)
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Around every edge that a definition has: now, the hour, the day before, midnight, the window's end. */
const agoMs = fc.oneof(
  fc.integer({ min: 1, max: 2 * hour }),
  fc.integer({ min: 23 * hour, max: 25 * hour }),
  fc.integer({ min: 1, max: 4 * day }),
  fc.integer({ min: 29 * day, max: 31 * day })
)

const destinations = [null, "acme.example", "acne.example", "acme.exampl", "other.example", "ännchen.example"]

const record: fc.Arbitrary<HistoryRecord> = fc
  .record({
    normalizedActionType: fc.constantFrom("customer.read", "customer.update", "invoice.pay"),
    actionClass: fc.constantFrom("read", "write", "transact"),
    actionCategory: fc.constantFrom("data", "financial"),
    agentId: fc.constantFrom(null, "a", "b"),
    destinationKey: fc.constantFrom(...destinations),
    statedEntities: fc.option(fc.oneof(fc.nat(20), fc.maxSafeNat())),
    statedUsdCents: fc.option(fc.oneof(fc.nat(20), fc.maxSafeNat())),
    scoredEntities: fc.oneof(fc.nat(20), fc.maxSafeNat()),
    scoredUsdCents: fc.oneof(fc.nat(20), fc.maxSafeNat()),
    canonicalForm: fc.constantFrom("a", "b", "c", "d", "e", "f")
  })
  .map((fields): HistoryRecord => fields)

/** A few actions, each with figures of its own, and when they were assessed; the first is the one asked about. */
const pasts = fc
  .uniqueArray(record, { selector: ({ canonicalForm }) => canonicalForm, minLength: 1, maxLength: 6 })
  .chain((records) =>
    fc.record({
      asked: fc.constant(records[0]).filter((first) => first !== undefined),
      history: fc.array(fc.record({ record: fc.constantFrom(...records), agoMs }), { maxLength: 60 })
    })
  )

const insertHistory = Effect.fnUntraced(function* (organizationId: string, rows: ReadonlyArray<Earlier>) {
  const sql = yield* TestSql
  if (!Arr.isReadonlyArrayNonEmpty(rows)) return
  yield* sql`WITH fresh AS (INSERT INTO history ${sql.insert(
    Arr.map(rows, ({ atMs, record }) => ({
      organization_id: organizationId,
      created_at: new Date(atMs),
      assessment_id: randomUUID(),
      fingerprint: sha256(record.canonicalForm),
      normalized_action_type: record.normalizedActionType,
      action_category: record.actionCategory,
      action_class: record.actionClass,
      agent_id: record.agentId,
      destination_key: record.destinationKey,
      stated_entities: record.statedEntities,
      stated_usd_cents: record.statedUsdCents,
      scored_entities: record.scoredEntities,
      scored_usd_cents: record.scoredUsdCents
    }))
  )} RETURNING *), ${sql.literal(fold)} SELECT`
})

const readSnapshot = Effect.fnUntraced(function* (
  organizationId: string,
  asked: HistoryRecord,
  baseline: Baseline = released
) {
  const snapshots = yield* BehaviorSnapshots
  return yield* snapshots.read({
    organizationId,
    mode: "test",
    record: asked,
    fingerprint: sha256(asked.canonicalForm),
    baseline
  })
})

const agrees = Effect.fnUntraced(function* (
  history: ReadonlyArray<{ readonly record: HistoryRecord; readonly agoMs: number }>,
  asked: HistoryRecord,
  baseline: Baseline = released,
  together = history.length
) {
  const organizationId = randomUUID()
  const nowMs = Date.now()
  const rows = history.map(({ agoMs, record }) => ({ record, atMs: nowMs - agoMs }))
  // However the past was cut into statements, the same past was written.
  const inOrder = rows.toSorted((a, b) => a.atMs - b.atMs)
  for (let from = 0; from < inOrder.length; from += together) {
    yield* insertHistory(organizationId, inOrder.slice(from, from + together))
  }
  const { atMicros, snapshot } = yield* readSnapshot(organizationId, asked, baseline)
  expect(snapshot).toEqual(naiveSnapshot(rows, asked, atMicros / 1_000, baseline))
})

const stores = BehaviorSnapshots.layer.pipe(Layer.provideMerge(TestDatabase.layer))

layer(stores)("BehaviorSnapshots", (it) => {
  it.effect("the statement agrees with the definitions, on any history", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<BehaviorSnapshots | TestSql>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(pasts, baselines, fc.integer({ min: 1, max: 60 }), ({ asked, history }, ...how) =>
            Effect.runPromiseWith(services)(agrees(history, asked, ...how))
          ),
          { numRuns: 250 }
        )
      )
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
      const { snapshot } = yield* readSnapshot(organizationId, asked, { ...released, windowDays: 100_000 })
      expect(snapshot).toMatchObject({ sampleSize: 1, entityVolume: { units: 1, median: 3 } })
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
        last24Hours: { entities: 0, usdCents: 0 }
      })
    })
  )
})
