/** Reviews of both modes, one for each assessment at level high or critical, or incomplete, and leaving the baseline. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createReviews = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
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
    yield* sql`
      CREATE INDEX reviews_rejected ON ${schema}.reviews (organization_id, assessment_id) WHERE outcome = 'risk_rejected'
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.reviews TO ${role}`
    // A withdrawn unit is in no count but the 24 h sums and the pace: all its assessments were rejected in review.
    // `returned` says that the assessment which last met it brought it back.
    yield* sql`
      ALTER TABLE ${schema}.units
        ADD COLUMN withdrawn boolean NOT NULL DEFAULT false, ADD COLUMN returned boolean NOT NULL DEFAULT false
    `
    yield* sql`GRANT DELETE ON ${schema}.unit_figures, ${schema}.sightings TO ${role}`
    // How often a past day of an organization lost something: what processes hold of it is then read anew.
    yield* sql`
      CREATE TABLE ${schema}.baseline_revisions (
        organization_id uuid PRIMARY KEY,
        revision bigint NOT NULL
      )
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.baseline_revisions TO ${role}`
  }
})
