import { expect, layer } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { AssessmentRecords } from "../../src/storage/AssessmentRecords.ts"
import { TestSql } from "../../src/storage/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const organizationId = randomUUID()

/** One key per age. */
const insertKeys = Effect.fnUntraced(function* (agesHours: Arr.NonEmptyReadonlyArray<number>) {
  const sql = yield* TestSql
  yield* sql`INSERT INTO idempotency_keys ${sql.insert(
    Arr.map(agesHours, (hours) => ({
      organization_id: organizationId,
      key: `${hours} h`,
      input_digest: new Uint8Array(32),
      assessment_id: randomUUID(),
      completed_at: new Date(Date.now() - hours * 3_600_000)
    }))
  )}`
})

layer(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)))("AssessmentRecords", (it) => {
  it.effect(
    "only keys whose time is over are forgotten, the oldest first, and a bounded number at once",
    () =>
      Effect.gen(function* () {
        const sql = yield* TestSql
        const records = yield* AssessmentRecords
        yield* insertKeys([1, 23.9, 24.1, 30, 50])
        const keys = Effect.map(sql<{ key: string }>`SELECT key FROM idempotency_keys ORDER BY key`, (rows) =>
          rows.map(({ key }) => key)
        )
        expect(yield* records.forgetKeys("test", 2)).toBe(2)
        expect(yield* keys).toEqual(["1 h", "23.9 h", "24.1 h"])
        expect(yield* records.forgetKeys("test", 2)).toBe(1)
        expect(yield* records.forgetKeys("test", 2)).toBe(0)
        expect(yield* keys).toEqual(["1 h", "23.9 h"])
        expect(yield* records.forgetKeys("live", 2)).toBe(0)
      })
  )

  it.effect("the search of lists is backed by an index", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const indexes = yield* sql`
        SELECT amname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
        WHERE relname = 'assessments_by_search' AND indisvalid
      `
      expect(indexes).toEqual([{ amname: "gin" }, { amname: "gin" }])
    })
  )
})
