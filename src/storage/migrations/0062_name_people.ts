/** Who closed a review, by the name of their key, and when a chain of evidence was last verified. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const namePeople = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE control.api_keys ADD COLUMN name text`
  // The key that a link makes has its name.
  yield* sql`ALTER TABLE control.console_links ADD COLUMN name text`
  for (const mode of modes) {
    const schema = sql(mode)
    // The name as it was then: modes read no keys, and what a person recorded keeps it. Closed before: neither.
    yield* sql`
      ALTER TABLE ${schema}.reviews ADD COLUMN closed_by uuid, ADD COLUMN closed_by_name text,
        ADD CHECK (closed_by IS NULL OR closed_at IS NOT NULL),
        ADD CHECK (closed_by_name IS NULL OR closed_by IS NOT NULL)
    `
    // The last one of all entries, and the last one of a part of them. It says what was found, and proves nothing:
    // whoever can rewrite a chain can write here.
    yield* sql`
      CREATE TABLE ${schema}.verifications (
        organization_id uuid NOT NULL,
        whole boolean NOT NULL,
        first bigint NOT NULL,
        last bigint NOT NULL,
        problem text,
        verified_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, whole)
      )
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.verifications TO ${sql(`action_risk_${mode}`)}`
  }
})
