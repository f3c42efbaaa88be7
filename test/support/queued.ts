/** Rows inserted into the outbox, and time that passes for them without waiting. */

import { Effect, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import type { Mode } from "../../src/domain/Caller.ts"
import type { WebhookEventType } from "../../src/domain/WebhookEvent.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"

export const mode: Mode = "test"
const sqlOfTests = Effect.map(ModeSql, (clients) => clients.for(mode))

export interface QueuedEndpoint {
  readonly organizationId: string
  readonly endpointId: string
  readonly secret: string
}

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`

export interface EndpointOptions {
  readonly organizationId?: string
  readonly url?: string
  readonly events?: ReadonlyArray<WebhookEventType>
  /** The secret before this one. */
  readonly previous?: { readonly secret: string; readonly hoursLeft: number }
}

export const newEndpoint = Effect.fnUntraced(function* (options: EndpointOptions = {}) {
  const {
    events = ["ping"],
    organizationId = randomUUID(),
    previous,
    url = "https://hooks.example/"
  } = options
  const sql = yield* sqlOfTests
  const secrets = yield* WebhookSecrets
  const endpointId = randomUUID()
  const secret = newSecret()
  const seal = (text: string) => secrets.seal({ organizationId, mode, endpointId }, Redacted.make(text))
  yield* sql`
    INSERT INTO webhook_endpoints (organization_id, endpoint_id, url, events, least_rank, enabled, created_at, secret,
      previous_secret, previous_until)
    VALUES (${organizationId}, ${endpointId}, ${url}, string_to_array(${events.join(" ")}, ' '), 0, true, now(),
      ${seal(secret)}, ${previous === undefined ? null : seal(previous.secret)},
      ${previous === undefined ? null : sql`now() + ${`${previous.hoursLeft} hours`}::interval`})
  `
  const endpoint: QueuedEndpoint = { organizationId, endpointId, secret }
  return endpoint
})

/** Pings for an endpoint, due one after the other, the last of them now. */
export const queue = Effect.fnUntraced(function* (
  { endpointId, organizationId }: QueuedEndpoint,
  count = 1,
  dueInMs = 0
) {
  const sql = yield* sqlOfTests
  const batch = randomBytes(12).toString("hex")
  yield* sql`
    INSERT INTO webhook_events (organization_id, event_id, type, created_at, data)
    SELECT ${organizationId}, 'evt_' || ${batch} || lpad(n::text, 8, '0'), 'ping', now(),
      json_build_object('endpoint_id', ${endpointId}::text)
    FROM generate_series(1, ${count}::int) AS n
  `
  yield* sql`
    INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
      next_attempt_at, created_at)
    SELECT ${organizationId}, time_ordered_id(now()), ${endpointId}, 'evt_' || ${batch} || lpad(n::text, 8, '0'), 'ping',
      'pending', 0, now() + (n - ${count}::int + ${dueInMs}::int) * interval '1 ms', now()
    FROM generate_series(1, ${count}::int) AS n
  `
})

/** Shifts every row by the same time. */
export const passTime = Effect.fnUntraced(function* (ms: number) {
  const sql = yield* sqlOfTests
  const past = sql`${ms}::float8 * interval '1 ms'`
  yield* sql`
    UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - ${past}, claimed_until = claimed_until - ${past},
      created_at = created_at - ${past}
  `
  yield* sql`
    UPDATE webhook_endpoints SET failing_since = failing_since - ${past}, previous_until = previous_until - ${past}
  `
})

export interface QueuedDelivery {
  readonly deliveryId: string
  readonly endpointId: string
  readonly eventId: string
  readonly type: string
  readonly status: string
  readonly attempts: number
  readonly lastStatus: number | null
  /** Milliseconds from now; null if there is none. */
  readonly nextInMs: number | null
  readonly claimed: boolean
}

export const deliveriesOf = Effect.fnUntraced(function* ({
  organizationId
}: Pick<QueuedEndpoint, "organizationId">) {
  const sql = yield* sqlOfTests
  return yield* sql<QueuedDelivery>`
    SELECT delivery_id AS "deliveryId", endpoint_id AS "endpointId", event_id AS "eventId", type, status, attempts,
      last_status AS "lastStatus", claimed_by IS NOT NULL AS claimed,
      (extract(epoch FROM next_attempt_at - statement_timestamp()) * 1000)::float8 AS "nextInMs"
    FROM webhook_deliveries WHERE organization_id = ${organizationId} ORDER BY delivery_id
  `
})

export const endpointState = Effect.fnUntraced(function* ({
  endpointId
}: Pick<QueuedEndpoint, "endpointId">) {
  const sql = yield* sqlOfTests
  const [row] = yield* sql<{ readonly enabled: boolean; readonly failing: boolean }>`
    SELECT enabled, failing_since IS NOT NULL AS failing FROM webhook_endpoints WHERE endpoint_id = ${endpointId}
  `
  return row
})
