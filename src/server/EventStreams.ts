/** Streams of events (`text/event-stream`): each listener gets new assessments as fast as it reads them. */

import { Clock, Context, Effect, Layer } from "effect"
import type { ServerResponse } from "node:http"
import { type AssessmentUnavailable, RateLimited } from "../api/Failures.ts"
import { orAssessmentUnavailable } from "../assessment/AssessRequest.ts"
import type { Caller } from "../domain/Caller.ts"
import { makeEvenShare, tenantKey } from "../evenShare.ts"
import {
  eventBatchMax,
  eventCheckMs,
  eventPollMs,
  eventQuietMs,
  eventSlowMs,
  eventStreamsMax,
  eventTenantStreamsMax
} from "../limits.ts"
import { type SealedItem, SealedItems } from "../storage/assessments/SealedItems.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { monotonicMs } from "../storage/timeouts.ts"
import type { HttpResponse } from "./Exchange.ts"

interface Wanted {
  /** The stream's slot is held until this closes. */
  readonly response: ServerResponse
  readonly caller: Caller
  /** The last sequence number that the listener already has; null: start from now. */
  readonly after: number | null
  /** The data of an event; null if this listener must not get it. */
  readonly dataOf: (item: SealedItem) => string | null
  /** Whether the key or the session is still valid. Checked every few seconds. */
  readonly isValid: Effect.Effect<boolean>
}

interface Listener extends Wanted {
  readonly isClosing: () => boolean
  position: number
  /** When its buffer became full; null while it keeps up. */
  fullSinceMs: number | null
  checkedMs: number
  wroteMs: number
}

/** Why a stream ended. The listener reconnects with the last id that it got. */
type End = "slow" | "key" | "stopping"

export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** The response that becomes a stream. Fails if the organization already has the maximum number of listeners. */
    readonly open: (wanted: Wanted) => Effect.Effect<HttpResponse, RateLimited | AssessmentUnavailable>
    readonly head: (caller: Caller) => Effect.Effect<number, AssessmentUnavailable>
  }
>()("action-risk/server/EventStreams") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    EventStreams,
    Effect.gen(function* () {
      const items = yield* SealedItems
      const clock = yield* Clock.Clock
      const share = makeEvenShare(eventStreamsMax, eventTenantStreamsMax)
      const listeners = new Set<Listener>()
      const nowMs = () => monotonicMs(clock)

      const head = (caller: Caller) =>
        Effect.catchCause(items.head(caller), orAssessmentUnavailable("read the end of a chain"))

      const start =
        (wanted: Wanted, position: number): NonNullable<HttpResponse["stream"]> =>
        (response, isClosing) => {
          const at = nowMs()
          const listener: Listener = {
            ...wanted,
            response,
            isClosing,
            position,
            fullSinceMs: null,
            checkedMs: at,
            wroteMs: at
          }
          listeners.add(listener)
          response.on("drain", () => (listener.fullSinceMs = null))
          response.once("close", () => listeners.delete(listener))
          // The first bytes tell a browser that it is connected.
          write(listener, `retry: ${eventPollMs * 4}\n\n`, at)
        }

      const open = Effect.fn("EventStreams.open")(function* (wanted: Wanted) {
        const { response } = wanted
        // The client has already left.
        if (response.destroyed) return yield* Effect.interrupt
        const tenant = tenantKey(wanted.caller)
        // Taken before the first wait; otherwise requests that arrive together would all see the same free slot.
        if (!share.take(tenant))
          return yield* new RateLimited({ retryAfterSeconds: Math.ceil(eventSlowMs / 1_000) })
        response.once("close", () => share.release(tenant))
        const last = yield* head(wanted.caller)
        const position = Math.min(wanted.after ?? last, last)
        return {
          status: 200,
          headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
          body: null,
          stream: start(wanted, position)
        } satisfies HttpResponse
      })

      const round = makeRound(listeners, items, nowMs)
      yield* Effect.forkScoped(Effect.forever(Effect.delay(round, eventPollMs)))

      return EventStreams.of({ open, head })
    })
  ).pipe(Layer.provide(SealedItems.layer))
}

/** Ends the streams that must end, and sends new events to the others. */
const makeRound = (listeners: ReadonlySet<Listener>, items: SealedItems["Service"], nowMs: () => number) => {
  const readOn = Effect.fnUntraced(function* (together: ReadonlyArray<Listener>) {
    const [first] = together
    if (first === undefined) return
    const found = yield* items.after(first.caller, first.position, eventBatchMax)
    const at = nowMs()
    for (const listener of together) tell(listener, found, at)
  })

  return Effect.gen(function* () {
    const at = nowMs()
    for (const listener of listeners) {
      if (listener.isClosing()) end(listener, "stopping")
      else if (listener.fullSinceMs !== null && at - listener.fullSinceMs >= eventSlowMs)
        end(listener, "slow")
      else if (at - listener.wroteMs >= eventQuietMs) write(listener, ":\n\n", at)
      if (at - listener.checkedMs < eventCheckMs) continue
      listener.checkedMs = at
      if (!(yield* listener.isValid)) end(listener, "key")
    }
    const reading = [...listeners].filter(
      ({ fullSinceMs, response }) => fullSinceMs === null && !response.writableEnded
    )
    // One read serves all listeners at the same position, usually all listeners of an organization.
    const groups = Map.groupBy(reading, ({ caller, position }) => `${tenantKey(caller)} ${position}`)
    for (const together of groups.values()) {
      yield* Effect.catchCause(readOn(together), (cause) => logStorageFailure("read events", cause))
    }
  })
}

/** Invariant: after a write that filled the buffer, nothing more is written until it has been read, so a listener's memory is bounded. */
const write = (listener: Listener, text: string, atMs: number): void => {
  listener.wroteMs = atMs
  if (!listener.response.write(text)) listener.fullSinceMs ??= atMs
}

const tell = (listener: Listener, found: ReadonlyArray<SealedItem>, atMs: number): void => {
  for (const item of found) {
    if (listener.fullSinceMs !== null) return
    listener.position = item.sequence
    const data = listener.dataOf(item)
    if (data !== null) write(listener, `id: ${item.sequence}\nevent: assessment\ndata: ${data}\n\n`, atMs)
  }
}

/** Sends the reason after everything that is still in the buffer. */
const end = (listener: Listener, reason: End): void => {
  if (listener.response.writableEnded) return
  listener.response.end(`event: end\ndata: {"reason":"${reason}","last_event_id":"${listener.position}"}\n\n`)
  // A listener that does not read would keep the connection open, so it is closed after a moment.
  if (reason === "slow") setTimeout(() => listener.response.destroy(), eventSlowMs).unref()
}
