/** Makes the facets and counts of all that is stored by the statement of the service, a batch at a time, and measures what they cost. */

import { modes } from "../../src/domain/Caller.ts"
import { facetsBatchMax } from "../../src/limits.ts"
import { facets, makeFacetsStatement } from "../../src/storage/facets/facetTables.ts"
import type { Stage } from "./openStage.ts"
import { processorUsOf } from "./processorTime.ts"

interface FacetCost {
  /** Microseconds of processor. */
  readonly microsecondsARow: number
  readonly bytesARow: number
}

const sizeOf = `
  SELECT sum(pg_total_relation_size('test.' || name))::float8 AS bytes, (SELECT count(*) FROM test.facets)::int AS rows
  FROM unnest(ARRAY['facets', 'facet_factors', 'tallies', 'name_tallies', 'facets_made']) AS name`

const noteMade = `
  INSERT INTO test.facets_made (organization_id, high) VALUES ($1, $2)
  ON CONFLICT (organization_id) DO UPDATE SET high = excluded.high`

export const makeFacets = async ({ database, organizationId }: Stage): Promise<FacetCost> => {
  const client = await database.owner.connect()
  try {
    await client.query("SET search_path = test; SET synchronous_commit = off")
    // Meanwhile the service makes none.
    await client.query("SELECT pg_advisory_lock($1, $2)", [facets.lockSpace, modes.indexOf("test")])
    const { rows } = await client.query<{ last: number }>(
      "SELECT max(sequence)::int AS last FROM seals WHERE organization_id = $1",
      [organizationId]
    )
    const last = rows[0]?.last ?? 0
    const { rows: sessions } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
    const pid = sessions[0]?.pid ?? 0
    const before = processorUsOf(pid)
    for (let first = 1; first <= last; first += facetsBatchMax)
      await client.query(makeFacetsStatement, [
        [organizationId],
        [first],
        [Math.min(last, first + facetsBatchMax - 1)]
      ])
    const tookUs = processorUsOf(pid) - before
    await client.query(noteMade, [organizationId, last])
    await client.query("VACUUM (ANALYZE)")
    const { rows: sizes } = await client.query<{ bytes: number; rows: number }>(sizeOf)
    const made = sizes[0]?.rows ?? Number.NaN
    return { microsecondsARow: tookUs / made, bytesARow: (sizes[0]?.bytes ?? Number.NaN) / made }
  } finally {
    client.release(true)
  }
}
