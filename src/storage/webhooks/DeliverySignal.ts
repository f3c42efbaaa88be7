/** Wakes this process's relay when deliveries were queued, so that they do not wait for its next poll. */

import { Context, Effect, Layer, Queue } from "effect"
import type { Mode } from "../../domain/Caller.ts"

/** Only a hint. The relay also polls, and so finds deliveries queued by other processes or without a signal. */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /** Call it after the commit. Never waits. Several signals before the next `wait` count as one. */
    readonly notify: (mode: Mode) => void
    /** Returns immediately if there was a signal since the last `wait`. Supports one listener per mode. */
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
