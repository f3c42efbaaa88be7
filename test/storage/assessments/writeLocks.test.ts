/** Replicas that write at the same time, many assessments or one, never deadlock. */

import { PgClient } from "@effect/sql-pg"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomUUID } from "node:crypto"
import {
  type AssessmentWrite,
  writeParameters,
  writeStatement
} from "../../../src/storage/assessments/AssessmentRecords.ts"
import { Database } from "../../../src/storage/Database.ts"
import { sqlLayer, TestSql } from "../../support/modeSql.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { scaled } from "../../support/depth.ts"
import { miscounted } from "../../support/recount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const write = Effect.fnUntraced(function* (batch: ReadonlyArray<AssessmentWrite>) {
  yield* (yield* TestSql).unsafe(writeStatement, writeParameters(batch))
})

/** In the order in which the rows of an organization are locked. */
const lockedInTurn = ["idempotency_keys", "sums", "units", "sightings", "unit_figures", "agent_paces"]

/** Another session, which takes locks. */
const otherSession = Effect.flatMap(Database, ({ url }) => PgClient.makeClient({ url })).pipe(
  Effect.provide(Reactivity.layer)
)

const isWaiting = (other: PgClient.PgClient) =>
  Effect.map(
    other<{ readonly waits: boolean }>`
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits
    `,
    ([row]) => row?.waits === true
  )

const ownerOf = (organizationId: string = randomUUID()) => ({ organizationId, mode: "test" as const })

layer(TestDatabase.layer, { excludeTestServices: true, timeout: "60 seconds" })(
  "a write of assessments",
  (it) => {
    it.effect("never waits in a circle with replicas that write many, and every count is exact", () =>
      Effect.gen(function* () {
        const owners = Array.from({ length: 3 }, () => ownerOf())
        const rounds = scaled(20, 400)
        const writeOf = (round: number, i: number): AssessmentWrite => ({
          owner: owners[i % owners.length] ?? ownerOf(),
          record: assessmentRecord((i * 7 + round) % 20, {
            idempotencyKey: i % 3 === 0 ? `key ${round} ${i}` : null
          })
        })
        const many = Effect.gen(function* () {
          for (let round = 0; round < rounds; round++)
            yield* write(Array.from({ length: 24 }, (_, i) => writeOf(round, i)))
        })
        const one = Effect.gen(function* () {
          for (let round = 0; round < rounds; round++)
            for (let i = 0; i < 6; i++) yield* write([writeOf(round, i)])
        })
        const apart = <A, E, R>(replica: Effect.Effect<A, E, R>) =>
          Effect.provide(replica, Layer.fresh(sqlLayer))
        // A deadlock would fail the test.
        yield* Effect.all([many, one, apart(many), apart(one)], { concurrency: "unbounded" })
        expect(yield* miscounted(yield* TestSql)).toEqual([])
      })
    )

    it.effect("locks what it counts in one order", () =>
      Effect.gen(function* () {
        const other = yield* otherSession
        const sql = yield* TestSql
        const held: Array<ReadonlyArray<string>> = []
        for (const table of lockedInTurn) {
          const owner = ownerOf()
          const next = () => ({
            owner,
            record: assessmentRecord(1, { idempotencyKey: "key", history: { destinationKey: "a.example" } })
          })
          yield* write([next()])
          yield* sql`UPDATE idempotency_keys SET completed_at = now() - interval '25 hours'`
          yield* sql`UPDATE units SET withdrawn = true`
          const lockedBefore = yield* other.withTransaction(
            Effect.gen(function* () {
              yield* other.unsafe(`SELECT FROM test.${table} WHERE organization_id = $1::uuid FOR UPDATE`, [
                owner.organizationId
              ])
              yield* Effect.forkScoped(write([next()]))
              while (!(yield* isWaiting(other))) yield* Effect.yieldNow
              return yield* Effect.filter(lockedInTurn, (name) =>
                Effect.map(
                  other.unsafe(
                    `SELECT FROM test.${name} WHERE organization_id = $1::uuid FOR UPDATE SKIP LOCKED LIMIT 1`,
                    [owner.organizationId]
                  ),
                  (free) => free.length === 0
                )
              )
            })
          )
          held.push(lockedBefore)
        }
        expect(held).toEqual(lockedInTurn.map((_, i) => lockedInTurn.slice(0, i)))
      }).pipe(Effect.scoped)
    )
  }
)
