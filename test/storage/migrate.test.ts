/** The schema and its migration, by this release and by invented later ones. */

import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Database, groupOf, roleLogins, schemaOfGroup } from "../../src/storage/Database.ts"
import { writeParameters, writeStatement } from "../../src/storage/assessments/AssessmentRecords.ts"
import { migrate, migrateOpened, migrations, schemaVersion } from "../../src/storage/migrate.ts"
import { sqlLayer, TestSql } from "../support/modeSql.ts"
import { assessmentRecord } from "../support/assessmentRecord.ts"
import { emptyDatabase } from "../support/emptyDatabase.ts"

const running = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))

/** A migration that a later release might add. */
const later = {
  ...migrations,
  "0002_color_units": running("ALTER TABLE test.units ADD COLUMN color text"),
  "0003_color_assessments": running("ALTER TABLE test.assessments ADD COLUMN color text")
}

const migrated = Effect.gen(function* () {
  const url = yield* emptyDatabase
  yield* migrate(url)
  return url
})

const ownersOf = (url: Redacted.Redacted) =>
  PgClient.makeClient({ url, startupParameters: { timezone: "UTC", search_path: "test" } }).pipe(
    Effect.provide(Reactivity.layer)
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

const idsOf = (applied: ReadonlyArray<{ readonly id: number }>) => applied.map(({ id }) => id)

describe("the group of an organization", () => {
  it("is the same for ever, because its rows are there, and no group has far more than others", () => {
    const known = ["0190f3a0-0000-7000-8000-000000000011", "ffffffff-ffff-4fff-bfff-ffffffffffff"]
    expect(known.map((id) => groupOf(id, 16))).toEqual([1, 15])
    const groups = Array.from({ length: 1_600 }, () => groupOf(randomUUID(), 16))
    const sizes = Array.from({ length: 16 }, (_, group) => groups.filter((found) => found === group).length)
    expect(Math.max(...sizes)).toBeLessThan(160)
    expect([schemaOfGroup("live", 3, 16), schemaOfGroup("live", 0, undefined)]).toEqual(["live_3", "live"])
  })
})

describe("migrations", () => {
  it("are listed in ascending order with unique numbers", () => {
    const numbers = Object.keys(migrations).map((file) => Number(/^(\d{4})_[a-z0-9_]+$/.exec(file)?.[1]))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(numbers.at(-1)).toBe(schemaVersion)
  })

  it.live("are applied exactly once, however many processes start at the same moment", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const applied = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate(url, later)),
        { concurrency: 4 }
      )
      expect(idsOf(applied.flat()).toSorted((a, b) => a - b)).toEqual([1, 2, 3])
      expect(yield* migrate(url, later)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("are applied whole or not at all, and those before one that fails stay", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const half = running("ALTER TABLE test.units ADD COLUMN color text").pipe(
        Effect.andThen(running("ALTER TABLE test.no_such_table ADD COLUMN color text"))
      )
      const { message } = yield* Effect.flip(migrate(url, { ...migrations, "0002_color_units": half }))
      expect(message).toMatch(/2_color_units.*failed.*42P01/)
      expect(idsOf(yield* migrate(url, later))).toEqual([2, 3])
    }).pipe(Effect.scoped)
  )

  it.live("let a replica finish its writes, and neither fails", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      const sql = yield* ownersOf(url)
      // The replica locks the tables in the other order, which would be a deadlock if both changes were one transaction.
      const migrating = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE assessments IN ROW EXCLUSIVE MODE`
          const migrating = yield* Effect.forkChild(migrate(url, later), { startImmediately: true })
          yield* untilOneWaits(yield* ownersOf(url))
          yield* sql`LOCK TABLE units IN ROW EXCLUSIVE MODE`
          return migrating
        })
      )
      expect(idsOf(yield* Fiber.join(migrating))).toEqual([2, 3])
    }).pipe(Effect.scoped)
  )

  it.live("that cannot lock a table soon say so, do not block others, and continue the next time", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      const sql = yield* ownersOf(url)
      const { message } = yield* sql.withTransaction(
        Effect.andThen(sql`LOCK TABLE assessments IN ACCESS SHARE MODE`, Effect.flip(migrate(url, later)))
      )
      expect(message).toMatch(
        /3_color_assessments.* held a table for more than 3000 ms; .* then migrate again$/s
      )
      expect(idsOf(yield* migrate(url, later))).toEqual([3])
    }).pipe(Effect.scoped)
  )

  it.live("of a later release let this one start again and write", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      yield* migrate(url, later)
      expect(yield* migrate(url)).toEqual([])
      const stores = sqlLayer.pipe(
        Layer.provide(
          Layer.succeed(Database, Database.of({ kind: "external", url, logins: roleLogins(url) }))
        )
      )
      const record = assessmentRecord(5, { level: "critical" })
      const written = Effect.gen(function* () {
        const test = yield* TestSql
        const owner = { organizationId: randomUUID(), mode: "test" as const }
        yield* test.unsafe(writeStatement, writeParameters([{ owner, record }]))
        return yield* test`SELECT assessment_id FROM reviews`
      }).pipe(Effect.provide(stores))
      expect(yield* written).toEqual([{ assessment_id: record.assessmentId }])
    }).pipe(Effect.scoped)
  )

  it.live("refuse to distribute a database without Citus, and leave it empty", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const distributed = Database.of({ kind: "external", url, logins: {}, groups: 2 })
      const { message } = yield* Effect.flip(Effect.provideService(migrateOpened, Database, distributed))
      expect(message).toMatch(/: DISTRIBUTED=citus, and the database has no extension citus: run CREATE/)
      expect(idsOf(yield* migrate(url))).toEqual([1])
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that has another one of the same number", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* migrate(url, { "0001_create_something_else": running("CREATE SCHEMA something_else") })
      const { message } = yield* Effect.flip(migrate(url))
      expect(message).toBe(
        "the database cannot be migrated: its migration 1 is `create_something_else`, which is not the one of this release: start with an empty database"
      )
    }).pipe(Effect.scoped)
  )
})
