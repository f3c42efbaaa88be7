/** What the sealer works on, in both modes: rows that wait for their seal, and seals that outlive what they seal. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const prepareSealing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    // Random, so that a leaf tells nothing of short input once salt and input are erased. Rows from before have none.
    yield* sql`ALTER TABLE ${schema}.assessments ADD COLUMN salt bytea CHECK (octet_length(salt) = 16)`
    for (const leaf of ["input_leaf", "result_leaf", "snapshot_leaf"]) {
      yield* sql`ALTER TABLE ${schema}.seals ADD COLUMN ${sql(leaf)} bytea CHECK (octet_length(${sql(leaf)}) = 32)`
    }
    yield* sql`
      CREATE TABLE ${schema}.unsealed (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        PRIMARY KEY (organization_id, assessment_id)
      )
    `
    yield* sql`GRANT SELECT, INSERT, DELETE ON ${schema}.unsealed TO ${role}`
    yield* sql`
      INSERT INTO ${schema}.unsealed (organization_id, assessment_id)
      SELECT organization_id, assessment_id FROM ${schema}.assessments
    `
  }
})
