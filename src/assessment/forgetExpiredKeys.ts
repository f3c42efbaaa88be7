/** Forgets idempotency keys whose time is over, a bounded number at a time, for as long as the process runs. */

import { Effect, Layer, Schedule } from "effect"
import { modes } from "../domain/Mode.ts"
import { idempotencySweepKeysMax, idempotencySweepMinutes } from "../Limits.ts"
import { AssessmentRecords } from "../storage/AssessmentRecords.ts"
import { logStorageFailure } from "../storage/logStorageFailure.ts"

export const forgetExpiredKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    const records = yield* AssessmentRecords
    const sweep = Effect.forEach(modes, (mode) =>
      records.forgetKeys(mode, idempotencySweepKeysMax).pipe(
        Effect.repeat({ while: (forgotten) => forgotten === idempotencySweepKeysMax }),
        // An expired key is not remembered whether its row is there or not, so the next sweep is soon enough.
        Effect.catchCause((cause) => logStorageFailure("forget expired idempotency keys", cause))
      )
    )
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(`${idempotencySweepMinutes} minutes`)))
  })
)
