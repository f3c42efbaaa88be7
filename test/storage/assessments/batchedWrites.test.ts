import { PgClient } from "@effect/sql-pg"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { storageWriteMsMax } from "../../../src/limits.ts"
import { Database } from "../../../src/storage/Database.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import {
  AssessmentRecords,
  type AssessmentWrite,
  writeParameters,
  writeStatement,
  type WrittenRow
} from "../../../src/storage/assessments/AssessmentRecords.ts"
import { sqlLayer, TestSql } from "../../support/modeSql.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { scaled } from "../../support/depth.ts"
import { miscounted } from "../../support/recount.ts"
import { rowsOf } from "../../support/useCase.ts"

const ownerOf = (organizationId: string = randomUUID()): Owner => ({ organizationId, mode: "test" })

/** Runs one statement. Returns the ids of the assessments that it wrote. */
const writeTogether = Effect.fnUntraced(function* (batch: ReadonlyArray<AssessmentWrite>) {
  const sql = yield* TestSql
  const [row] = yield* sql.unsafe<WrittenRow>(writeStatement, writeParameters(batch))
  return new Set(
    batch.filter((_, i) => row?.written?.includes(i + 1)).map(({ record }) => record.assessmentId)
  )
})

const hour = 3_600_000

/** The writes, by a few organizations, units and keys; some of them twice. */
const plans = fc.array(
  fc.record({
    organization: fc.nat(2),
    unit: fc.nat(6),
    key: fc.option(fc.nat(3), { freq: 2 }),
    agoMs: fc.integer({ min: 0, max: 30 * hour }),
    complete: fc.boolean(),
    twice: fc.boolean()
  }),
  { minLength: 1, maxLength: 40 }
)

layer(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "assessments written together",
  (it) => {
    it.effect("are kept and counted as if they had been written one by one", () =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<TestSql>())
        const sql = yield* TestSql
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(plans, async (plan) => {
              const nowMicros = Date.now() * 1_000
              const writings = () => {
                const owners = [ownerOf(), ownerOf(), ownerOf()]
                return plan.flatMap(
                  ({ agoMs, complete, key, organization, twice, unit }): Array<AssessmentWrite> => {
                    const record = assessmentRecord(unit, {
                      createdAtMicros: nowMicros - agoMs * 1_000,
                      complete,
                      idempotencyKey: key === null ? null : `key ${key}`
                    })
                    const writing = { owner: owners[organization] ?? ownerOf(), record }
                    return twice ? [writing, writing] : [writing]
                  }
                )
              }
              const together = writings()
              const keptTogether = await run(writeTogether(together))
              const alone = writings()
              const keptAlone = new Set<string>()
              for (const one of alone) for (const id of await run(writeTogether([one]))) keptAlone.add(id)
              const places = (of: ReadonlyArray<AssessmentWrite>, kept: ReadonlySet<string>) =>
                of.map(({ record }) => kept.has(record.assessmentId))
              expect(places(together, keptTogether)).toEqual(places(alone, keptAlone))
              expect(await run(miscounted(sql))).toEqual([])
            }),
            { numRuns: scaled(25, 1_000) }
          )
        )
      })
    )

    it.effect("of many organizations are each its own, and twice the same is once", () =>
      Effect.gen(function* () {
        const { write } = yield* AssessmentRecords
        const owners = Array.from({ length: 50 }, () => ownerOf())
        const [record, sameKey] = [1, 2].map((unit) => assessmentRecord(unit, { idempotencyKey: "same" }))
        if (record === undefined || sameKey === undefined) return
        const kept = yield* Effect.forEach(
          owners,
          (owner) =>
            Effect.all([write(owner, record, storageWriteMsMax), write(owner, sameKey, storageWriteMsMax)], {
              concurrency: 2
            }),
          { concurrency: "unbounded" }
        )
        expect(kept).toEqual(owners.map(() => [true, false]))
        for (const { organizationId } of owners) {
          expect(yield* rowsOf(organizationId)).toEqual({ assessments: 1, history: 1, idempotency_keys: 1 })
        }
      })
    )

    it.effect("are kept along with those that PostgreSQL, or the way to it, refuses", () =>
      Effect.gen(function* () {
        const { write } = yield* AssessmentRecords
        const owner = ownerOf()
        const poisons = [
          { statedEntities: 2 ** 63 },
          { statedUsdCents: 1.5 },
          { scoredEntities: -1 },
          { agentId: "nul \0 inside" },
          { normalizedActionType: "x".repeat(100_000).replaceAll("x", () => Math.random().toString(36)) }
        ]
        const places = Array.from({ length: 60 }, (_, i) =>
          i % 12 === 5 ? poisons[(i - 5) / 12] : undefined
        )
        const kept = yield* Effect.forEach(
          places,
          (history, unit) => {
            const record = assessmentRecord(unit, history === undefined ? {} : { history })
            return Effect.match(Effect.sandbox(write(owner, record, storageWriteMsMax)), {
              onSuccess: (written) => (written ? "kept" : "known"),
              onFailure: () => "refused"
            })
          },
          { concurrency: "unbounded" }
        )
        expect(kept).toEqual(places.map((history) => (history === undefined ? "kept" : "refused")))
        expect(yield* rowsOf(owner.organizationId)).toMatchObject({ assessments: 55, history: 55 })
        expect(yield* miscounted(yield* TestSql)).toEqual([])
      })
    )

    it.effect("by replicas that cross never wait in a circle, and every count is exact", () =>
      Effect.gen(function* () {
        const owners = Array.from({ length: 4 }, () => ownerOf())
        const rounds = scaled(30, 600)
        const batch = (replica: number, round: number): ReadonlyArray<AssessmentWrite> => {
          const writings = Array.from({ length: 48 }, (_, i) => ({
            owner: owners[i % owners.length] ?? ownerOf(),
            record: assessmentRecord((i * 7 + round) % 20, {
              idempotencyKey: i % 3 === 0 ? `key ${round} ${i}` : null
            })
          }))
          return replica % 2 === 0 ? writings : writings.toReversed()
        }
        const replica = (number: number) =>
          Effect.gen(function* () {
            let kept = 0
            for (let round = 0; round < rounds; round++)
              kept += (yield* writeTogether(batch(number, round))).size
            return kept
          })
        // Two replicas share a pool and two have separate pools. A deadlock would fail the test.
        const apart = (number: number) => Effect.provide(replica(number), Layer.fresh(sqlLayer))
        const kept = yield* Effect.all([replica(0), replica(1), apart(2), apart(3)], {
          concurrency: "unbounded"
        })
        // A third have keys, of which one of the four replicas wins each.
        expect(kept.reduce((sum, one) => sum + one, 0)).toBe(rounds * (4 * 32 + 16))
        // As the owner: comparing the rows of 600 rounds exceeds the time limit of a role's statement.
        const { url } = yield* Database
        const recounted = PgClient.makeClient({ url, startupParameters: { search_path: "test" } }).pipe(
          Effect.flatMap(miscounted),
          Effect.scoped,
          Effect.provide(Reactivity.layer)
        )
        expect(yield* recounted).toEqual([])
      })
    )
  }
)
