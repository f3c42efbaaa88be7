/** What was kept long enough goes, whatever hinders something else from going. */

import { expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { sweepOutbox } from "../../src/webhooks/worker.ts"

it.live("events are swept although the sweep of deliveries fails", () =>
  Effect.gen(function* () {
    const swept = Promise.withResolvers<void>()
    const outbox = {
      bury: () => Effect.succeed(0),
      sweepDeliveries: () => Effect.die(new Error("too slow")),
      sweepEvents: () =>
        Effect.sync(() => {
          swept.resolve()
          return 0
        })
    } as unknown as WebhookOutbox["Service"]
    yield* Effect.provideService(sweepOutbox, WebhookOutbox, outbox)
    expect(yield* Effect.promise(() => swept.promise)).toBeUndefined()
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)
