/** An assessment that is written alone leaves the rows, and takes the locks, of one that is written with others. */

import { PgClient } from "@effect/sql-pg"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { actionRiskLevels } from "../../../src/domain/Opinion.ts"
import { webhookEventTypes } from "../../../src/domain/WebhookEvent.ts"
import {
  type AssessmentWrite,
  writeAloneParameters,
  writeAloneStatement,
  type WrittenAloneRow,
  writeParameters,
  writeStatement,
  type WrittenRow
} from "../../../src/storage/assessments/writeAssessments.ts"
import { Database } from "../../../src/storage/Database.ts"
import { sqlLayer, TestSql } from "../../../src/storage/sql/Sql.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { scaled } from "../../support/depth.ts"
import { miscounted } from "../../support/recount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

interface Written {
  readonly written: boolean
  readonly announced: boolean
}

const shared = Effect.fnUntraced(function* (write: AssessmentWrite) {
  const rows = yield* (yield* TestSql).unsafe<WrittenRow>(writeStatement, writeParameters([write]))
  return { written: rows.length > 0, announced: rows[0]?.announced === true } satisfies Written
})

const alone = Effect.fnUntraced(function* (write: AssessmentWrite) {
  const [row] = yield* (yield* TestSql).unsafe<WrittenAloneRow>(
    writeAloneStatement,
    writeAloneParameters(write)
  )
  return { written: row?.announced !== null, announced: row?.announced === true } satisfies Written
})

/** Tables that hold something of an organization, and what of their rows differs between two equal writes. */
const compared = {
  assessments: [],
  history: [],
  unsealed: [],
  units: [],
  unit_figures: [],
  sightings: [],
  sums: [],
  paces: [],
  agent_paces: [],
  idempotency_keys: ["completed_at"],
  reviews: ["opened_at"],
  webhook_events: ["created_at"],
  webhook_deliveries: ["delivery_id", "next_attempt_at", "created_at"]
} as const

const rowsOf = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* TestSql
  return yield* Effect.forEach(Object.entries(compared), ([table, varying]) =>
    Effect.map(
      sql.unsafe<{ readonly held: unknown }>(
        `SELECT to_jsonb(held) - $2::text[] AS held FROM ${table} AS held WHERE organization_id = $1::uuid ORDER BY 1`,
        [organizationId, ["organization_id", ...varying]]
      ),
      (rows) => ({ table, rows: rows.map(({ held }) => held) })
    )
  )
})

const subscribe = Effect.fnUntraced(function* (
  organizationId: string,
  { enabled, endpointId, events, leastRank }: Endpoint
) {
  yield* (yield* TestSql)`
    INSERT INTO webhook_endpoints (organization_id, endpoint_id, url, events, least_rank, enabled, created_at, secret)
    VALUES (${organizationId}, ${endpointId}, 'https://hooks.example/', string_to_array(${events.join(" ")}, ' '),
      ${leastRank}, ${enabled}, now(), '\\x00')
  `
})

const endpoints = fc.record({
  endpointId: fc.uuid(),
  events: fc.uniqueArray(fc.constantFrom(...webhookEventTypes), { minLength: 1 }),
  leastRank: fc.nat(3),
  enabled: fc.boolean()
})
type Endpoint = typeof endpoints extends fc.Arbitrary<infer A> ? A : never

const hour = 3_600_000

/** What is written, of a few units and keys; some of it twice. */
const plans = fc.record({
  endpoints: fc.uniqueArray(endpoints, { maxLength: 3, selector: ({ endpointId }) => endpointId }),
  writes: fc.array(
    fc.record({
      unit: fc.nat(12),
      key: fc.option(fc.nat(3), { freq: 2 }),
      agoMs: fc.integer({ min: 0, max: 30 * hour }),
      complete: fc.boolean(),
      level: fc.constantFrom(...actionRiskLevels),
      largest: fc.boolean(),
      before: fc.constantFrom("nothing", "the same write", "keys expire", "units are withdrawn")
    }),
    { minLength: 1, maxLength: 12 }
  )
})

const largestFigures = {
  statedEntities: Number.MAX_SAFE_INTEGER,
  statedUsdCents: Number.MAX_SAFE_INTEGER,
  scoredEntities: Number.MAX_SAFE_INTEGER,
  scoredUsdCents: Number.MAX_SAFE_INTEGER
}

/** In the order in which the rows of an organization are locked. */
const lockedInTurn = [
  "idempotency_keys",
  "sums",
  "units",
  "sightings",
  "unit_figures",
  "agent_paces",
  "paces"
]

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
  "an assessment that is written alone",
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
          const sql = yield* TestSql
          for (let round = 0; round < rounds; round++) {
            const batch = Array.from({ length: 24 }, (_, i) => writeOf(round, i))
            yield* sql.unsafe(writeStatement, writeParameters(batch))
          }
        })
        const one = Effect.gen(function* () {
          for (let round = 0; round < rounds; round++)
            for (let i = 0; i < 6; i++) yield* alone(writeOf(round, i))
        })
        const apart = <A, E, R>(replica: Effect.Effect<A, E, R>) =>
          Effect.provide(replica, Layer.fresh(sqlLayer))
        // A deadlock would fail the test.
        yield* Effect.all([many, one, apart(many), apart(one)], { concurrency: "unbounded" })
        expect(yield* miscounted(yield* TestSql)).toEqual([])
      })
    )

    it.effect("leaves the rows that the shared statement leaves", () =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<TestSql>())
        const sql = yield* TestSql
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(plans, async ({ endpoints, writes }) => {
              const [one, other] = [randomUUID(), randomUUID()]
              for (const endpoint of endpoints)
                for (const id of [one, other]) await run(subscribe(id, endpoint))
              for (const { agoMs, before, complete, key, largest, level, unit } of writes) {
                const record = assessmentRecord(unit, {
                  createdAtMicros: (Date.now() - agoMs) * 1_000,
                  complete,
                  level,
                  idempotencyKey: key === null ? null : `key ${key}`,
                  ...(largest && { history: largestFigures })
                })
                if (before === "keys expire")
                  await run(sql`UPDATE idempotency_keys SET completed_at = now() - interval '25 hours'`)
                if (before === "units are withdrawn") await run(sql`UPDATE units SET withdrawn = true`)
                for (const _ of before === "the same write" ? [1, 2] : [1])
                  expect(await run(alone({ owner: ownerOf(one), record }))).toEqual(
                    await run(shared({ owner: ownerOf(other), record }))
                  )
              }
              expect(await run(rowsOf(one))).toEqual(await run(rowsOf(other)))
            }),
            { numRuns: scaled(20, 1_000) }
          )
        )
      })
    )

    it.effect("locks what it counts in the order of the shared statement", () =>
      Effect.gen(function* () {
        const other = yield* otherSession
        const sql = yield* TestSql
        const held: Array<ReadonlyArray<string>> = []
        for (const write of [alone, shared])
          for (const table of lockedInTurn) {
            const owner = ownerOf()
            const next = () => ({
              owner,
              record: assessmentRecord(1, { idempotencyKey: "key", history: { destinationKey: "a.example" } })
            })
            yield* write(next())
            yield* sql`UPDATE idempotency_keys SET completed_at = now() - interval '25 hours'`
            yield* sql`UPDATE units SET withdrawn = true`
            const lockedBefore = yield* other.withTransaction(
              Effect.gen(function* () {
                yield* other.unsafe(`SELECT FROM test.${table} WHERE organization_id = $1::uuid FOR UPDATE`, [
                  owner.organizationId
                ])
                yield* Effect.forkScoped(write(next()))
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
        const expected = lockedInTurn.map((_, i) => lockedInTurn.slice(0, i))
        expect(held).toEqual([...expected, ...expected])
      }).pipe(Effect.scoped)
    )
  }
)
