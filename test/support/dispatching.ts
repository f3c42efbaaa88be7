/** A dispatcher of test mode on a fresh database, and the steps that drive it. */

import { Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { Webhook } from "standardwebhooks"
import { Secrets } from "../../src/storage/Secrets.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { makeDispatcher } from "../../src/webhooks/worker.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { mode } from "./queued.ts"
import type { Received } from "./webhookReceiver.ts"

export const secretsUnder = (pepper: string) =>
  Layer.fresh(WebhookSecrets.layer).pipe(
    Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] }))
  )

export const webhookStores = Layer.mergeAll(
  WebhookOutbox.layer,
  secretsUnder("pepper"),
  Logger.layer([])
).pipe(Layer.provideMerge(TestDatabase.layer))

export const startDispatcher = makeDispatcher({
  mode,
  allowInsecure: "loopback",
  consoleUrl: "https://console.example",
  onAttemptEnded: () => undefined
})

type Dispatch = Effect.Success<typeof startDispatcher>

/** Sends due deliveries until none is due; fails after a hundred rounds. */
export const sendAll = ({ idle, claimAndSend }: Dispatch) =>
  Effect.gen(function* () {
    const { isDue } = yield* WebhookOutbox
    for (let rounds = 0; rounds < 100; rounds++) {
      yield* claimAndSend
      yield* idle
      if (!(yield* isDue(mode))) return
    }
    return yield* Effect.die(new Error("deliveries are still due after a hundred rounds"))
  })

export const sendOnce = ({ idle, claimAndSend }: Dispatch) => Effect.andThen(claimAndSend, idle)

export const verified = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, { ...headers })

export const emptyOutbox = Effect.gen(function* () {
  const sql = (yield* ModeSql).for(mode)
  for (const table of ["webhook_deliveries", "webhook_events", "webhook_endpoints"])
    yield* sql`DELETE FROM ${sql(table)}`
})

export type ClaimBody = Effect.Effect<void, unknown, Layer.Success<typeof webhookStores> | Scope.Scope>
