/** Wakes the relay of this process when deliveries were queued, so that they do not wait for its next poll. */

import { Context, Effect, Layer, Queue } from "effect"
import type { Mode } from "../../domain/Caller.ts"

/** Only a hint. The relay also polls, and so finds deliveries that other processes queued or that were signalled to none. */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /** Call it after the commit. Never waits. Several signals before the next `wait` are one. */
    readonly notify: (mode: Mode) => void
    /** Returns at once where a signal came since the last `wait`. For one listener per mode. */
    readonly wait: (mode: Mode) => Effect.Effect<void>
  }
>()("action-risk/storage/DeliverySignal") {
  static readonly layer = Layer.effect(
    DeliverySignal,
    Effect.gen(function* () {
      const signals = { live: yield* Queue.dropping<void>(1), test: yield* Queue.dropping<void>(1) }
      return DeliverySignal.of({
        notify: (mode) => void Queue.offerUnsafe(signals[mode], undefined),
        wait: (mode) => Queue.take(signals[mode])
      })
    })
  )
}
