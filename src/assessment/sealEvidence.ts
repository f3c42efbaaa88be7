/** Seals evidence for as long as the process runs, off the path of any answer: at most two seconds after it was written. */

import { Effect, Layer, Schedule } from "effect"
import { type Mode, modes } from "../domain/Mode.ts"
import { sealEveryMs, sealedTogetherMax } from "../Limits.ts"
import { Seals } from "../storage/Seals.ts"
import { inBackground } from "../storage/inBackground.ts"

/** Seals all that waits, unless another process does so already. */
export const sealWaiting = (mode: Mode) =>
  Effect.flatMap(Seals, ({ seal }) =>
    Effect.repeat(seal(mode, sealedTogetherMax), { while: (sealed) => sealed === sealedTogetherMax })
  )

export const sealEvidence = Layer.effectDiscard(
  Effect.gen(function* () {
    const sealBoth = Effect.forEach(modes, (mode) =>
      // What is not sealed now waits in its table for the next time, whichever process that is.
      inBackground("seal evidence", sealWaiting(mode))
    )
    yield* Effect.forkScoped(Effect.repeat(sealBoth, Schedule.spaced(sealEveryMs)))
  })
).pipe(Layer.provide(Seals.layer))
