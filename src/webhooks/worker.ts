/** The background work of webhooks: the relay that claims and sends due deliveries, the outbox sweep, and secret maintenance. */

import { Effect, Fiber, FiberSet, Layer, Option, Queue, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { AppConfig, consoleAddress } from "../config.ts"
import { type Mode, modes } from "../domain/Caller.ts"
import { makeEvenShare } from "../evenShare.ts"
import {
  idempotencySweepMinutes,
  webhookAttemptsMax,
  webhookClaimBatchMax,
  webhookDrainMs,
  webhookHostAttemptsMax,
  webhookOrganizationAttemptsMax,
  webhookPollMs,
  webhooksCountedEveryMs,
  webhookSecretsRetryMs,
  webhookSweepBatchMax,
  webhookSweepMinutes
} from "../limits.ts"
import { logStorageFailure, retryOnceOrLog } from "../storage/storageErrors.ts"
import { monotonicNow } from "../storage/timeouts.ts"
import {
  type AttemptRooms,
  type ClaimedDelivery,
  claimStart,
  hostOf
} from "../storage/webhooks/ClaimedDelivery.ts"
import { DeliverySignal } from "../storage/webhooks/DeliverySignal.ts"
import { WebhookOutbox } from "../storage/webhooks/WebhookOutbox.ts"
import { remindOfReviews } from "../storage/webhooks/queueDeliveries.ts"
import { deleteExpiredWebhookSecrets, reencryptWebhookSecrets } from "../storage/webhooks/reencryptSecrets.ts"
import { RelayHealth, watchRelayHealth } from "./RelayHealth.ts"
import { makeCircuitBreaker } from "./circuitBreaker.ts"
import { deliver } from "./deliver.ts"
import type { PostRequest } from "./egress/post.ts"

/**
 * Claims and sends due deliveries as long as its scope is open, and provides the health of webhooks. `DeliverySignal` must come from the
 * same build of layers as the stores that queue deliveries.
 */
export const relay = Layer.effect(
  RelayHealth,
  Effect.gen(function* () {
    yield* Effect.acquireRelease(Effect.forEach(modes, startRelays), (relays) =>
      Effect.forEach(relays.flat(), ({ stop }) => stop, { concurrency: "unbounded", discard: true })
    )
    yield* sweepOutbox
    return yield* watchRelayHealth
  })
).pipe(Layer.provide(WebhookOutbox.layer))

/**
 * Each mode has its own relay, so that a backlog in one mode does not delay the other. On a distributed database each group has its own,
 * because another group's server may be down. Together they make no more attempts than one relay would.
 */
const startRelays = Effect.fnUntraced(function* (mode: Mode) {
  const { groups } = yield* WebhookOutbox
  const shared = makeShared()
  return yield* Effect.forEach(groups(mode), (number) => startRelay(mode, number, shared))
})

const startRelay = Effect.fnUntraced(function* (mode: Mode, number: number, shared: SharedByRelays) {
  const config = yield* AppConfig
  const signal = yield* DeliverySignal
  const wakeUps = yield* Queue.dropping<void>(1)
  const wake = () => void Queue.offerUnsafe(wakeUps, undefined)
  const dispatcher = yield* makeDispatcher({
    mode,
    number,
    shared,
    allowInsecure: config.webhookAllowInsecure,
    consoleUrl: consoleAddress(config),
    onAttemptEnded: wake
  })
  let stopping = false

  const round = Effect.gen(function* () {
    const mayHaveMore = Option.getOrElse(
      yield* retryOnceOrLog("claim webhook deliveries", dispatcher.claimAndSend),
      () => false
    )
    if (!mayHaveMore && !stopping) yield* Effect.timeoutOption(Queue.take(wakeUps), webhookPollMs)
  })
  // Detached: interrupting a claim would leave leases without an owner, so stopping waits for the claim instead.
  const rounds = yield* Effect.forkDetach(
    Effect.interruptible(Effect.repeat(round, { while: () => !stopping }))
  )
  yield* Effect.forkScoped(Effect.interruptible(Effect.forever(Effect.map(signal.wait(mode), wake))))
  const stop = Effect.gen(function* () {
    stopping = true
    wake()
    yield* Fiber.await(rounds)
    yield* dispatcher.stop
  })
  return { stop }
})

/** Shared by the relays of a mode. */
const makeShared = () => ({ attempts: makeAttempts(), circuitBreaker: makeCircuitBreaker() })
type SharedByRelays = ReturnType<typeof makeShared>

interface DispatcherOptions {
  readonly mode: Mode
  /** The number of its group; 0 if the mode has only one. */
  readonly number?: number
  readonly shared?: SharedByRelays
  readonly allowInsecure: PostRequest["allowInsecure"]
  /** The console's address; null if unknown. */
  readonly consoleUrl: string | null
  /** Called after every attempt, when there is room for another. */
  readonly onAttemptEnded: () => void
}

/**
 * The attempts in progress. Each organization gets its even share, and so does each host within an organization: receivers that never
 * answer hold attempts for as long as allowed, but only at the expense of their own organization.
 */
const makeAttempts = () => {
  const organizations = makeEvenShare(webhookAttemptsMax, webhookOrganizationAttemptsMax)
  const hosts = new Map<string, ReturnType<typeof makeEvenShare>>()

  const hostRooms = (): AttemptRooms["hosts"] =>
    Object.fromEntries(
      [...hosts].flatMap(([host, share]) => [
        [host, share.roomOf(newcomer)],
        ...share
          .tenants()
          .map((organizationId) => [`${organizationId} ${host}`, share.roomOf(organizationId)])
      ])
    )

  return {
    begin: ({ organizationId, url }: ClaimedDelivery): void => {
      const share = hosts.get(hostOf(url)) ?? makeEvenShare(webhookHostAttemptsMax)
      hosts.set(hostOf(url), share)
      share.hold(organizationId)
      organizations.hold(organizationId)
    },
    end: ({ organizationId, url }: ClaimedDelivery): void => {
      const share = hosts.get(hostOf(url))
      share?.release(organizationId)
      if (share?.total === 0) hosts.delete(hostOf(url))
      organizations.release(organizationId)
    },
    /** How many more deliveries may be claimed for all organizations together. */
    room: (): number => Math.min(2 * webhookAttemptsMax - organizations.total, webhookClaimBatchMax),
    rooms: (): AttemptRooms => ({
      organization: organizations.roomOf(newcomer),
      organizations: Object.fromEntries(organizations.tenants().map((id) => [id, organizations.roomOf(id)])),
      host: webhookHostAttemptsMax,
      hosts: hostRooms()
    })
  }
}

/** A placeholder id that no organization has. */
const newcomer = ""

/** Claims the due deliveries of one group and sends them, within the shares of their organizations. */
export const makeDispatcher = Effect.fnUntraced(function* ({
  allowInsecure,
  consoleUrl,
  mode,
  number = 0,
  onAttemptEnded,
  shared: { attempts, circuitBreaker } = makeShared()
}: DispatcherOptions) {
  const outbox = yield* WebhookOutbox
  const fibers = yield* FiberSet.make()
  const inFlight = new Set<ClaimedDelivery>()
  let cursor = claimStart

  const send = (delivery: ClaimedDelivery) => {
    inFlight.add(delivery)
    attempts.begin(delivery)
    const ended = Effect.sync(() => {
      inFlight.delete(delivery)
      attempts.end(delivery)
      onAttemptEnded()
    })
    return FiberSet.run(
      fibers,
      Effect.ensuring(deliver({ mode, allowInsecure, consoleUrl, circuitBreaker }, delivery), ended)
    )
  }

  /** Returns true if another claim may immediately find more. */
  const claimAndSend = Effect.gen(function* () {
    const rowsMax = attempts.room()
    if (rowsMax <= 0) return false
    if (cursor === claimStart && !(yield* outbox.isDue(mode, number))) return false
    const { deliveries, next, stray } = yield* outbox.claim({
      mode,
      number,
      after: cursor,
      pausedEndpoints: circuitBreaker.openEndpoints(yield* monotonicNow),
      rowsMax,
      rooms: attempts.rooms()
    })
    yield* Effect.forEach(deliveries, send, { discard: true })
    // The cursor advances even if this claim left deliveries behind: they will be the oldest when it returns to their endpoint.
    cursor = next
    const ended = stray ? yield* outbox.markDead(mode) : 0
    return deliveries.length === rowsMax || ended > 0 || cursor !== claimStart
  })

  /** Waits a moment for the attempts in flight, then releases the rest, so that another process can send them immediately. */
  const stop = Effect.gen(function* () {
    yield* Effect.timeoutOption(FiberSet.awaitEmpty(fibers), webhookDrainMs)
    const unfinished = [...inFlight]
    yield* FiberSet.clear(fibers)
    if (unfinished.length === 0) return
    yield* Effect.catchCause(outbox.release(mode, unfinished), (cause) =>
      logStorageFailure("give webhook deliveries back", cause)
    )
  })

  return { claimAndSend, stop, idle: FiberSet.awaitEmpty(fibers) }
})

/** Marks deliveries that no endpoint will take as dead and deletes old ones, until its scope closes. */
export const sweepOutbox = Effect.gen(function* () {
  const { markDead, sweepDeliveries, sweepEvents } = yield* WebhookOutbox
  yield* Effect.forkScoped(Effect.repeat(sweepBothModes(markDead), Schedule.spaced(webhooksCountedEveryMs)))
  // One after the other: if one deletion fails, it delays the next by at most the time limit of a statement.
  const deleteOld = Effect.andThen(sweepBothModes(sweepDeliveries), sweepBothModes(sweepEvents))
  yield* Effect.forkScoped(Effect.repeat(deleteOld, Schedule.spaced(`${webhookSweepMinutes} minutes`)))
})

/** Repeats a limited statement as long as it may find more rows. The next sweep finds what a failed one left. */
const sweepBothModes = <R>(sweepSome: (mode: Mode) => Effect.Effect<number, SqlError.SqlError, R>) =>
  Effect.forEach(modes, (mode) =>
    retryOnceOrLog(
      "sweep webhook deliveries",
      Effect.repeat(sweepSome(mode), {
        schedule: Schedule.spaced(webhookPollMs),
        while: (rows) => rows >= webhookSweepBatchMax
      })
    )
  )

/** Reminds endpoints of reviews that have been open too long. Needs `ModeSql` and the relay's `DeliverySignal`. */
export const reviewReminders = Layer.effectDiscard(
  Effect.gen(function* () {
    const { reviewDueHours } = yield* AppConfig
    const signal = yield* DeliverySignal
    const remindSome = (mode: Mode) =>
      Effect.map(remindOfReviews(mode, reviewDueHours), ({ announced, overdue }) => {
        if (announced) signal.notify(mode)
        return overdue
      })
    yield* Effect.forkScoped(
      Effect.repeat(sweepBothModes(remindSome), Schedule.spaced(webhooksCountedEveryMs))
    )
  })
)

/**
 * Re-encrypts webhook secrets under the newest pepper, and deletes those that no longer sign, as long as the process runs. Needs `ModeSql`
 * and `WebhookSecrets`.
 */
export const secretMaintenance = Layer.effectDiscard(
  Effect.gen(function* () {
    // Once is enough, because the peppers do not change while the process runs.
    yield* Effect.forkScoped(
      Effect.repeat(retryOnceOrLog("encrypt webhook secrets again", reencryptSecrets), {
        until: Option.isSome,
        schedule: Schedule.spaced(webhookSecretsRetryMs)
      })
    )
    yield* Effect.forkScoped(
      Effect.repeat(deleteExpiredSecrets, Schedule.spaced(`${idempotencySweepMinutes} minutes`))
    )
  })
)

const reencryptSecrets = Effect.gen(function* () {
  const counts = yield* Effect.forEach(modes, reencryptWebhookSecrets)
  const renewed = counts.reduce((sum, count) => sum + count.renewed, 0)
  const unreadable = counts.reduce((sum, count) => sum + count.unreadable, 0)
  if (renewed > 0)
    yield* Effect.logInfo("webhook secrets were encrypted under the newest pepper").pipe(
      Effect.annotateLogs({ secrets: renewed })
    )
  if (unreadable > 0)
    yield* Effect.logError(
      "webhook secrets cannot be read, and nothing is sent to their endpoints: list the pepper that encrypted them in KEY_PEPPER, or rotate them"
    ).pipe(Effect.annotateLogs({ secrets: unreadable }))
})

const deleteExpiredSecrets = Effect.forEach(modes, (mode) =>
  retryOnceOrLog("forget old webhook secrets", deleteExpiredWebhookSecrets(mode))
)
