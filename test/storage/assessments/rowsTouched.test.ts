import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Seals, sealUnsealed } from "../../../src/evidence/Seals.ts"
import { searchedFirstRows } from "../../../src/limits.ts"
import { Database } from "../../../src/storage/Database.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords, selectEvidence } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { selectMatches, selectPages } from "../../../src/storage/assessments/listAssessments.ts"
import { searchTexts } from "../../../src/storage/assessments/SearchIndex.ts"
import { SealFollower } from "../../../src/storage/facets/followSeals.ts"
import { selectAnswers } from "../../../src/storage/assessments/storedAnswers.ts"
import {
  todayParameters,
  type TodayRow,
  todayStatement
} from "../../../src/storage/behavior/todaysActivity.ts"
import { roleClient } from "../../../src/storage/sql/roleClient.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { baseline } from "../../support/baseline.ts"

const stored = 3_000
const limit = 25
const owner: Owner = { organizationId: randomUUID(), mode: "test" }
const oneConnection = Effect.gen(function* () {
  const { logins, url } = yield* Database
  return yield* roleClient({
    url: logins.test ?? url,
    role: "action_risk_test",
    schema: "test",
    connectionsMax: 1
  })
})

const record = (i: number) =>
  assessmentRecord(i, {
    idempotencyKey: `key-${i}`,
    search: i === 7 ? "everywhere, and here a heron" : "everywhere"
  })

/** The number of rows that the transaction's statements read from tables, by an index or a scan. */
const rowsTouched = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  read: Effect.Effect<unknown, SqlError.SqlError>
) {
  const counted = sql<{ readonly rows: number }>`
    SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables`
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const [before] = yield* counted
      yield* read
      const [after] = yield* counted
      return (after?.rows ?? Number.NaN) - (before?.rows ?? Number.NaN)
    })
  )
})

layer(Layer.merge(AssessmentRecords.layer, SealFollower.layer).pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true
})("how many rows a read touches", (it) => {
  it.effect(
    "depends on what it asks for and not on what is stored, though it was planned on empty tables",
    () =>
      Effect.gen(function* () {
        const { organizationId } = owner
        const sql = yield* oneConnection
        const records = Array.from({ length: stored }, (_, i) => record(i))
        const asked = records[1_500] ?? record(0)
        const question = {
          organizationId,
          baseline,
          record: asked.history,
          fingerprint: asked.fingerprint,
          key: "key-1500"
        }
        const page = (before?: string) => selectPages(sql, [{ organizationId, before, limit }])
        const search = (text: string) =>
          selectMatches(sql, [{ organizationId, before: undefined, limit, text }])
        const reads = {
          key: selectAnswers(sql, [{ organizationId, key: "key-1500" }]),
          id: selectEvidence(sql, [{ organizationId, assessmentId: asked.assessmentId }]),
          page: page(),
          deepPage: page(asked.assessmentId),
          search: search("everywhere"),
          rareSearch: search("heron"),
          snapshot: sql.unsafe<TodayRow>(todayStatement, todayParameters([question]))
        }
        const seal = sealUnsealed("test").pipe(Effect.provide(Seals.layer))
        // More than five runs: after five PostgreSQL may keep one plan forever.
        for (const read of Object.values(reads)) for (let i = 0; i < 6; i++) yield* read
        yield* seal

        const { write } = yield* AssessmentRecords
        yield* Effect.forEach(records, (one) => write(owner, one, 10_000), { concurrency: 64 })
        yield* seal
        const { follow } = yield* SealFollower
        yield* Effect.repeat(follow(searchTexts, "test", [organizationId]), {
          until: ({ left }) => left.length === 0
        })

        const touched: Record<string, number> = {}
        for (const [name, read] of Object.entries(reads)) touched[name] = yield* rowsTouched(sql, read)
        expect(touched).toEqual({
          key: 2,
          id: 2,
          page: limit + 1,
          deepPage: limit + 1,
          search: limit + 1,
          // Those that are read in turn, the row of the newest span twice, the text that was found, and its assessment.
          rareSearch: searchedFirstRows + 4,
          snapshot: touched["snapshot"]
        })
        // The days and hours of the action's names: bounded, whatever is stored.
        expect(touched["snapshot"]).toBeLessThan(200)
      })
  )
})
