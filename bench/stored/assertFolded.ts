/** The counts that snapshots are read from are those of the rows that they count. */

import { deepStrictEqual } from "node:assert/strict"
import type { Stage } from "./openStage.ts"

const counted = `
  SELECT (SELECT sum(assessments) FROM agent_paces) AS assessments, (SELECT count(*) FROM units) AS units,
    (SELECT sum(units) FROM unit_figures WHERE measure = 'units') AS figures,
    (SELECT sum(units) FROM sightings WHERE kind = 'agent') AS sightings,
    (SELECT sum(entities) FROM sums WHERE scope = 'organization') AS entities`

const inRows = `
  WITH first_of_days AS (
    SELECT DISTINCT ON (day, fingerprint) * FROM history ORDER BY day, fingerprint, created_at, assessment_id
  )
  SELECT (SELECT count(*) FROM history)::numeric AS assessments, count(*) AS units, count(*)::numeric AS figures,
    count(agent_id)::numeric AS sightings,
    (SELECT sum(scored_entities) FROM history WHERE action_class <> 'read') AS entities
  FROM first_of_days`

/** While nothing is written. */
export const assertFolded = async ({ database }: Stage): Promise<void> => {
  const client = await database.owner.connect()
  try {
    await client.query("SET search_path = test; SET work_mem = '256MB'")
    deepStrictEqual((await client.query(counted)).rows, (await client.query(inRows)).rows)
  } finally {
    client.release(true)
  }
}
