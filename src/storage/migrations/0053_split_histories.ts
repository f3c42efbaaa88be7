/** History of production and of everything else apart, in both modes, and sums of every assessment by agent, destination and organization. */

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

/** What was assessed before counts anew, each in the history of its environment. */
const recounts = [
  `INSERT INTO paces (organization_id, production, slot, assessments)
  SELECT organization_id, production, ${tenMinutes}, count(*) FROM history WHERE ${recent} GROUP BY 1, 2, 3`,
  // Summed under the folded name, or under the pool that the unit remembers.
  `INSERT INTO sums (organization_id, production, scope, name, hour, entities, usd_cents)
  SELECT organization_id, history.production, scope, name, date_trunc('hour', created_at, 'UTC'), sum(scored_entities), sum(scored_usd_cents)
  FROM history LEFT JOIN units USING (organization_id, day, fingerprint) CROSS JOIN LATERAL (VALUES
    ('agent', lower(coalesce(summed_under, agent_id, ''))), ('destination', destination_key), ('organization', '')
  ) AS of (scope, name)
  WHERE ${recent} AND action_class <> 'read' AND name IS NOT NULL GROUP BY 1, 2, 3, 4, 5`,
  `UPDATE units SET production = true FROM (
    SELECT DISTINCT organization_id, day, fingerprint FROM history WHERE ${recent} AND production
  ) AS live
  WHERE (units.organization_id, units.day, units.fingerprint) = (live.organization_id, live.day, live.fingerprint)`,
  `CREATE TEMPORARY TABLE accepted ON COMMIT DROP AS
  SELECT DISTINCT ON (organization_id, day, fingerprint) * FROM history
  WHERE ${recent} AND NOT EXISTS (SELECT FROM reviews WHERE reviews.organization_id = history.organization_id
    AND reviews.assessment_id = history.assessment_id AND outcome = 'risk_rejected')
  ORDER BY organization_id, day, fingerprint, created_at, assessment_id`,
  `INSERT INTO unit_figures (organization_id, production, day, measure, figure, units)
  SELECT organization_id, production, day, measure, figure, count(*)
  FROM accepted CROSS JOIN LATERAL (VALUES
    ('units', 0::bigint), ('entities', ${firstTwoDigits("stated_entities")}), (action_category, ${firstTwoDigits("stated_usd_cents")})
  ) AS of (measure, figure)
  WHERE figure IS NOT NULL GROUP BY 1, 2, 3, 4, 5`,
  `INSERT INTO sightings (organization_id, production, kind, name, day, units, first_at, largest_entities, largest_usd_cents)
  SELECT organization_id, production, kind, name, day, count(*), min(created_at),
    max(coalesce(stated_entities, 0)), max(coalesce(stated_usd_cents, 0))
  FROM accepted CROSS JOIN LATERAL (VALUES
    ('action_type', normalized_action_type), ('agent', agent_id), ('destination', destination_key)
  ) AS of (kind, name)
  WHERE name IS NOT NULL GROUP BY 1, 2, 3, 4, 5`,
  "DROP TABLE pg_temp.accepted"
] as const

export const splitHistories = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    yield* sql`SELECT set_config('search_path', ${mode}, true)`
    // The environment that was stated. Where it cannot be known, the assessment is evidence about nothing in production,
    // and missing history only raises.
    yield* sql`ALTER TABLE ${schema}.history ADD COLUMN production boolean NOT NULL DEFAULT false`
    yield* sql`
      UPDATE ${schema}.history SET production = true FROM ${schema}.assessments AS asked
      WHERE asked.organization_id = history.organization_id AND asked.assessment_id = history.assessment_id
        AND asked.item->>'environment' = 'production' AND history.created_at > now() - interval '40 days'
    `
    yield* sql`ALTER TABLE ${schema}.history ALTER COLUMN production DROP DEFAULT`
    yield* sql`TRUNCATE ${schema}.paces, ${schema}.unit_figures, ${schema}.sightings`
    yield* sql`
      ALTER TABLE ${schema}.paces ADD COLUMN production boolean NOT NULL,
        DROP CONSTRAINT paces_pkey, ADD PRIMARY KEY (organization_id, production, slot)
    `
    yield* sql`
      ALTER TABLE ${schema}.unit_figures ADD COLUMN production boolean NOT NULL,
        DROP CONSTRAINT unit_figures_pkey, ADD PRIMARY KEY (organization_id, production, day, measure, figure)
    `
    // Figures of the day itself count towards nothing, so no unit has to be left out of the largest ones any more.
    yield* sql`
      ALTER TABLE ${schema}.sightings ADD COLUMN production boolean NOT NULL, DROP COLUMN largest_entities_by,
        DROP COLUMN other_entities, DROP COLUMN largest_usd_cents_by, DROP COLUMN other_usd_cents,
        DROP CONSTRAINT sightings_pkey, ADD PRIMARY KEY (organization_id, production, kind, name, day)
    `
    yield* sql`ALTER TABLE ${schema}.units ADD COLUMN production boolean NOT NULL DEFAULT false`
    // Sums of scored figures per hour, classes other than read: by agent or pool, by destination, and by organization under
    // the empty name.
    yield* sql`
      CREATE TABLE ${schema}.sums (
        organization_id uuid NOT NULL,
        production boolean NOT NULL,
        scope text NOT NULL CHECK (scope IN ('agent', 'destination', 'organization')),
        name text NOT NULL,
        hour timestamptz NOT NULL,
        entities numeric NOT NULL,
        usd_cents numeric NOT NULL,
        PRIMARY KEY (organization_id, production, scope, name, hour)
      ) WITH (fillfactor = ${sql.literal(String(countsFill))})
    `
    yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.sums TO ${sql(`action_risk_${mode}`)}`
    for (const recount of recounts) yield* sql.unsafe(recount)
    yield* sql`DROP TABLE ${schema}.agent_sums`
    yield* sql`
      ALTER TABLE ${schema}.units ALTER COLUMN production DROP DEFAULT, DROP COLUMN last_hour, DROP COLUMN moved_from,
        DROP COLUMN summed_entities, DROP COLUMN summed_usd_cents, DROP COLUMN summed_under, DROP COLUMN returned
    `
  }
  yield* sql`RESET search_path`
})
