/** A database of the schema before reviews and webhooks, in use while it is brought up to this release. */

import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomUUID } from "node:crypto"
import { storageTotalMsMax } from "../../src/limits.ts"
import { Database, roleLogins } from "../../src/storage/Database.ts"
import { writeParameters, writeStatement } from "../../src/storage/assessments/writeAssessments.ts"
import { BehaviorSnapshots } from "../../src/storage/behavior/BehaviorSnapshots.ts"
import { migrate, schemaVersion } from "../../src/storage/migrate.ts"
import { foldOf0040 } from "../../src/storage/migrations/0040_fold.ts"
import { sqlLayer, TestSql } from "../../src/storage/sql/Sql.ts"
import { assessmentRecord } from "../support/assessmentRecord.ts"
import { emptyDatabase } from "../support/emptyDatabase.ts"
import { miscounted } from "../support/recount.ts"

const before = 41

const ownersOf = (url: Redacted.Redacted) =>
  PgClient.makeClient({ url, startupParameters: { timezone: "UTC", search_path: "test" } }).pipe(
    Effect.provide(Reactivity.layer)
  )

/** Three hundred assessments of the last thirty days as the statement of that schema left them, every seventh incomplete. */
const filled = Effect.gen(function* () {
  const url = yield* emptyDatabase
  const organizationId = randomUUID()
  yield* migrate(url, before)
  const sql = yield* ownersOf(url)
  yield* sql.unsafe(
    `WITH asked AS MATERIALIZED (
      SELECT n, $1::uuid AS organization_id, gen_random_uuid() AS assessment_id, n % 7 > 0 AS complete,
        statement_timestamp() - n * interval '144 minutes' AS created_at,
        sha256(('unit ' || n % 40)::bytea) AS fingerprint
      FROM generate_series(1, 300) AS n
    ), kept AS (
      INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
        result_digest, input, input_digest, rules_digest, policy_digest, item, search, salt)
      SELECT organization_id, assessment_id, gen_random_uuid(), 'req_' || n, created_at, complete, '{}', fingerprint, '{}',
        fingerprint, fingerprint, fingerprint, '{"action_risk":{"level":"critical"}}', 'unit', '\\x00112233445566778899aabbccddeeff'
      FROM asked
    ), fresh AS MATERIALIZED (
      SELECT organization_id, created_at, assessment_id, (created_at AT TIME ZONE 'UTC')::date AS day, fingerprint,
        'thing.update' AS normalized_action_type, 'data' AS action_category, 'write' AS action_class,
        'agent ' || n % 3 AS agent_id, 'destination-' || n % 4 || '.example' AS destination_key,
        (n % 40)::bigint AS stated_entities, NULL::bigint AS stated_usd_cents, (n % 40)::bigint AS scored_entities,
        0::bigint AS scored_usd_cents
      FROM asked WHERE complete
    ), counted AS (
      INSERT INTO history (organization_id, created_at, assessment_id, fingerprint, normalized_action_type, action_category,
        action_class, agent_id, destination_key, stated_entities, stated_usd_cents, scored_entities, scored_usd_cents)
      SELECT organization_id, created_at, assessment_id, fingerprint, normalized_action_type, action_category,
        action_class, agent_id, destination_key, stated_entities, stated_usd_cents, scored_entities, scored_usd_cents
      FROM fresh
    ), ${foldOf0040} SELECT`,
    [organizationId]
  )
  return { url, organizationId, sql }
})

const storesOf = (url: Redacted.Redacted) =>
  BehaviorSnapshots.layer.pipe(
    Layer.provideMerge(sqlLayer),
    Layer.provide(Layer.succeed(Database, Database.of({ kind: "external", url, logins: roleLogins(url) })))
  )

/** Waits until a session of the database waits for a table. */
const untilOneWaits = (sql: PgClient.PgClient) =>
  Effect.repeat(
    sql<{ readonly waiting: boolean }>`
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'action-risk migrate' AND wait_event = 'relation') AS waiting
    `,
    { until: ([row]) => row?.waiting === true }
  )

describe("an upgrade", () => {
  it.live("keeps what is stored and compares new assessments with it; those from before have no review", () =>
    Effect.gen(function* () {
      const { organizationId, sql, url } = yield* filled
      const stored = sql`SELECT count(*)::int AS count, sha256(string_agg(assessments::text, '' ORDER BY assessment_id)::bytea) AS digest FROM assessments`
      const asBefore = yield* stored
      expect(asBefore).toMatchObject([{ count: 300 }])
      // One of the indexes that may be created beforehand.
      yield* sql`CREATE INDEX CONCURRENTLY assessments_by_action_id ON assessments (action_id)`
      yield* migrate(url)
      expect(yield* stored).toEqual(asBefore)
      expect(yield* sql`SELECT FROM reviews`).toEqual([])

      yield* Effect.gen(function* () {
        const owner = { organizationId, mode: "test" as const }
        const test = yield* TestSql
        const record = assessmentRecord(5, { level: "critical" })
        yield* test.unsafe(writeStatement, writeParameters([{ owner, record }]))
        expect(yield* test`SELECT assessment_id FROM reviews`).toEqual([
          { assessment_id: record.assessmentId }
        ])
        expect(yield* miscounted(test)).toEqual([])
        const { snapshot } = yield* (yield* BehaviorSnapshots).read(
          {
            ...owner,
            record: { ...record.history, destinationKey: "destination-1.example" },
            fingerprint: new Uint8Array(32),
            baseline: { windowDays: 30, establishedDaysMin: 3, establishedHoursMin: 24 }
          },
          storageTotalMsMax
        )
        expect(snapshot.sampleSize).toBeGreaterThan(200)
      }).pipe(Effect.provide(storesOf(url)))
    }).pipe(Effect.scoped)
  )

  it.live("lets a replica of the version before end what it writes, and none of both fails", () =>
    Effect.gen(function* () {
      const { sql, url } = yield* filled
      const migrating = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE assessments IN ROW EXCLUSIVE MODE`
          const migrating = yield* Effect.forkChild(migrate(url), { startImmediately: true })
          yield* untilOneWaits(yield* ownersOf(url))
          yield* sql`LOCK TABLE units IN ROW EXCLUSIVE MODE`
          return migrating
        })
      )
      expect((yield* Fiber.join(migrating)).at(-1)?.id).toBe(schemaVersion)
    }).pipe(Effect.scoped)
  )

  it.live(
    "that cannot have a table says so soon, leaves the others in peace, and goes on the next time",
    () =>
      Effect.gen(function* () {
        const { sql, url } = yield* filled
        const { message } = yield* sql.withTransaction(
          Effect.andThen(sql`LOCK TABLE assessments IN ACCESS SHARE MODE`, Effect.flip(migrate(url)))
        )
        expect(message).toMatch(
          /0*44_create_erasures.* held a table for more than 3000 ms; .* then migrate again$/s
        )
        const again = yield* migrate(url)
        expect(again.map(({ id }) => id)).toEqual([
          44, 45, 46, 50, 51, 52, 53, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67
        ])
      }).pipe(Effect.scoped)
  )
})
