/** Reads of a chain go along its indexes, a row at a time: sorting or joining it would read all of it for each page. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { randomUUID } from "node:crypto"
import {
  selectChainHead,
  selectChainPage,
  selectUnsealed,
  selectWaiting
} from "../../src/evidence/SealedEvidence.ts"
import { selectCandidates, selectErasures } from "../../src/evidence/Erasures.ts"
import { selectEvidencePage } from "../../src/storage/assessments/AssessmentRecords.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { greatestId, leastId } from "../../src/storage/timeOrderedId.ts"
import { superuser } from "../support/eraser.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** `generic`: as the service plans it, once, for any values. `custom`: for these values, as commands of the owner do. */
const planOf = (
  sql: SqlClient.SqlClient,
  statement: Statement.Statement<unknown>,
  plan: "custom" | "generic" = "generic"
) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`SET LOCAL plan_cache_mode = force_${plan}_plan`)
      const [text, values] = statement.compile()
      yield* sql.unsafe(`PREPARE looked_at AS ${text}`)
      const given = values.map((value) => (typeof value === "number" ? value : `'${String(value)}'`))
      const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(
        `EXPLAIN EXECUTE looked_at (${given.join(", ")})`
      )
      yield* sql.unsafe("DEALLOCATE looked_at")
      return rows.map((row) => row["QUERY PLAN"]).join("\n")
    })
  )

/** Enough that a plan that reads them all would seem cheap compared with that many look-ups. */
const rows = 20_000

const fill = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organizationId: string) {
  const digest = "sha256(int4send(n))"
  yield* sql.unsafe(
    `WITH made AS MATERIALIZED (SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${rows}) AS n), kept AS (
      INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
        result_digest, input, input_digest, rules_digest, policy_digest, item, search, salt)
      SELECT $1::uuid, id, id, '', now(), true, '', ${digest}, '', ${digest}, ${digest}, ${digest}, '{}', '', '' FROM made
    )
    INSERT INTO seals (organization_id, assessment_id, sequence, previous_digest, entry_digest, sealed_at, input_leaf, result_leaf,
      snapshot_leaf)
    SELECT $1::uuid, id, n, ${digest}, ${digest}, now(), ${digest}, ${digest}, ${digest} FROM made`,
    [organizationId]
  )
})

layer(TestDatabase.layer)("a chain", (it) => {
  it.effect("is read from its end, and page by page, without being sorted or joined as a whole", () =>
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for("test")
      const organization = randomUUID()
      yield* fill(sql, organization)
      const plans = {
        head: yield* planOf(sql, selectChainHead(sql, organization)),
        page: yield* planOf(sql, selectChainPage(sql, organization, 5_000, 200)),
        unsealed: yield* planOf(sql, selectUnsealed(sql, organization, leastId, 200)),
        waiting: yield* planOf(sql, selectWaiting(sql, organization, 200))
      }
      for (const plan of Object.values(plans)) expect(plan).not.toMatch(/Sort|Merge|Hash|Gather|Seq Scan/)
      for (const plan of [plans.head, plans.page])
        expect(plan).toContain("seals_organization_id_sequence_key")
      expect(plans.unsealed).toContain("seals_pkey")
      expect(plans.waiting).toContain("unsealed_pkey")
      expect(plans.waiting).not.toContain("seals")
    })
  )

  it.effect(
    "is read, with its assessments and erasures, from where a page begins, however it is planned",
    () =>
      Effect.gen(function* () {
        const sql = (yield* ModeSql).for("test")
        const organization = randomUUID()
        yield* fill(sql, organization)
        const owner = yield* superuser
        yield* owner.unsafe("ANALYZE assessments, seals")
        const all = { from: leastId, before: greatestId }
        const after = "80000000-0000-4000-8000-000000000000"
        const pages = [
          selectCandidates(sql, organization, { after, before: greatestId, rowsMax: 500, withInput: true }),
          selectEvidencePage(sql, organization, all, after, 500),
          selectErasures(sql, organization, all, after, 500)
        ]
        for (const page of pages)
          for (const plan of ["custom", "generic"] as const)
            expect(yield* planOf(sql, page, plan)).not.toMatch(/Merge|Hash|Gather|Seq Scan/)
      }).pipe(Effect.scoped)
  )
})
