/** Ends what waits in vain and removes what was kept long enough, a few rows at a time, until its scope closes. */

import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { type Mode, modes } from "../domain/Mode.ts"
import {
  webhookLookMs,
  webhooksCountedEveryMs,
  webhookSweepMinutes,
  webhookSweptTogetherMax
} from "../Limits.ts"
import { inBackground } from "../storage/inBackground.ts"
import { WebhookOutbox } from "../storage/WebhookOutbox.ts"

/** In both modes, again as long as there may be more. What is left over is as old the next time. */
const throughout = (some: (mode: Mode) => Effect.Effect<number, SqlError.SqlError>) =>
  Effect.forEach(modes, (mode) =>
    inBackground(
      "sweep webhook deliveries",
      Effect.repeat(some(mode), {
        schedule: Schedule.spaced(webhookLookMs),
        while: (rows) => rows >= webhookSweptTogetherMax
      })
    )
  )

export const sweepOutbox = Effect.gen(function* () {
  const { bury, sweepDeliveries, sweepEvents } = yield* WebhookOutbox
  yield* Effect.forkScoped(Effect.repeat(throughout(bury), Schedule.spaced(webhooksCountedEveryMs)))
  // What hinders the one hinders the other no longer than a statement may take.
  const sweep = Effect.andThen(throughout(sweepDeliveries), throughout(sweepEvents))
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(`${webhookSweepMinutes} minutes`)))
})
