import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { storageTotalMsMax } from "../../../src/limits.ts"
import type { HistoryRecord } from "../../../src/scoring/HistoryRecord.ts"
import { ReviewRecords } from "../../../src/storage/ReviewRecords.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import { withdraw } from "../../../src/storage/behavior/baselineTables.ts"
import { sha256 } from "../../../src/storage/sha256.ts"
import { sqlLayer, TestSql } from "../../support/modeSql.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord, type Overrides } from "../../support/assessmentRecord.ts"
import { randomFrom } from "../../support/clients.ts"
import { scaled, seed } from "../../support/depth.ts"
import { miscounted } from "../../support/recount.ts"
import { baseline } from "../../support/baseline.ts"

const ownerOf = (): Owner => ({ organizationId: randomUUID(), mode: "test" })
const settings = { ...baseline, windowDays: 100_000, establishedDaysMin: 1, establishedHoursMin: 1 }
const noon = Date.UTC(2026, 0, 15, 12)
const hour = 3_600_000

const write = Effect.fnUntraced(function* (
  owner: Owner,
  unit: number,
  atMs: number,
  overrides: Overrides = {}
) {
  const record = assessmentRecord(unit, { createdAtMicros: atMs * 1_000, level: "critical", ...overrides })
  yield* (yield* TestSql).unsafe(writeStatement, writeParameters([{ owner, record }]))
  return record
})

const reject = Effect.fnUntraced(function* (owner: Owner, assessmentId: string) {
  yield* (yield* ReviewRecords).close(owner, assessmentId, {
    outcome: "risk_rejected",
    note: null,
    by: { keyId: randomUUID(), name: null },
    environments: null
  })
})

const snapshotOf = Effect.fnUntraced(function* (owner: Owner, asked: HistoryRecord) {
  const question = { ...owner, record: asked, fingerprint: sha256(asked.canonicalForm), baseline: settings }
  return (yield* (yield* BehaviorSnapshots).read(question, storageTotalMsMax)).snapshot
})

const agentOf = (unit: number): HistoryRecord => ({
  ...assessmentRecord(unit).history,
  canonicalForm: "another question"
})

layer(
  Layer.mergeAll(BehaviorSnapshots.layer, ReviewRecords.layer).pipe(Layer.provideMerge(TestDatabase.layer)),
  { excludeTestServices: true }
)("an assessment rejected in review", (it) => {
  it.effect(`by replicas that write and reject at once leaves every count exact; seed ${seed}`, () =>
    Effect.gen(function* () {
      const random = randomFrom(seed)
      const owners = [ownerOf(), ownerOf()]
      const toReject: Array<{ readonly owner: Owner; readonly assessmentId: string }> = []
      const writer = Effect.gen(function* () {
        const sql = yield* TestSql
        for (let round = 0; round < scaled(25, 500); round++) {
          const batch = Array.from({ length: 24 }, (_, i) => ({
            owner: owners[i % 2] ?? ownerOf(),
            record: assessmentRecord(Math.floor(random() * 12), {
              createdAtMicros: (noon + Math.floor(random() * 3) * 10 * hour) * 1_000,
              level: "high"
            })
          }))
          yield* sql.unsafe(writeStatement, writeParameters(batch))
          for (const { owner, record } of batch)
            if (random() < 0.4) toReject.push({ owner, assessmentId: record.assessmentId })
        }
      })
      let rejections = 0
      const rejecter = (isOver: () => boolean) =>
        Effect.gen(function* () {
          for (;;) {
            const one = toReject.splice(Math.floor(random() * toReject.length), 1)[0]
            if (one === undefined && isOver()) return
            if (one === undefined) yield* Effect.sleep(1)
            else {
              yield* reject(one.owner, one.assessmentId)
              rejections += 1
            }
          }
        })
      // With separate pools, as replicas have. A deadlock would fail the test.
      const apart = <A, E>(work: Effect.Effect<A, E, TestSql | ReviewRecords>) =>
        Effect.provide(work, Layer.fresh(ReviewRecords.layer).pipe(Layer.provideMerge(Layer.fresh(sqlLayer))))
      let writing = 2
      const written = Effect.ensuring(
        writer,
        Effect.sync(() => (writing -= 1))
      )
      const rejecters = [1, 2, 3].map(() => apart(rejecter(() => writing === 0)))
      yield* Effect.all([written, apart(written), ...rejecters], { concurrency: "unbounded" })
      expect(rejections).toBeGreaterThan(scaled(200, 4_000))
      expect(yield* miscounted(yield* TestSql)).toEqual([])
    })
  )

  it.effect("makes nothing familiar or usual, and stays in the pace and in the sums of its agent", () =>
    Effect.gen(function* () {
      const owner = ownerOf()
      const asked = agentOf(7)
      const yesterday = Date.now() - 24 * hour
      const { assessmentId, history } = yield* write(owner, 7, yesterday)
      expect(yield* snapshotOf(owner, asked)).toMatchObject({
        sampleSize: 1,
        destination: { days: 1 },
        agentSeen: true,
        actionTypeSeen: true
      })
      yield* reject(owner, assessmentId)
      const sum = { entities: history.scoredEntities, usdCents: history.scoredUsdCents }
      expect(yield* snapshotOf(owner, asked)).toMatchObject({
        sampleSize: 0,
        financialValue: { units: 0, medianUsdCents: null },
        velocity: { days: 1, hours: 1 },
        destination: { days: 0, largestEntities: 0, largestUsdCents: 0 },
        agentSeen: false,
        actionTypeSeen: false,
        last24Hours: sum,
        otherSums: { destination: sum, organization: sum },
        usualDay: { days: 1, ...sum }
      })
      yield* write(owner, 7, yesterday)
      expect(yield* snapshotOf(owner, asked)).toMatchObject({
        last24Hours: { entities: 2 * sum.entities, usdCents: 2 * sum.usdCents }
      })
      expect(yield* miscounted(yield* TestSql)).toEqual([])
    })
  )

  it.effect(
    "enters again with the next assessment of its unit, as that one states it, however late it came",
    () =>
      Effect.gen(function* () {
        const owner = ownerOf()
        const stating = (statedEntities: number): Overrides => ({ history: { statedEntities } })
        const first = yield* write(owner, 3, noon, stating(30))
        yield* reject(owner, first.assessmentId)
        const second = yield* write(owner, 3, noon - 2 * hour, stating(50))
        const asked = agentOf(3)
        expect(yield* snapshotOf(owner, asked)).toMatchObject({ entityVolume: { units: 1, median: 50 } })
        yield* reject(owner, second.assessmentId)
        expect(yield* snapshotOf(owner, asked)).toMatchObject({ entityVolume: { units: 0, median: null } })
        const sql = yield* TestSql
        const left = yield* sql`
        SELECT FROM unit_figures WHERE organization_id = ${owner.organizationId}
        UNION ALL SELECT FROM sightings WHERE organization_id = ${owner.organizationId}
      `
        expect(left).toEqual([])
      })
  )

  it.effect(
    "of a day too full to be counted again leaves what it named unfamiliar, never more familiar",
    () =>
      Effect.gen(function* () {
        const owner = ownerOf()
        const [rejected, , other] = [
          yield* write(owner, 5, noon),
          yield* write(owner, 5, noon + hour),
          yield* write(owner, 17, noon + hour)
        ]
        expect(other.history.destinationKey).toBe(rejected.history.destinationKey)
        const sql = yield* TestSql
        yield* sql.withTransaction(withdraw(sql, owner.organizationId, rejected.assessmentId, 2))
        expect(yield* snapshotOf(owner, agentOf(5))).toMatchObject({
          sampleSize: 1,
          destination: { days: 1, largestEntities: 0, largestUsdCents: 0 }
        })
        const [sighting] = yield* sql`
        SELECT first_at FROM sightings WHERE organization_id = ${owner.organizationId} AND kind = 'destination'
      `
        expect(sighting).toEqual({ first_at: new Date(noon + 12 * hour) })
      })
  )
})
