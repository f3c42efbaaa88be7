/** The demo's webhook endpoints: a pager that gets every event, and a receiver that stopped answering six days ago. */

import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import type { Caller } from "../../domain/Caller.ts"
import { Database } from "../../storage/Database.ts"
import { Endpoints } from "../../webhooks/Endpoints.ts"

const events = ["assessment.high", "assessment.critical"] as const

const receivers = {
  pager: { url: "https://pager.northwind.example/risk", description: "On-call pager of the platform team" },
  siem: { url: "https://siem.northwind.example/ingest/action-risk", description: "Security event store" }
} as const

const goneDays = 6
/** The service disabled the endpoint this long ago and has sent it nothing since. */
const toldDays = 1

const owner = Effect.gen(function* () {
  const { url } = yield* Database
  return yield* PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
})

/** Runs before the story, so that the endpoints receive its events. */
export const makeReceivers = Effect.fnUntraced(function* (caller: Caller) {
  const { create } = yield* Endpoints
  for (const { description, url } of Object.values(receivers))
    yield* create({ caller, requestId: "", idempotencyKey: null }, { url, description, events: [...events] })
})

/**
 * Gives each delivery its result, as if the relay had worked for thirty days. So nothing is left to send to a host that does
 * not exist.
 */
export const settleDeliveries = Effect.fnUntraced(function* ({ mode, organizationId }: Caller) {
  const sql = yield* owner
  const gone = `now() - interval '${goneDays} days'`
  const siem = `SELECT endpoint_id FROM ${mode}.webhook_endpoints WHERE url = '${receivers.siem.url}'`
  const statements = [
    `UPDATE ${mode}.webhook_deliveries SET next_attempt_at = NULL, status = 'delivered', attempts = 1, last_status = 204
      WHERE organization_id = $1`,
    // A retry that arrived.
    `UPDATE ${mode}.webhook_deliveries SET attempts = 2 WHERE organization_id = $1 AND delivery_id IN (
      SELECT delivery_id FROM ${mode}.webhook_deliveries JOIN ${mode}.webhook_endpoints USING (organization_id, endpoint_id)
      WHERE url = '${receivers.pager.url}' ORDER BY delivery_id DESC OFFSET 3 LIMIT 1
    )`,
    `UPDATE ${mode}.webhook_deliveries SET status = 'dead', attempts = 8, last_status = 503
      WHERE organization_id = $1 AND created_at > ${gone} AND endpoint_id IN (${siem})`,
    `DELETE FROM ${mode}.webhook_deliveries
      WHERE organization_id = $1 AND created_at > now() - interval '${toldDays} days' AND endpoint_id IN (${siem})`,
    `UPDATE ${mode}.webhook_endpoints SET created_at = now() - interval '30 days',
      enabled = url <> '${receivers.siem.url}', failing_since = CASE WHEN url = '${receivers.siem.url}' THEN ${gone} END
      WHERE organization_id = $1`
  ]
  for (const statement of statements) yield* sql.unsafe(statement, [organizationId])
}, Effect.scoped)
