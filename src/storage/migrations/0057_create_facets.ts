/** What lists are filtered by and what statistics count, in both modes: narrow rows beside the assessments, made from them later. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"

/** Percent. Room on the page of a row that is counted up, so that the index is left alone. */
const countsFill = 70

/**
 * The codes of a stored answer's factors. Only their part of the answer is parsed, which costs a fraction of parsing all of
 * it: no text of a caller can hold either mark, because quotes in it are escaped. Where the bytes are no such JSON, there are
 * none.
 */
const factorCodes = `$$
  BEGIN
    RETURN ARRAY(
      SELECT DISTINCT factor ->> 'code' FROM json_array_elements(
        split_part(split_part(convert_from(response, 'UTF8'), '"risk_factors":', 2), ',"recommended_control":', 1)::json
      ) AS factor
    );
  EXCEPTION WHEN data_exception THEN
    RETURN '{}';
  END
$$`

export const createFacets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    // Levels, environments and categories are numbers, factors the numbers of their codes: a list reads many of these rows.
    yield* sql`
      CREATE TABLE ${schema}.facets (
        organization_id uuid NOT NULL,
        assessment_id uuid NOT NULL,
        level smallint NOT NULL,
        environment smallint NOT NULL,
        category smallint NOT NULL,
        complete boolean NOT NULL,
        agent_id text,
        action_type text NOT NULL,
        factors smallint[] NOT NULL,
        PRIMARY KEY (organization_id, assessment_id)
      )
    `
    yield* sql`
      CREATE TABLE ${schema}.facet_factors (
        number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        code text NOT NULL UNIQUE
      )
    `
    // Of the day, in UTC, that the ids of the assessments begin with.
    yield* sql`
      CREATE TABLE ${schema}.tallies (
        organization_id uuid NOT NULL,
        day date NOT NULL,
        level smallint NOT NULL,
        environment smallint NOT NULL,
        category smallint NOT NULL,
        complete boolean NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (organization_id, day, level, environment, category, complete)
      ) WITH (fillfactor = ${sql.literal(String(countsFill))})
    `
    // Under the empty name: names beyond the most that a day counts apart, together. `notable` of them have a review.
    yield* sql`
      CREATE TABLE ${schema}.name_tallies (
        organization_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('agent_id', 'action_type', 'factor')),
        day date NOT NULL,
        name text NOT NULL,
        count bigint NOT NULL,
        notable bigint NOT NULL,
        PRIMARY KEY (organization_id, kind, day, name)
      ) WITH (fillfactor = ${sql.literal(String(countsFill))})
    `
    yield* sql`
      CREATE INDEX name_tallies_by_name ON ${schema}.name_tallies (organization_id, kind, name, day)
    `
    // Every assessment whose seal has a sequence from `low` to `high` has its row. What was stored before is below.
    yield* sql`
      CREATE TABLE ${schema}.facets_made (
        organization_id uuid PRIMARY KEY,
        low bigint NOT NULL,
        high bigint NOT NULL
      ) WITH (fillfactor = ${sql.literal(String(countsFill))})
    `
    yield* sql`CREATE INDEX facets_missing ON ${schema}.facets_made (organization_id) WHERE low > 1`
    yield* sql`
      CREATE FUNCTION ${schema}.factor_codes(response bytea) RETURNS text[] LANGUAGE plpgsql IMMUTABLE
      AS ${sql.literal(factorCodes)}
    `
    yield* sql`GRANT EXECUTE ON FUNCTION ${schema}.factor_codes TO ${role}`
    // Only the owner takes a row of facets away: when its assessment is erased.
    yield* sql`GRANT SELECT, INSERT ON ${schema}.facets, ${schema}.facet_factors TO ${role}`
    yield* sql`
      GRANT SELECT, INSERT, UPDATE ON ${schema}.tallies, ${schema}.name_tallies, ${schema}.facets_made TO ${role}
    `
  }
})
