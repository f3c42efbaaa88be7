/** Snapshots whose two halves are read before and after midnight, in a database whose clock the test drives. */

import { PgClient } from "@effect/sql-pg"
import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomUUID } from "node:crypto"
import { storageTotalMsMax } from "../../../src/limits.ts"
import { naiveSnapshot } from "../../../src/rules/cases/Situation.ts"
import { Database } from "../../../src/storage/Database.ts"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import { oneGroup } from "../../../src/storage/sql/groups.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { baseline } from "../../support/baseline.ts"

const hourMs = 3_600_000
const midnight = Date.UTC(2026, 0, 16)

/**
 * Names are looked up in our schema before PostgreSQL's own. The first statement that reads today (it looks three times) is a
 * hundredth of a second before midnight, every other one a hundredth after.
 */
const aroundMidnight = Layer.effect(
  ModeSql,
  Effect.gen(function* () {
    const { url } = yield* Database
    const search_path = "test, pg_catalog"
    const sql = yield* PgClient.makeClient({ url, startupParameters: { timezone: "UTC", search_path } })
    yield* sql`CREATE SEQUENCE looks`
    yield* sql.unsafe(`
      CREATE FUNCTION test.statement_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
          IF current_query() NOT LIKE '%p95_per_hour%' AND nextval('test.looks') <= 3
          THEN RETURN '2026-01-15 23:59:59.99+00'; END IF;
          RETURN '2026-01-16 00:00:00.01+00';
        END
      $$`)
    return ModeSql.of(oneGroup(sql))
  })
).pipe(Layer.provide(Reactivity.layer), Layer.provide(TestDatabase.layer))

/** Every statement sees this time, and fails where `fails` holds. */
const everyLook = (time: string, fails: string): string => `
  CREATE OR REPLACE FUNCTION test.statement_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      IF ${fails} THEN RAISE EXCEPTION 'not now'; END IF;
      RETURN '${time}';
    END
  $$`

layer(BehaviorSnapshots.layer.pipe(Layer.provideMerge(aroundMidnight)))("around midnight", (it) => {
  it.effect("no day is counted twice, and an action's own assessment is no evidence for it", () =>
    Effect.gen(function* () {
      const owner = { organizationId: randomUUID(), mode: "test" as const }
      const earlier = [1, 2, 3, 4, 30].map((hoursAgo) => ({
        hoursAgo,
        record: assessmentRecord(hoursAgo % 5, { createdAtMicros: (midnight - hoursAgo * hourMs) * 1_000 })
      }))
      const sql = (yield* ModeSql).for("test")
      yield* sql.unsafe(writeStatement, writeParameters(earlier.map(({ record }) => ({ owner, record }))))
      yield* sql`SELECT setval('looks', 1, false)`
      const asked = assessmentRecord(1)
      const { atMicros, snapshot } = yield* (yield* BehaviorSnapshots).read(
        { ...owner, record: asked.history, fingerprint: asked.fingerprint, baseline },
        storageTotalMsMax
      )
      const written = earlier.map(({ hoursAgo, record }) => ({
        record: record.history,
        atMs: midnight - hoursAgo * hourMs
      }))
      expect(atMicros).toBe((midnight + 10) * 1_000)
      expect(snapshot).toEqual(naiveSnapshot(written, asked.history, midnight + 10, baseline))
    })
  )

  it.effect(
    "no request waits for the new past where evidence has to be a day old: the one that is held is older still",
    () =>
      Effect.gen(function* () {
        const owner = { organizationId: randomUUID(), mode: "test" as const }
        const sql = (yield* ModeSql).for("test")
        const asked = assessmentRecord(1, { createdAtMicros: (midnight - 30 * hourMs) * 1_000 })
        yield* sql.unsafe(writeStatement, writeParameters([{ owner, record: asked }]))
        const { read } = yield* BehaviorSnapshots
        const ask = read(
          {
            ...owner,
            record: asked.history,
            fingerprint: asked.fingerprint,
            baseline: { ...baseline, evidenceHoursMin: 24 }
          },
          storageTotalMsMax
        )
        yield* sql.unsafe(everyLook("2026-01-15 23:59:59.99+00", "false"))
        expect((yield* ask).snapshot.sampleSize).toBe(0)
        const readingThePast = "current_query() LIKE '%p95_per_hour%'"
        yield* sql.unsafe(everyLook("2026-01-16 00:00:00.01+00", readingThePast))
        const { atMicros, snapshot } = yield* ask
        expect(atMicros).toBe((midnight + 10) * 1_000)
        expect(snapshot.sampleSize).toBe(0)
        // Calls that are not evidence yet are reported.
        expect(snapshot.today?.units).toBe(1)
        // A day later the cached past is too old, and the reader waits for the next one.
        yield* sql.unsafe(everyLook("2026-01-17 00:00:00.01+00", readingThePast))
        expect(Exit.isFailure(yield* Effect.exit(ask))).toBe(true)
        yield* sql.unsafe(everyLook("2026-01-17 00:00:00.01+00", "false"))
        expect((yield* ask).snapshot.sampleSize).toBe(1)
      })
  )
})
