/** Reads of a chain go along its index: sorting it would read all of it for each page. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { randomUUID } from "node:crypto"
import { selectChainHead, selectChainPage, selectWaiting } from "../../src/evidence/SealedEvidence.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** The plan that is left where a table is too large to be read as a whole. */
const planOf = (sql: SqlClient.SqlClient, statement: Statement.Statement<unknown>) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL enable_seqscan = off`
      yield* sql`SET LOCAL enable_bitmapscan = off`
      const [text, values] = statement.compile()
      const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN ${text}`, [...values])
      return rows.map((row) => row["QUERY PLAN"]).join("\n")
    })
  )

layer(TestDatabase.layer)("a chain", (it) => {
  it.effect("is read from its end, and page by page, without being sorted", () =>
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for("test")
      const organization = randomUUID()
      for (const statement of [
        selectChainHead(sql, organization),
        selectChainPage(sql, organization, 5_000, 200)
      ]) {
        const plan = yield* planOf(sql, statement)
        expect(plan).toContain("seals_organization_id_sequence_key")
        expect(plan).not.toContain("Sort")
      }
    })
  )

  it.effect("is not read to count what waits for its seal", () =>
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for("test")
      const plan = yield* planOf(sql, selectWaiting(sql, randomUUID(), 200))
      expect(plan).toContain("unsealed_pkey")
      expect(plan).toContain("assessments_pkey")
      expect(plan).not.toContain("seals")
    })
  )
})
