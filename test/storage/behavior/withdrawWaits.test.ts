/** Rejections that run at the same time as writers: one may wait for the other, but never both at once. */

import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { ReviewRecords } from "../../../src/storage/ReviewRecords.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { TestSql } from "../../support/modeSql.ts"
import { onCluster, TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { miscounted } from "../../support/recount.ts"

const noon = Date.UTC(2026, 0, 15, 12)

/** Units 5 and 17 are seen under the same destination; 17 states more. */
const write = Effect.fnUntraced(function* (owner: Owner, unit: number) {
  const record = assessmentRecord(unit, { createdAtMicros: noon * 1_000, level: "critical" })
  yield* (yield* TestSql).unsafe(writeStatement, writeParameters([{ owner, record }]))
  return record.assessmentId
})

const reject = Effect.fnUntraced(function* (owner: Owner, assessmentId: string) {
  yield* (yield* ReviewRecords).close(owner, assessmentId, {
    outcome: "risk_rejected",
    note: null,
    by: { keyId: randomUUID(), name: null },
    environments: null
  })
})

/** Runs outside any transaction: starts each task on its own connection, and lets it run until it waits. */
const waiter = Effect.gen(function* () {
  const context = yield* Effect.context<TestSql | ReviewRecords>()
  const sql = yield* TestSql
  const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
  return Effect.fnUntraced(function* <A, E>(
    work: Effect.Effect<A, E, TestSql | ReviewRecords>,
    others: number
  ) {
    const fiber = Effect.runForkWith(context)(work)
    yield* Effect.orDie(
      onCluster((cluster) =>
        Effect.repeat(
          cluster<{ readonly count: number }>`
            SELECT count(*)::int AS count FROM pg_stat_activity
            WHERE datname = ${row?.name ?? ""} AND wait_event_type = 'Lock'
          `,
          { until: ([waiting]) => waiting?.count === others + 1 }
        )
      )
    )
    return Fiber.join(fiber)
  })
})

layer(ReviewRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "a rejection that meets a writer",
  (it) => {
    it.effect.each([
      { what: "the same action waits for it, and the action stays", unit: 5 },
      { what: "another action with the same names waits for it, and counts its figures", unit: 17 }
    ])("of $what", ({ unit }) =>
      Effect.gen(function* () {
        const owner: Owner = { organizationId: randomUUID(), mode: "test" }
        const sql = yield* TestSql
        const untilItWaits = yield* waiter
        const id = yield* write(owner, 5)
        const rejected = yield* sql.withTransaction(
          Effect.andThen(write(owner, unit), untilItWaits(reject(owner, id), 0))
        )
        yield* rejected
        expect(yield* miscounted(sql)).toEqual([])
      })
    )

    for (const first of ["rejection", "writer"] as const) {
      it.effect(`takes the rows in the same order, so that both end where the ${first} came first`, () =>
        Effect.gen(function* () {
          const owner: Owner = { organizationId: randomUUID(), mode: "test" }
          const sql = yield* TestSql
          const untilItWaits = yield* waiter
          const id = yield* write(owner, 5)
          const works: ReadonlyArray<Effect.Effect<unknown, SqlError.SqlError, TestSql | ReviewRecords>> = [
            reject(owner, id),
            write(owner, 17)
          ]
          // Both transactions need the rows that are locked here. The one that gets them first must not need a row that the
          // other has locked before.
          const waiting = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT FROM unit_figures WHERE organization_id = ${owner.organizationId} FOR UPDATE`
              return yield* Effect.forEach(first === "writer" ? works.toReversed() : works, untilItWaits)
            })
          )
          yield* Effect.all(waiting)
          expect(yield* miscounted(sql)).toEqual([])
        })
      )
    }
  }
)
