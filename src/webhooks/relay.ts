/** Sends webhooks for as long as the process serves: at once where this process queued them, else when it looks. */

import { Effect, Fiber, Layer, Option, Queue } from "effect"
import { AppConfig } from "../Config.ts"
import { type Mode, modes } from "../domain/Mode.ts"
import { webhookLookMs } from "../Limits.ts"
import { inBackground } from "../storage/inBackground.ts"
import { OutboxBell } from "../storage/OutboxBell.ts"
import { WebhookOutbox } from "../storage/WebhookOutbox.ts"
import { makeDispatch } from "./dispatch.ts"
import { RelayHealth } from "./RelayHealth.ts"
import { sweepOutbox } from "./sweepOutbox.ts"
import { watchOutbox } from "./watchOutbox.ts"

/** A mode by itself: what waits in one is no reason to wait in the other. */
const runRelay = Effect.fnUntraced(function* (mode: Mode) {
  const { webhookAllowInsecure } = yield* AppConfig
  const { heard } = yield* OutboxBell
  const news = yield* Queue.dropping<void>(1)
  const wake = () => void Queue.offerUnsafe(news, undefined)
  const dispatch = yield* makeDispatch({ mode, allowInsecure: webhookAllowInsecure, onEnded: wake })
  let stopping = false

  const step = Effect.gen(function* () {
    const more = Option.getOrElse(
      yield* inBackground("claim webhook deliveries", dispatch.takeSome),
      () => false
    )
    if (!more && !stopping) yield* Effect.timeoutOption(Queue.take(news), webhookLookMs)
  })
  // Detached, because a claim that is cut off would leave leases that nobody knows of: a stop waits for it instead.
  const working = yield* Effect.forkDetach(
    Effect.interruptible(Effect.repeat(step, { while: () => !stopping }))
  )
  yield* Effect.forkScoped(Effect.interruptible(Effect.forever(Effect.map(heard(mode), wake))))
  const stop = Effect.gen(function* () {
    stopping = true
    wake()
    yield* Fiber.await(working)
    yield* dispatch.stop
  })
  return { stop }
})

/** Hears what is rung in the same build of layers; provides the health of webhooks. */
export const relay = Layer.effect(
  RelayHealth,
  Effect.gen(function* () {
    yield* Effect.acquireRelease(Effect.forEach(modes, runRelay), (relays) =>
      Effect.forEach(relays, ({ stop }) => stop, { concurrency: "unbounded", discard: true })
    )
    yield* sweepOutbox
    return yield* watchOutbox
  })
).pipe(Layer.provide(WebhookOutbox.layer))
