/** Reviews of both modes: one for each assessment at level high or critical, or incomplete. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Mode.ts"

export const createReviews = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    // A review has the id of its assessment: there is one for each, and who knows the one finds the other.
    yield* sql`
      CREATE TABLE ${schema}.reviews (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        opened_at timestamptz NOT NULL,
        outcome text CHECK (outcome IN ('acknowledged', 'risk_accepted', 'risk_rejected', 'false_positive', 'escalated')),
        note text,
        closed_at timestamptz,
        PRIMARY KEY (organization_id, assessment_id),
        CHECK ((outcome IS NULL) = (closed_at IS NULL)),
        CHECK (note IS NULL OR outcome IS NOT NULL)
      )
    `
    yield* sql`
      CREATE INDEX reviews_open ON ${schema}.reviews (organization_id, assessment_id) WHERE closed_at IS NULL
    `
    yield* sql`
      CREATE INDEX reviews_closed ON ${schema}.reviews (organization_id, assessment_id) WHERE closed_at IS NOT NULL
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.reviews TO ${sql(`action_risk_${mode}`)}`
  }
})
