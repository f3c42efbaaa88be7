/** Takes what is due in one mode and sends it, as much at once as there is room for. */

import { Clock, Effect, FiberSet } from "effect"
import type { Mode } from "../domain/Mode.ts"
import { webhookAttemptsMax, webhookClaimedTogetherMax, webhookDrainMs } from "../Limits.ts"
import { logStorageFailure } from "../storage/logStorageFailure.ts"
import { WebhookOutbox } from "../storage/WebhookOutbox.ts"
import { type ClaimedDelivery, firstPlace } from "../storage/webhookOutbox/ClaimedDelivery.ts"
import { deliver } from "./deliver.ts"
import type { PostRequest } from "./egress/post.ts"
import { makeRestingEndpoints } from "./restingEndpoints.ts"

export interface DispatchOptions {
  readonly mode: Mode
  readonly allowInsecure: PostRequest["allowInsecure"]
  /** An attempt has ended: there is room for another. */
  readonly onEnded: () => void
}

export const makeDispatch = Effect.fnUntraced(function* ({ allowInsecure, mode, onEnded }: DispatchOptions) {
  const outbox = yield* WebhookOutbox
  const rests = makeRestingEndpoints()
  const fibers = yield* FiberSet.make()
  const underWay = new Set<ClaimedDelivery>()
  let place = firstPlace

  const begin = (delivery: ClaimedDelivery) => {
    underWay.add(delivery)
    const ended = Effect.sync(() => {
      underWay.delete(delivery)
      onEnded()
    })
    return FiberSet.run(fibers, Effect.ensuring(deliver({ mode, allowInsecure, rests }, delivery), ended))
  }

  /** Whether there may be more to take at once. */
  const takeSome = Effect.gen(function* () {
    const rowsMax = Math.min(webhookAttemptsMax - underWay.size, webhookClaimedTogetherMax)
    if (rowsMax === 0) return false
    if (place === firstPlace && !(yield* outbox.isDue(mode))) return false
    const resting = rests.resting(yield* Clock.currentTimeMillis)
    const { deliveries, next, stray } = yield* outbox.claim({ mode, after: place, resting, rowsMax })
    yield* Effect.forEach(deliveries, begin, { discard: true })
    // Round and round, also where this claim left something over: it is the oldest when its endpoint's turn comes again.
    place = next
    const buried = stray ? yield* outbox.bury(mode) : 0
    return deliveries.length === rowsMax || buried > 0 || place !== firstPlace
  })

  /** Gives what is under way a moment to end, and the rest back, so that another process sends it at once. */
  const stop = Effect.gen(function* () {
    yield* Effect.timeoutOption(FiberSet.awaitEmpty(fibers), webhookDrainMs)
    const left = [...underWay]
    yield* FiberSet.clear(fibers)
    if (left.length === 0) return
    yield* Effect.catchCause(outbox.release(mode, left), (cause) =>
      logStorageFailure("give webhook deliveries back", cause)
    )
  })

  return { takeSome, stop, idle: FiberSet.awaitEmpty(fibers) }
})
