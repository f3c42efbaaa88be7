/** Forgets secrets whose time is over: those that were replaced, and those in answers that are remembered no more. */

import { Effect } from "effect"
import type { Mode } from "../domain/Mode.ts"
import { idempotencyMemoryHours, idempotencySweepKeysMax } from "../Limits.ts"
import { ModeSql } from "./Sql.ts"

export const forgetWebhookSecrets = Effect.fn("forgetWebhookSecrets")(function* (mode: Mode) {
  const sql = (yield* ModeSql).for(mode)
  // In the order in which the relay disables them.
  yield* sql`
    WITH replaced AS MATERIALIZED (
      SELECT organization_id, endpoint_id FROM webhook_endpoints WHERE previous_until <= statement_timestamp()
      ORDER BY organization_id, endpoint_id FOR UPDATE
    )
    UPDATE webhook_endpoints AS endpoint SET previous_secret = NULL, previous_until = NULL
    FROM replaced
    WHERE endpoint.organization_id = replaced.organization_id AND endpoint.endpoint_id = replaced.endpoint_id
  `
  const forget = sql`
    DELETE FROM webhook_answers WHERE (organization_id, idempotency_key) IN (
      SELECT organization_id, idempotency_key FROM webhook_answers
      WHERE answered_at <= statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
      ORDER BY answered_at LIMIT ${idempotencySweepKeysMax} FOR UPDATE SKIP LOCKED
    ) RETURNING 1
  `
  yield* Effect.repeat(forget, { while: (forgotten) => forgotten.length === idempotencySweepKeysMax })
})
