/** The background work of webhooks: the relay that claims and sends due deliveries, the outbox sweep, and secret maintenance. */

import { Clock, Effect, Fiber, FiberSet, Layer, Option, Queue, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { AppConfig } from "../config.ts"
import { type Mode, modes } from "../domain/Caller.ts"
import {
  idempotencySweepMinutes,
  webhookAttemptsMax,
  webhookClaimBatchMax,
  webhookDrainMs,
  webhookPollMs,
  webhooksCountedEveryMs,
  webhookSecretsRetryMs,
  webhookSweepBatchMax,
  webhookSweepMinutes
} from "../limits.ts"
import { logStorageFailure, retryOnceOrLog } from "../storage/storageErrors.ts"
import { type ClaimedDelivery, claimStart } from "../storage/webhooks/ClaimedDelivery.ts"
import { DeliverySignal } from "../storage/webhooks/DeliverySignal.ts"
import { WebhookOutbox } from "../storage/webhooks/WebhookOutbox.ts"
import { deleteExpiredWebhookSecrets, reencryptWebhookSecrets } from "../storage/webhooks/reencryptSecrets.ts"
import { RelayHealth, watchRelayHealth } from "./RelayHealth.ts"
import { makeCircuitBreaker } from "./circuitBreaker.ts"
import { deliver } from "./deliver.ts"
import type { PostRequest } from "./egress/post.ts"

/** A mode by itself: what waits in one is no reason to wait in the other. */
const startRelay = Effect.fnUntraced(function* (mode: Mode) {
  const { webhookAllowInsecure } = yield* AppConfig
  const { wait: heard } = yield* DeliverySignal
  const news = yield* Queue.dropping<void>(1)
  const wake = () => void Queue.offerUnsafe(news, undefined)
  const dispatch = yield* makeDispatcher({ mode, allowInsecure: webhookAllowInsecure, onEnded: wake })
  let stopping = false

  const step = Effect.gen(function* () {
    const more = Option.getOrElse(
      yield* retryOnceOrLog("claim webhook deliveries", dispatch.takeSome),
      () => false
    )
    if (!more && !stopping) yield* Effect.timeoutOption(Queue.take(news), webhookPollMs)
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
    yield* Effect.acquireRelease(Effect.forEach(modes, startRelay), (relays) =>
      Effect.forEach(relays, ({ stop }) => stop, { concurrency: "unbounded", discard: true })
    )
    yield* sweepOutbox
    return yield* watchRelayHealth
  })
).pipe(Layer.provide(WebhookOutbox.layer))

/** Takes what is due in one mode and sends it, as much at once as there is room for. */
interface DispatchOptions {
  readonly mode: Mode
  readonly allowInsecure: PostRequest["allowInsecure"]
  /** An attempt has ended: there is room for another. */
  readonly onEnded: () => void
}

export const makeDispatcher = Effect.fnUntraced(function* ({
  allowInsecure,
  mode,
  onEnded
}: DispatchOptions) {
  const outbox = yield* WebhookOutbox
  const rests = makeCircuitBreaker()
  const fibers = yield* FiberSet.make()
  const underWay = new Set<ClaimedDelivery>()
  let place = claimStart

  const begin = (delivery: ClaimedDelivery) => {
    underWay.add(delivery)
    const ended = Effect.sync(() => {
      underWay.delete(delivery)
      onEnded()
    })
    return FiberSet.run(
      fibers,
      Effect.ensuring(deliver({ mode, allowInsecure, circuitBreaker: rests }, delivery), ended)
    )
  }

  /** Whether there may be more to take at once. */
  const takeSome = Effect.gen(function* () {
    const rowsMax = Math.min(webhookAttemptsMax - underWay.size, webhookClaimBatchMax)
    if (rowsMax === 0) return false
    if (place === claimStart && !(yield* outbox.isDue(mode))) return false
    const resting = rests.openEndpoints(yield* Clock.currentTimeMillis)
    const { deliveries, next, stray } = yield* outbox.claim({ mode, after: place, resting, rowsMax })
    yield* Effect.forEach(deliveries, begin, { discard: true })
    // Round and round, also where this claim left something over: it is the oldest when its endpoint's turn comes again.
    place = next
    const buried = stray ? yield* outbox.markDead(mode) : 0
    return deliveries.length === rowsMax || buried > 0 || place !== claimStart
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

/**
 * Ends what waits in vain and removes what was kept long enough, a few rows at a time, until its scope closes.
 * In both modes, again as long as there may be more. What is left over is as old the next time.
 */
const inBothModes = (some: (mode: Mode) => Effect.Effect<number, SqlError.SqlError>) =>
  Effect.forEach(modes, (mode) =>
    retryOnceOrLog(
      "sweep webhook deliveries",
      Effect.repeat(some(mode), {
        schedule: Schedule.spaced(webhookPollMs),
        while: (rows) => rows >= webhookSweepBatchMax
      })
    )
  )

export const sweepOutbox = Effect.gen(function* () {
  const { markDead: bury, sweepDeliveries, sweepEvents } = yield* WebhookOutbox
  yield* Effect.forkScoped(Effect.repeat(inBothModes(bury), Schedule.spaced(webhooksCountedEveryMs)))
  // What hinders the one hinders the other no longer than a statement may take.
  const sweep = Effect.andThen(inBothModes(sweepDeliveries), inBothModes(sweepEvents))
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(`${webhookSweepMinutes} minutes`)))
})

/** Keeps webhook secrets under the newest pepper, and no longer than they sign, for as long as the process runs. */
const renewSecrets = Effect.gen(function* () {
  const told = yield* Effect.forEach(modes, reencryptWebhookSecrets)
  const renewed = told.reduce((sum, of) => sum + of.renewed, 0)
  const unreadable = told.reduce((sum, of) => sum + of.unreadable, 0)
  if (renewed > 0)
    yield* Effect.logInfo("webhook secrets were encrypted under the newest pepper").pipe(
      Effect.annotateLogs({ secrets: renewed })
    )
  if (unreadable > 0)
    yield* Effect.logError(
      "webhook secrets cannot be read, and nothing is sent to their endpoints: list the pepper that encrypted them in KEY_PEPPER, or rotate them"
    ).pipe(Effect.annotateLogs({ secrets: unreadable }))
})

const forgetSecrets = Effect.forEach(modes, (mode) =>
  retryOnceOrLog("forget old webhook secrets", deleteExpiredWebhookSecrets(mode))
)

/** Needs `ModeSql` and `WebhookSecrets`. */
export const secretMaintenance = Layer.effectDiscard(
  Effect.gen(function* () {
    // The peppers stay as they are while the process runs: once is enough.
    yield* Effect.forkScoped(
      Effect.repeat(retryOnceOrLog("encrypt webhook secrets anew", renewSecrets), {
        until: Option.isSome,
        schedule: Schedule.spaced(webhookSecretsRetryMs)
      })
    )
    yield* Effect.forkScoped(
      Effect.repeat(forgetSecrets, Schedule.spaced(`${idempotencySweepMinutes} minutes`))
    )
  })
)
