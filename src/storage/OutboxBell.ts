/** Tells the relay of this process that deliveries were queued, so that none waits for its next look. */

import { Context, Effect, Layer, Queue } from "effect"
import type { Mode } from "../domain/Mode.ts"

/** Only a nudge: what other processes queue, or a lost connection hides, the relay finds when it looks. */
export class OutboxBell extends Context.Service<
  OutboxBell,
  {
    /** After the commit. Never waits; rings that nobody has heard yet are one. */
    readonly ring: (mode: Mode) => void
    /** At once where it rang since it was last heard. For one listener per mode. */
    readonly heard: (mode: Mode) => Effect.Effect<void>
  }
>()("action-risk/storage/OutboxBell") {
  static readonly layer = Layer.effect(
    OutboxBell,
    Effect.gen(function* () {
      const bells = { live: yield* Queue.dropping<void>(1), test: yield* Queue.dropping<void>(1) }
      return OutboxBell.of({
        ring: (mode) => void Queue.offerUnsafe(bells[mode], undefined),
        heard: (mode) => Queue.take(bells[mode])
      })
    })
  )
}
