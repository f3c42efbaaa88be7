/** Makes the facets of assessments after their seals, in the background. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import { facetsBatchMax } from "../../limits.ts"
import { ModeSql } from "../sql/Sql.ts"
import { facetsLockSpace, makeFacetsStatement } from "./facetTables.ts"
import {
  alone,
  followGroups,
  type Made,
  rangeParameters,
  type SealRange,
  selectBehind
} from "./followSeals.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class Facets extends Context.Service<
  Facets,
  {
    /** Makes facets of what was sealed of these organizations, at most `facetsBatchMax`. */
    readonly follow: (mode: Mode, organizations: ReadonlyArray<string>) => Stored<Made>
    /** The organizations with seals that nobody has made facets of. Reads one row of each organization. */
    readonly behind: (mode: Mode) => Stored<ReadonlyArray<string>>
  }
>()("action-risk/storage/Facets") {
  static readonly layer = Layer.effect(
    Facets,
    Effect.gen(function* () {
      const clients = yield* ModeSql

      const follow = Effect.fn("Facets.follow")((mode: Mode, organizations: ReadonlyArray<string>) =>
        followGroups(clients, mode, organizations, (group, own) =>
          alone(group, facetsLockSpace, (sql) => followSeals(sql, own))
        )
      )
      const behind = Effect.fn("Facets.behind")((mode: Mode) => selectBehind(clients, mode, progressOf))
      return Facets.of({ follow, behind })
    })
  )
}

const make = (sql: SqlClient.SqlClient, ranges: ReadonlyArray<SealRange>) =>
  sql.unsafe(makeFacetsStatement, rangeParameters(ranges))

const progressOf = (sql: SqlClient.SqlClient) =>
  sql`SELECT high FROM facets_made WHERE facets_made.organization_id = asked.organization_id`

interface Progress {
  readonly organization_id: string
  readonly high: number
  readonly head: number
}

const followSeals = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizations: ReadonlyArray<string>
): Effect.fn.Return<Made, SqlError.SqlError> {
  const progress = yield* sql<Progress>`
    SELECT asked.organization_id, coalesce(high, 0)::float8 AS high, head.sequence::float8 AS head
    FROM unnest(${organizations}::uuid[]) AS asked (organization_id)
      LEFT JOIN facets_made USING (organization_id)
      CROSS JOIN LATERAL (
        SELECT sequence FROM seals WHERE seals.organization_id = asked.organization_id ORDER BY sequence DESC LIMIT 1
      ) AS head
    ORDER BY organization_id
  `
  let room = facetsBatchMax
  const ranges: Array<SealRange> = []
  for (const { head, high, organization_id: organizationId } of progress) {
    const first = high + 1
    const last = Math.min(head, first + room - 1)
    if (last < first) continue
    ranges.push({ organizationId, first, last })
    room -= last - first + 1
  }
  if (ranges.length > 0) {
    yield* make(sql, ranges)
    yield* sql`
      INSERT INTO facets_made (organization_id, high)
      SELECT * FROM unnest(${ranges.map(({ organizationId }) => organizationId)}::uuid[],
        ${ranges.map(({ last }) => last)}::bigint[])
      ON CONFLICT (organization_id) DO UPDATE SET high = excluded.high
    `
  }
  return room > 0 ? "all" : "more is left"
})
