import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Database } from "../../src/storage/Database.ts"
import { environments } from "../../src/domain/Action.ts"
import { closeStatement, selectReviewPage, selectReviews } from "../../src/storage/ReviewRecords.ts"
import type { Owner } from "../../src/storage/assessments/AssessmentRecord.ts"
import { writeParameters, writeStatement } from "../../src/storage/assessments/AssessmentRecords.ts"
import { roleClient } from "../../src/storage/sql/roleClient.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { listedRecord } from "../support/reviewed.ts"

const limit = 26
const oneConnection = Effect.gen(function* () {
  const { logins, url } = yield* Database
  const role = { role: "action_risk_test", schema: "test", connectionsMax: 1 }
  return yield* roleClient({ url: logins.test ?? url, ...role })
})

/** The number of rows that the transaction's statements read from `assessments`, by an index or a scan. */
const assessmentsTouched = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  work: Effect.Effect<unknown, SqlError.SqlError>
) {
  const counted = sql<{ readonly rows: number }>`
    SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
    WHERE schemaname = 'test' AND relname = 'assessments'`
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const [before] = yield* counted
      yield* work
      const [after] = yield* counted
      return (after?.rows ?? Number.NaN) - (before?.rows ?? Number.NaN)
    })
  )
})

layer(TestDatabase.layer, { excludeTestServices: true })("what reviews read", (it) => {
  it.effect("is as many assessments as they show, though it was planned on empty tables", () =>
    Effect.gen(function* () {
      const owner: Owner = { organizationId: randomUUID(), mode: "test" }
      const sql = yield* oneConnection
      const records = Array.from({ length: 1_024 }, (_, i) => listedRecord(i, "high", true))
      const asked = records[500]?.assessmentId ?? ""
      const page = (state: "open" | "closed" | null, before?: string) =>
        selectReviewPage(sql, owner.organizationId, { before, limit, state })
      const close = (id: string, environments: ReadonlyArray<string> | null) =>
        sql.unsafe(closeStatement, [owner.organizationId, id, "escalated", null, null, null, environments])
      const works = {
        id: selectReviews(sql, owner.organizationId, [asked]),
        page: page(null),
        open: page("open"),
        deep: page("open", asked),
        closing: close(asked, null),
        limited: close(records[501]?.assessmentId ?? "", [...environments]),
        closed: page("closed")
      }
      for (const work of Object.values(works)) for (let i = 0; i < 6; i++) yield* work
      for (let from = 0; from < records.length; from += 64) {
        const batch = records.slice(from, from + 64).map((record) => ({ owner, record }))
        yield* sql.unsafe(writeStatement, writeParameters(batch))
      }
      const touched: Record<string, number> = {}
      for (const [name, work] of Object.entries(works)) touched[name] = yield* assessmentsTouched(sql, work)
      // The assessment's level decides which endpoints a closing notifies, and its environment which keys may close it.
      const closings = { closing: 1, limited: 2, closed: 2 }
      expect(touched).toEqual({ id: 1, page: limit, open: limit, deep: limit, ...closings })
    })
  )
})
