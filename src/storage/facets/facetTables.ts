/** The tables behind filters and statistics: how assessments are written to them, and how an erased one is removed. */

import { Effect } from "effect"
import { actionCategories, environments } from "../../domain/Action.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { facetNamesPerDayMax, facetsBatchMax } from "../../limits.ts"
import { rowBeside } from "../sql/rows.ts"
import { askedRanges, type Projection } from "./followSeals.ts"

/** Values that are stored as their index in a list, from 1. Invariant: such a list may only grow at its end. */
export const numberedFacets = {
  level: actionRiskLevels,
  environment: environments,
  category: actionCategories
} as const

/** The names by which days are counted: the kinds in `name_tallies`. */
export const facetNames = ["agent_id", "action_type", "factor"] as const
export type FacetName = (typeof facetNames)[number]

const numberOf = (facet: keyof typeof numberedFacets, value: string): string =>
  `array_position(ARRAY['${numberedFacets[facet].join("', '")}'], ${value})::smallint`

/** An SQL expression for whether an assessment has a review, using the columns of its facets. */
export const notableSql = `(NOT complete OR level >= ${numberedFacets.level.indexOf("high") + 1})`

/** The UTC day encoded in an id. Not that of `created_at`, because lists are ordered by id. */
const dayOfId = (id: string): string =>
  `(to_timestamp(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date`

/** The counts by name of `facets` with a `day`. Most are of factors, which are counted by their number in `codes`. */
const named = (facets: string, codes: string): string => `
  SELECT organization_id, kind, day, name, count(*) AS count, count(*) FILTER (WHERE notable) AS notable FROM (
    SELECT organization_id, day, 'agent_id' AS kind, agent_id AS name, ${notableSql} AS notable FROM ${facets} WHERE agent_id <> ''
    UNION ALL SELECT organization_id, day, 'action_type', action_type, ${notableSql} FROM ${facets} WHERE action_type <> ''
  ) AS named GROUP BY 1, 2, 3, 4
  UNION ALL SELECT organization_id, 'factor', day, code, count, notable FROM (
    SELECT organization_id, day, number, count(*) AS count, count(*) FILTER (WHERE ${notableSql}) AS notable
    FROM ${facets} CROSS JOIN LATERAL unnest(factors) AS number GROUP BY 1, 2, 3
  ) AS numbers JOIN ${codes} USING (number)`

/**
 * The codes of a stored answer's factors, found without parsing it and whatever its bytes are: parsing took half of the total time for
 * facets. No caller's text can contain any of the markers, because quotes in it are escaped.
 */
const factorCodes = `ARRAY(
    SELECT split_part(piece, '"', 1) FROM unnest(string_to_array(
      split_part(split_part(encode(response, 'escape'), '"risk_factors":', 2), ',"recommended_control":', 1), '"code":"'
    )) WITH ORDINALITY AS pieces (piece, at) WHERE at > 1
  )`

/**
 * Creates the facets of sealed assessments, and counts those that were new. A seal without an assessment belongs to an erased one. Rows are
 * written in key order, so that two transactions never wait in a circle. On a day with the maximum number of names, a new name is counted
 * under the empty name.
 */
export const makeFacetsStatement = `
WITH assessed AS MATERIALIZED (
  SELECT sealed.*, ${dayOfId("assessment_id")} AS day, complete,
    ${numberOf("level", "listed.action_risk ->> 'level'")} AS level,
    ${numberOf("environment", "listed.environment")} AS environment,
    ${numberOf("category", "listed.action_category")} AS category,
    listed.agent_id, listed.action_type, ${factorCodes} AS codes
  FROM ${askedRanges}
    CROSS JOIN LATERAL (
      SELECT organization_id, assessment_id FROM seals
      WHERE organization_id = organization AND sequence BETWEEN first AND last
      ORDER BY sequence LIMIT (last - first + 1)
    ) AS sealed
    CROSS JOIN LATERAL ${rowBeside({ table: "assessments", of: "sealed", columns: "complete, item, response" })} AS kept
    CROSS JOIN LATERAL json_to_record(item)
      AS listed (action_risk json, environment text, action_category text, agent_id text, action_type text)
), codes AS MATERIALIZED (
  SELECT DISTINCT code FROM assessed CROSS JOIN LATERAL unnest(codes) AS code
), known AS MATERIALIZED (
  SELECT number, code FROM facet_factors WHERE code IN (SELECT code FROM codes)
), learned AS (
  INSERT INTO facet_factors (code) SELECT code FROM codes WHERE code NOT IN (SELECT code FROM known)
  ON CONFLICT DO NOTHING RETURNING number, code
), numbered AS MATERIALIZED (
  SELECT * FROM known UNION ALL SELECT * FROM learned
), made AS (
  INSERT INTO facets (organization_id, assessment_id, level, environment, category, complete, agent_id, action_type, factors)
  SELECT organization_id, assessment_id, level, environment, category, complete, agent_id, action_type,
    ARRAY(SELECT number FROM numbered WHERE numbered.code = ANY (codes))
  FROM assessed WHERE level IS NOT NULL AND environment IS NOT NULL AND category IS NOT NULL AND action_type IS NOT NULL
  ORDER BY organization_id, assessment_id
  ON CONFLICT DO NOTHING RETURNING *
), fresh AS MATERIALIZED (
  SELECT made.*, day FROM assessed JOIN made USING (organization_id, assessment_id)
), counted AS (
  INSERT INTO tallies (organization_id, day, level, environment, category, complete, count)
  SELECT organization_id, day, level, environment, category, complete, count(*) FROM fresh
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (organization_id, day, level, environment, category, complete) DO UPDATE SET count = tallies.count + excluded.count
), named AS MATERIALIZED (${named("fresh", "numbered")}
), placed AS (
  SELECT named.*, stored.name IS NOT NULL AS is_stored,
    row_number() OVER (PARTITION BY organization_id, kind, day, stored.name IS NULL ORDER BY name) AS place
  FROM named LEFT JOIN name_tallies AS stored USING (organization_id, kind, day, name)
), room AS (
  SELECT organization_id, kind, day, ${facetNamesPerDayMax} - (
      SELECT count(*) FROM name_tallies AS stored
      WHERE stored.organization_id = full_days.organization_id AND stored.kind = full_days.kind AND stored.day = full_days.day
    ) AS names
  FROM (SELECT DISTINCT organization_id, kind, day FROM placed WHERE NOT is_stored) AS full_days
)
INSERT INTO name_tallies (organization_id, kind, day, name, count, notable)
SELECT organization_id, kind, day, CASE WHEN is_stored OR place <= names THEN name ELSE '' END AS name, sum(count), sum(notable)
FROM placed LEFT JOIN room USING (organization_id, kind, day)
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (organization_id, kind, day, name) DO UPDATE
SET count = name_tallies.count + excluded.count, notable = name_tallies.notable + excluded.notable`

const erasedFacets = `gone AS MATERIALIZED (
  SELECT facets.*, ${dayOfId("assessment_id")} AS day FROM facets WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])
)`

/** Takes the same parameters. */
const noteProgress = `
INSERT INTO facets_made (organization_id, high)
SELECT organization, last FROM ${askedRanges}
ON CONFLICT (organization_id) DO UPDATE SET high = excluded.high`

const daysErased = `SELECT ${dayOfId("id")} FROM unnest($2::uuid[]) AS erased (id)`

/** A name without its own count was counted under the empty one. Counts keep no name whose count has dropped to zero. */
const eraseFacets: ReadonlyArray<string> = [
  `WITH ${erasedFacets}, less AS MATERIALIZED (
    SELECT day, level, environment, category, complete, count(*) AS count FROM gone GROUP BY 1, 2, 3, 4, 5
  )
  UPDATE tallies SET count = tallies.count - less.count FROM less
  WHERE organization_id = $1::uuid AND tallies.day = less.day AND tallies.level = less.level
    AND tallies.environment = less.environment AND tallies.category = less.category AND tallies.complete = less.complete`,
  `WITH ${erasedFacets}, less AS MATERIALIZED (
    SELECT kind, day, coalesce(stored.name, '') AS name, sum(named.count) AS count, sum(named.notable) AS notable
    FROM (${named("gone", "facet_factors")}) AS named LEFT JOIN name_tallies AS stored USING (organization_id, kind, day, name)
    GROUP BY 1, 2, 3
  )
  UPDATE name_tallies SET count = name_tallies.count - less.count, notable = name_tallies.notable - less.notable FROM less
  WHERE organization_id = $1::uuid AND name_tallies.kind = less.kind AND name_tallies.day = less.day
    AND name_tallies.name = less.name`,
  `DELETE FROM tallies WHERE organization_id = $1::uuid AND day IN (${daysErased}) AND count <= 0`,
  `DELETE FROM name_tallies WHERE organization_id = $1::uuid AND kind IN ('${facetNames.join("', '")}')
    AND day IN (${daysErased}) AND count <= 0`,
  "DELETE FROM facets WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])"
]

/**
 * The facets by which lists are filtered and which statistics count.
 *
 * Measured with 10^6 rows for each of two organizations. Counts by day and level take 19 ms from `tallies` and 4,400 ms from `facets`; by
 * name, 1 to 15 ms from `name_tallies` and 1,400 to 3,900 ms. Four plain indexes on `facets` (agent, action, levels, factors) answer such
 * counts in 265 to 320 ms, and a rare filter in 1 to 2 ms, where the days of `name_tallies` take 3 ms. But they take as many bytes as the
 * table, and a row takes 47 µs to write instead of 19.
 */
export const facets: Projection = {
  what: "make facets",
  lockSpace: 0x6661,
  rowsMax: facetsBatchMax,
  roundMs: Infinity,
  progress: "SELECT high FROM facets_made WHERE facets_made.organization_id = asked.organization_id",
  make: (sql, ranges) =>
    Effect.andThen(sql.unsafe(makeFacetsStatement, ranges), sql.unsafe(noteProgress, ranges)),
  erase: eraseFacets
}
