import { expect, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { storageReadMsMax } from "../../src/limits.ts"
import { caller } from "../support/assessCall.ts"
import { superuser } from "../support/eraser.ts"
import { assess, useCase } from "../support/useCase.ts"

const rowMs = 500
const rows = 20

/** Every row that the service's role reads takes `rowMs` from now on, so a search of all rows exceeds every limit. */
const slowDown = Effect.gen(function* () {
  const sql = yield* superuser
  yield* sql`ALTER TABLE assessments ENABLE ROW LEVEL SECURITY`
  yield* sql`CREATE POLICY every_row ON assessments FOR INSERT WITH CHECK (true)`
  yield* sql`
    CREATE POLICY slowly ON assessments FOR SELECT
    USING (pg_sleep(${sql.literal(String(rowMs / 1_000))}) IS NOT NULL)
  `
})

const searchesUnderWay = Effect.gen(function* () {
  const sql = yield* superuser
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE '%search_assessments%' AND pid <> pg_backend_pid()
  `
  return row?.count
})

layer(useCase(), { excludeTestServices: true })("a search that takes too long", (it) => {
  it.effect("is answered as unavailable within its time limit, and PostgreSQL cancels it", () =>
    Effect.gen(function* () {
      const asker = caller()
      for (let i = 0; i < rows; i++) yield* assess({ caller: asker })
      yield* slowDown
      const { list } = yield* Assessments
      const startedAtMs = performance.now()
      const told = yield* Effect.flip(list(asker, { limit: 25, cursor: null, q: "nowhere" }, "req_1"))
      const tookMs = performance.now() - startedAtMs
      expect(told.code).toBe("ASSESSMENT_UNAVAILABLE")
      expect(tookMs).toBeGreaterThanOrEqual(storageReadMsMax - 1)
      // Well before it would finish, with a margin for a busy machine.
      expect(tookMs).toBeLessThan((rows * rowMs) / 2)
      const ended = Effect.flatMap(searchesUnderWay, (count) =>
        count === 0 ? Effect.void : Effect.fail("still running" as const)
      )
      yield* Effect.retry(ended, { schedule: Schedule.spaced("50 millis"), times: 80 })
      // It would not have finished by now, either.
      expect(performance.now() - startedAtMs).toBeLessThan(rows * rowMs)
    }).pipe(Effect.scoped)
  )
})
