/** Webhook endpoints in a test's database, and the rows in its outbox. */

import { Effect } from "effect"
import type { Mode } from "../../src/domain/Caller.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import type { EndpointRow } from "./definedOutbox.ts"

/** With an unusable secret, for tests that send nothing. */
export const storeEndpoint = Effect.fnUntraced(function* (mode: Mode, endpoint: EndpointRow) {
  const sql = (yield* ModeSql).for(mode)
  const { enabled, endpointId, events, leastRank, organizationId } = endpoint
  yield* sql`
    INSERT INTO webhook_endpoints (organization_id, endpoint_id, url, events, least_rank, enabled, created_at, secret)
    VALUES (${organizationId}, ${endpointId}, 'https://hooks.example/', string_to_array(${events.join(" ")}, ' '),
      ${leastRank}, ${enabled}, now(), '')
  `
})

const linesOf = (rows: ReadonlyArray<{ readonly line: string }>): ReadonlyArray<string> =>
  rows.map(({ line }) => line).toSorted()

/** As lines, sorted, of these organizations. */
export const outboxOf = Effect.fnUntraced(function* (mode: Mode, organizationIds: ReadonlyArray<string>) {
  const sql = (yield* ModeSql).for(mode)
  const theirs = sql`organization_id = ANY (string_to_array(${organizationIds.join(" ")}, ' ')::uuid[])`
  const reviews = yield* sql<{ readonly line: string }>`
    SELECT concat_ws(' ', organization_id, assessment_id, outcome) AS line FROM reviews WHERE ${theirs}
  `
  const events = yield* sql<{ readonly line: string }>`
    SELECT concat_ws(' ', organization_id, event_id, type) AS line FROM webhook_events WHERE ${theirs}
  `
  const deliveries = yield* sql<{ readonly line: string }>`
    SELECT concat_ws(' ', organization_id, event_id, type, endpoint_id) AS line FROM webhook_deliveries WHERE ${theirs}
  `
  return { reviews: linesOf(reviews), events: linesOf(events), deliveries: linesOf(deliveries) }
})
