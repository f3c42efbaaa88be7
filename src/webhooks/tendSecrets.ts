/** Keeps webhook secrets under the newest pepper, and no longer than they sign, for as long as the process runs. */

import { Effect, Layer, Option, Schedule } from "effect"
import { modes } from "../domain/Mode.ts"
import { idempotencySweepMinutes, webhookSecretsRetryMs } from "../Limits.ts"
import { forgetWebhookSecrets } from "../storage/forgetWebhookSecrets.ts"
import { inBackground } from "../storage/inBackground.ts"
import { renewWebhookSecrets } from "../storage/renewWebhookSecrets.ts"

const renew = Effect.gen(function* () {
  const told = yield* Effect.forEach(modes, renewWebhookSecrets)
  const renewed = told.reduce((sum, of) => sum + of.renewed, 0)
  const unreadable = told.reduce((sum, of) => sum + of.unreadable, 0)
  if (renewed > 0)
    yield* Effect.logInfo("webhook secrets were encrypted under the newest pepper").pipe(
      Effect.annotateLogs({ secrets: renewed })
    )
  if (unreadable > 0)
    yield* Effect.logError(
      "webhook secrets cannot be read, and nothing is sent to their endpoints: list the pepper that encrypted them in KEY_PEPPER, or rotate them"
    ).pipe(Effect.annotateLogs({ secrets: unreadable }))
})

const forget = Effect.forEach(modes, (mode) =>
  inBackground("forget old webhook secrets", forgetWebhookSecrets(mode))
)

/** Needs `ModeSql` and `WebhookSecrets`. */
export const tendSecrets = Layer.effectDiscard(
  Effect.gen(function* () {
    // The peppers stay as they are while the process runs: once is enough.
    yield* Effect.forkScoped(
      Effect.repeat(inBackground("encrypt webhook secrets anew", renew), {
        until: Option.isSome,
        schedule: Schedule.spaced(webhookSecretsRetryMs)
      })
    )
    yield* Effect.forkScoped(Effect.repeat(forget, Schedule.spaced(`${idempotencySweepMinutes} minutes`)))
  })
)
