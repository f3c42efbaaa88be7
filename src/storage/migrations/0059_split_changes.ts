/** What changes and what only reads apart in history, in both modes, and the pace of each agent. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

/** Percent, as for the other counts (migration 0045). */
const countsFill = 70

const tenMinutes = "date_bin(interval '10 minutes', created_at, timestamptz '2000-01-01 00:00:00+00')"

const firstTwoDigits = (column: string): string =>
  `trunc(${column}::numeric, least(0, 2 - length(${column}::text)))::bigint`

/** Longer than any snapshot looks back: what is older stays as it is, and is read by nothing. */
const recent = "created_at > now() - interval '40 days'"

/** What was assessed before counts anew. The classes are those that every rule release until here calls harmless. */
const recounts = [
  `UPDATE history SET changes = action_class NOT IN ('read', 'simulate', 'internal') WHERE ${recent}`,
  `UPDATE units SET changes = true FROM (
    SELECT DISTINCT organization_id, day, fingerprint FROM history WHERE ${recent} AND changes
  ) AS changing
  WHERE (units.organization_id, units.day, units.fingerprint) = (changing.organization_id, changing.day, changing.fingerprint)`,
  // The pools of callers without a name are not known any more: all of these share the empty name.
  `INSERT INTO agent_paces (organization_id, production, changes, name, slot, assessments)
  SELECT organization_id, production, changes, lower(coalesce(agent_id, '')), ${tenMinutes}, count(*)
  FROM history WHERE ${recent} GROUP BY 1, 2, 3, 4, 5`,
  `CREATE TEMPORARY TABLE accepted ON COMMIT DROP AS
  SELECT DISTINCT ON (organization_id, day, fingerprint) * FROM history
  WHERE ${recent} AND NOT EXISTS (SELECT FROM reviews WHERE reviews.organization_id = history.organization_id
    AND reviews.assessment_id = history.assessment_id AND outcome = 'risk_rejected')
  ORDER BY organization_id, day, fingerprint, created_at, assessment_id`,
  `INSERT INTO unit_figures (organization_id, production, changes, day, measure, figure, units)
  SELECT organization_id, production, changes, day, measure, figure, count(*)
  FROM accepted CROSS JOIN LATERAL (VALUES
    ('units', 0::bigint), ('entities', ${firstTwoDigits("stated_entities")}), (action_category, ${firstTwoDigits("stated_usd_cents")})
  ) AS of (measure, figure)
  WHERE figure IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
  `INSERT INTO sightings (organization_id, production, changes, kind, name, day, units, first_at, largest_entities,
    largest_usd_cents)
  SELECT organization_id, production, changes, kind, name, day, count(*), min(created_at),
    max(coalesce(stated_entities, 0)), max(coalesce(stated_usd_cents, 0))
  FROM accepted CROSS JOIN LATERAL (VALUES
    ('action_type', normalized_action_type), ('agent', agent_id), ('destination', destination_key)
  ) AS of (kind, name)
  WHERE name IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
  "DROP TABLE pg_temp.accepted"
] as const

export const splitChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    yield* sql`SELECT set_config('search_path', ${mode}, true)`
    yield* sql`ALTER TABLE ${schema}.history ADD COLUMN changes boolean NOT NULL DEFAULT false`
    yield* sql`ALTER TABLE ${schema}.units ADD COLUMN changes boolean NOT NULL DEFAULT false`
    yield* sql`TRUNCATE ${schema}.unit_figures, ${schema}.sightings`
    yield* sql`
      ALTER TABLE ${schema}.unit_figures ADD COLUMN changes boolean NOT NULL,
        DROP CONSTRAINT unit_figures_pkey, ADD PRIMARY KEY (organization_id, production, day, measure, figure, changes)
    `
    yield* sql`
      ALTER TABLE ${schema}.sightings ADD COLUMN changes boolean NOT NULL,
        DROP CONSTRAINT sightings_pkey, ADD PRIMARY KEY (organization_id, production, kind, name, day, changes)
    `
    // Assessments in each ten minutes under the names of the agents' sums, repeated ones too.
    yield* sql`
      CREATE TABLE ${schema}.agent_paces (
        organization_id uuid NOT NULL,
        production boolean NOT NULL,
        name text NOT NULL,
        slot timestamptz NOT NULL,
        changes boolean NOT NULL,
        assessments bigint NOT NULL,
        PRIMARY KEY (organization_id, production, name, slot, changes)
      ) WITH (fillfactor = ${sql.literal(String(countsFill))})
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.agent_paces TO ${sql(`action_risk_${mode}`)}`
    for (const recount of recounts) yield* sql.unsafe(recount)
    yield* sql`ALTER TABLE ${schema}.history ALTER COLUMN changes DROP DEFAULT`
    yield* sql`ALTER TABLE ${schema}.units ALTER COLUMN changes DROP DEFAULT`
  }
  yield* sql`RESET search_path`
})
