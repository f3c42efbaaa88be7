/** Forgets idempotency keys whose time is over, a bounded number at a time, for as long as the process runs. */

import { Effect, Layer, Schedule } from "effect"
import { modes } from "../domain/Mode.ts"
import { idempotencySweepKeysMax, idempotencySweepMinutes } from "../Limits.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import { inBackground } from "../storage/inBackground.ts"

export const forgetExpiredKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    const records = yield* AssessmentRecords
    const sweep = Effect.forEach(modes, (mode) =>
      // An expired key is not remembered whether its row is there or not, so the next sweep is soon enough.
      inBackground(
        "forget expired idempotency keys",
        Effect.repeat(records.forgetKeys(mode, idempotencySweepKeysMax), {
          while: (forgotten) => forgotten === idempotencySweepKeysMax
        })
      )
    )
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(`${idempotencySweepMinutes} minutes`)))
  })
)
