/** Counts the evidence that waits for its seal, for metrics: it grows where no process seals any more. */

import { Effect, Layer, Schedule } from "effect"
import { modes } from "../domain/Mode.ts"
import { sealsCountedEveryMs, sealsCountedMax } from "../Limits.ts"
import { watch } from "../Metrics.ts"
import { Seals } from "../storage/Seals.ts"
import { inBackground } from "../storage/inBackground.ts"

export const watchSeals = Layer.effectDiscard(
  Effect.gen(function* () {
    const { waiting } = yield* Seals
    const counted = { live: 0, test: 0 }
    const count = Effect.forEach(modes, (mode) =>
      inBackground(
        "count unsealed evidence",
        Effect.map(waiting(mode, sealsCountedMax), (found) => (counted[mode] = found))
      )
    )
    yield* Effect.forkScoped(Effect.repeat(count, Schedule.spaced(sealsCountedEveryMs)))
    for (const mode of modes) {
      const description = "Assessments that wait for their place in the hash chain."
      yield* watch("action_risk.seals.waiting", description, { mode }, () => counted[mode])
    }
  })
).pipe(Layer.provide(Seals.layer))
