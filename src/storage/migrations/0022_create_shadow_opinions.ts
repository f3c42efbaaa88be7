/** What a second rule release said of assessments of both modes, beside what was answered. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

export const createShadowOpinions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    // `factors` is [{code, category, severity}]. Nothing that answers a caller reads this table.
    yield* sql`
      CREATE TABLE ${schema}.shadow_opinions (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        rules_version text NOT NULL,
        rules_digest bytea NOT NULL CHECK (octet_length(rules_digest) = 32),
        complete boolean NOT NULL,
        score smallint NOT NULL CHECK (score BETWEEN 1 AND 100),
        level text NOT NULL,
        action_category text NOT NULL,
        action_class text NOT NULL,
        control text NOT NULL,
        factors json NOT NULL,
        PRIMARY KEY (organization_id, assessment_id)
      )
    `
    yield* sql`
      CREATE TRIGGER never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.shadow_opinions
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.refuse_change()
    `
    yield* sql`GRANT SELECT, INSERT ON ${schema}.shadow_opinions TO ${sql(`action_risk_${mode}`)}`
  }
})
