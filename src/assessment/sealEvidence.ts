/** Seals evidence for as long as the process runs, off the path of any answer: at most two seconds after it was written. */

import { Effect, Layer, Schedule } from "effect"
import { modes } from "../domain/Mode.ts"
import { sealEveryMs, sealedTogetherMax } from "../Limits.ts"
import { Seals } from "../storage/Seals.ts"
import { logStorageFailure } from "./orUnavailable.ts"

export const sealEvidence = Layer.effectDiscard(
  Effect.gen(function* () {
    const { seal } = yield* Seals
    const sealWaiting = Effect.forEach(modes, (mode) =>
      seal(mode, sealedTogetherMax).pipe(
        Effect.repeat({ while: (sealed) => sealed === sealedTogetherMax }),
        // What is not sealed now waits in its table for the next time, whichever process that is.
        Effect.catchCause((cause) => logStorageFailure("seal evidence", cause))
      )
    )
    yield* Effect.forkScoped(Effect.repeat(sealWaiting, Schedule.spaced(sealEveryMs)))
  })
).pipe(Layer.provide(Seals.layer))
