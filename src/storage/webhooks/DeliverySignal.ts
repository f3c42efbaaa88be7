/** Tells the relay of this process that deliveries were queued, so that none waits for its next look. */

import { Context, Effect, Layer, Queue } from "effect"
import type { Mode } from "../../domain/Caller.ts"

/** Only a nudge: what other processes queue, or a lost connection hides, the relay finds when it looks. */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /** After the commit. Never waits; rings that nobody has heard yet are one. */
    readonly notify: (mode: Mode) => void
    /** At once where it rang since it was last heard. For one listener per mode. */
    readonly wait: (mode: Mode) => Effect.Effect<void>
  }
>()("action-risk/storage/OutboxBell") {
  static readonly layer = Layer.effect(
    DeliverySignal,
    Effect.gen(function* () {
      const bells = { live: yield* Queue.dropping<void>(1), test: yield* Queue.dropping<void>(1) }
      return DeliverySignal.of({
        notify: (mode) => void Queue.offerUnsafe(bells[mode], undefined),
        wait: (mode) => Queue.take(bells[mode])
      })
    })
  )
}
