/** Recounts the snapshot tables from the rows of history, and names the tables that differ. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const rounded = (column: string): string =>
  `rpad(left(${column}::text, 2), length(${column}::text), '0')::bigint`

/** By table: the compared columns, and the statement that counts them from `history`, `firsts` and `accepted`. */
const recounts: Readonly<Record<string, { readonly held: string; readonly counted: string }>> = {
  // No row of history says under which name a caller's part of the agents' paces is counted.
  agent_paces: {
    held: `SELECT organization_id, production, changes, slot, sum(assessments) FROM agent_paces GROUP BY 1, 2, 3, 4`,
    counted: `SELECT organization_id, production, changes, date_bin('10 minutes', created_at, '2000-01-01 00:00:00+00'),
      count(*) FROM history GROUP BY 1, 2, 3, 4`
  },
  units: {
    held: `SELECT organization_id, day, fingerprint, production, changes, action_category, stated_entities, stated_usd_cents, withdrawn
      FROM units`,
    counted: `SELECT organization_id, day, fingerprint, production, changes, action_category, stated_entities, stated_usd_cents,
      NOT EXISTS (SELECT FROM accepted WHERE (accepted.organization_id, accepted.day, accepted.fingerprint)
        = (firsts.organization_id, firsts.day, firsts.fingerprint))
      FROM firsts`
  },
  unit_figures: {
    held: "SELECT organization_id, production, changes, day, measure, figure, units FROM unit_figures",
    counted: `SELECT organization_id, production, changes, day, 'units', 0, count(*) FROM accepted GROUP BY 1, 2, 3, 4
      UNION ALL SELECT organization_id, production, changes, day, 'entities', ${rounded("stated_entities")}, count(*)
      FROM accepted WHERE stated_entities IS NOT NULL GROUP BY 1, 2, 3, 4, 6
      UNION ALL SELECT organization_id, production, changes, day, action_category, ${rounded("stated_usd_cents")}, count(*)
      FROM accepted WHERE stated_usd_cents IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`
  },
  sightings: {
    held: "SELECT organization_id, production, changes, kind, name, day, units FROM sightings",
    counted: ["action_type:normalized_action_type", "agent:agent_id", "destination:destination_key"]
      .map((pair) => pair.split(":"))
      .map(
        ([kind, column]) => `SELECT organization_id, production, changes, '${kind}', ${column}, day, count(*)
          FROM accepted WHERE ${column} IS NOT NULL GROUP BY 1, 2, 3, 5, 6`
      )
      .join(" UNION ALL ")
  },
  // The sizes of action types and agents are never read.
  "sightings of destinations": {
    held: `SELECT organization_id, production, changes, name, day, largest_entities, largest_usd_cents
      FROM sightings WHERE kind = 'destination'`,
    counted: `SELECT organization_id, production, changes, destination_key, day,
      max(coalesce(stated_entities, 0)), max(coalesce(stated_usd_cents, 0))
      FROM accepted WHERE destination_key IS NOT NULL GROUP BY 1, 2, 3, 4, 5`
  },
  // No row of history says under which name a caller's part of the agents' sums is counted.
  sums: {
    held: `SELECT organization_id, production, scope, name, hour, entities, usd_cents FROM sums WHERE scope <> 'agent'
      UNION ALL SELECT organization_id, production, 'agent', '', hour, sum(entities), sum(usd_cents) FROM sums
      WHERE scope = 'agent' GROUP BY 1, 2, 5`,
    counted: `SELECT organization_id, production, scope, name, date_trunc('hour', created_at, 'UTC'),
        sum(scored_entities), sum(scored_usd_cents)
      FROM history CROSS JOIN LATERAL (VALUES
        ('agent', ''), ('destination', destination_summed_under), ('organization', '')
      ) AS of (scope, name)
      WHERE action_class <> 'read' AND name IS NOT NULL GROUP BY 1, 2, 3, 4, 5`
  }
}

const firsts = `WITH firsts AS (
  SELECT DISTINCT ON (organization_id, day, fingerprint) *
  FROM history ORDER BY organization_id, day, fingerprint, created_at, assessment_id
), accepted AS (
  SELECT DISTINCT ON (organization_id, day, fingerprint) *
  FROM history WHERE NOT EXISTS (SELECT FROM reviews WHERE reviews.organization_id = history.organization_id
    AND reviews.assessment_id = history.assessment_id AND outcome = 'risk_rejected')
  ORDER BY organization_id, day, fingerprint, created_at, assessment_id
)`

/** Empty if every count matches the rows. */
export const miscounted = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const wrong: Array<string> = []
  for (const [table, { counted, held }] of Object.entries(recounts)) {
    const [row] = yield* sql.unsafe<{ readonly differ: boolean }>(
      `${firsts} SELECT EXISTS ((${held}) EXCEPT ALL (${counted})) OR EXISTS ((${counted}) EXCEPT ALL (${held})) AS differ`
    )
    if (row?.differ !== false) wrong.push(table)
  }
  return wrong
})
