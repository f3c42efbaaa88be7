/** Tests of the outbox: its stores, and what a relay does with it, by hand. */

import { layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { webhookHostAttemptsMax, webhookOrganizationAttemptsMax } from "../../src/limits.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { type AttemptOutcome } from "../../src/storage/webhooks/AttemptResult.ts"
import {
  type AttemptRooms,
  type ClaimedDelivery,
  claimStart
} from "../../src/storage/webhooks/ClaimedDelivery.ts"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { mode } from "./queued.ts"

const secrets = WebhookSecrets.layer.pipe(
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make("pepper")] }))
)
export const outboxStores = Layer.mergeAll(WebhookOutbox.layer, secrets).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

/** Capacity for every endpoint, but no extra for any endpoint beyond its guaranteed share. */
export const roomForAll: AttemptRooms = {
  organization: webhookOrganizationAttemptsMax / 2,
  organizations: {},
  host: webhookHostAttemptsMax / 2,
  hosts: {}
}

interface Wanted {
  readonly rooms?: AttemptRooms
  readonly rowsMax?: number
  readonly pausedEndpoints?: ReadonlyArray<string>
}

export const claimOnce = ({ pausedEndpoints = [], rooms = roomForAll, rowsMax = 64 }: Wanted = {}) =>
  Effect.flatMap(WebhookOutbox, ({ claim }) =>
    claim({ mode, after: claimStart, pausedEndpoints, rowsMax, rooms })
  )

export const claimed = (wanted?: Wanted) => Effect.map(claimOnce(wanted), ({ deliveries }) => deliveries)

export const markAs = (
  { deliveryId, organizationId, token, url }: ClaimedDelivery,
  outcome: AttemptOutcome,
  nextAttemptMs: number | null = null
) =>
  Effect.flatMap(WebhookOutbox, ({ mark }) =>
    mark(mode, { organizationId, deliveryId, token, url, outcome, answered: 500, nextAttemptMs })
  )

export const emptyOutbox = Effect.gen(function* () {
  const sql = (yield* ModeSql).for(mode)
  for (const table of ["webhook_deliveries", "webhook_events", "webhook_endpoints"])
    yield* sql`DELETE FROM ${sql(table)}`
})

export const countBy = (deliveries: ReadonlyArray<ClaimedDelivery>) =>
  Object.fromEntries(
    [...Map.groupBy(deliveries, ({ endpointId }) => endpointId)].map(([endpointId, own]) => [
      endpointId,
      own.length
    ])
  )

type OnEmptyOutbox = (
  name: string,
  body: Effect.Effect<void, unknown, Layer.Success<typeof outboxStores>>
) => void

/** Tests that each begin with an empty outbox. */
export const describeOutbox = (name: string, tests: (onEmptyOutbox: OnEmptyOutbox) => void): void =>
  layer(outboxStores, { excludeTestServices: true })(name, (it) =>
    tests((title, body) => it.effect(title, () => Effect.andThen(emptyOutbox, body)))
  )
