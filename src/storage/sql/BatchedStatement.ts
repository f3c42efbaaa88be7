/** Batches the statements of concurrent requests: requests that arrive while one statement runs share the next one. */

import { Cause, Clock, Effect, Exit, Fiber, type Scope } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { makeFairQueue } from "../../evenShare.ts"
import { batchQueueMax, readBatchesInFlightMax, readBatchMax } from "../../limits.ts"
import { batchSent } from "../../metrics.ts"
import { classifyDatabaseFailure, sqlState } from "../storageErrors.ts"
import { type Group, type GroupClients, makeForGroups } from "./groups.ts"
import {
  batchTimeout,
  type BoundedRunner,
  makeBoundedRunner,
  makeDeadlineTimer,
  monotonicMs,
  ownSqlError,
  StorageTimeout,
  type TimedWait
} from "../timeouts.ts"

interface WaitingItem<A, B> extends TimedWait {
  readonly tenant: string
  readonly item: A
  readonly timeoutMs: number
  /** Only the first call has an effect. */
  readonly resume: (answer: Effect.Effect<B, SqlError.SqlError | StorageTimeout>) => void
}

type Batch<A, B> = ReadonlyArray<WaitingItem<A, B>>

type BatchExit<B> = Exit.Exit<ReadonlyArray<B>, SqlError.SqlError>

/** Returns the answer to one item. With a timeout, fails with `StorageTimeout` when it expires. */
interface BatchedStatement<A, B> {
  (item: A): Effect.Effect<B, SqlError.SqlError>
  (item: A, timeoutMs: number): Effect.Effect<B, SqlError.SqlError | StorageTimeout>
}

interface BatchOptions<A, B> {
  /** For metrics. */
  readonly name: string
  readonly batchMax: number
  readonly inFlightMax: number
  /** Default: `batchQueueMax`. */
  readonly waitingMax?: number
  /** The tenant of an item. Tenants share the batches evenly. If absent, items are sent in order of arrival. */
  readonly tenantOf?: (item: A) => string
  /** If present, no batch mixes tenants, and one tenant never occupies all concurrent batches. */
  readonly apart?: { readonly fastMs: number }
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, SqlError.SqlError>
}

/**
 * `run` answers up to `batchMax` items, in order. A batch starts as soon as the previous one has returned, never by a timer, so a single
 * item does not wait. Items that arrive in the same turn of the event loop share a batch. Up to `inFlightMax` batches run at once while
 * whole batches are waiting. If more are waiting than fit, `makeFairQueue` chooses the items: a tenant with fewer items than its even share
 * of a batch does not wait for other tenants. An item has no fiber, timer or span of its own.
 *
 * Every item completes. An item beyond its tenant's even share of `waitingMax` is refused immediately. A statement that does not answer is
 * cancelled. When the scope closes, the waiting items fail. An item whose fiber is interrupted before it was sent is never sent.
 *
 * Invariant: no item fails because of another. A batch that PostgreSQL rejects because of its rows is sent again in halves. Only if the
 * server is unavailable do all items fail together.
 */
export const makeBatchedStatement = Effect.fnUntraced(function* <A, B>(
  options: BatchOptions<A, B>
): Effect.fn.Return<BatchedStatement<A, B>, never, Scope.Scope> {
  const { apart, batchMax, inFlightMax, tenantOf = () => "", waitingMax = batchQueueMax } = options
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const tenantPlacesMax = apart === undefined ? Infinity : inFlightMax - 1
  const waiting = makeFairQueue<WaitingItem<A, B>>({ waitingMax, tenantPlacesMax })
  const { answer, submit } = yield* makeWaitingItems(waiting, tenantOf)
  const send = sendInHalves(options, yield* makeBoundedRunner, answer)
  const batches =
    apart === undefined ? takeTogether(waiting, batchMax) : takeApart(waiting, batchMax, apart.fastMs)
  let inFlight = 0

  /** Invariant: taking a batch and lowering `inFlight` happen in the same tick, so no item can arrive in between. */
  const sendWaiting = Effect.gen(function* () {
    yield* Effect.yieldNow
    for (;;) {
      const batch = waiting.size < batches.leastOf(inFlight - 1) ? [] : batches.take()
      if (batch.length === 0) {
        inFlight -= 1
        return
      }
      const startedAtMs = monotonicMs(clock)
      yield* Effect.onInterrupt(send(batch), () =>
        Effect.sync(() => answer(batch, Exit.fail(shuttingDown())))
      )
      batches.ended(batch, monotonicMs(clock) - startedAtMs)
    }
  })

  const startWhereWorthwhile = (tenant: string) => {
    if (inFlight >= inFlightMax || !waiting.hasRoom(tenant) || waiting.size < batches.leastOf(inFlight))
      return
    inFlight += 1
    // Runs in the layer's scope: a client that disconnects must not cancel a statement that others share.
    Fiber.runIn(fork(sendWaiting), scope)
  }

  const batched = (item: A, timeoutMs = Infinity) => submit(item, timeoutMs, startWhereWorthwhile)
  // Without a timeout, the effect cannot fail with `StorageTimeout`.
  return batched as BatchedStatement<A, B>
})

type FairQueue<T extends { readonly tenant: string }> = ReturnType<typeof makeFairQueue<T>>

/** Decides which of the waiting items go into the next shared statement. */
interface Batches<T> {
  /** The number of waiting items from which one more statement is worthwhile, in addition to the `others` that are running. */
  readonly leastOf: (others: number) => number
  /** Removes and returns the items of the next statement. */
  readonly take: () => ReadonlyArray<T>
  /** Called for each batch when its statement has ended. */
  readonly ended: (batch: ReadonlyArray<T>, tookMs: number) => void
}

const takeUpTo = <T>(max: number, next: () => T | undefined): ReadonlyArray<T> => {
  const taken: Array<T> = []
  while (taken.length < max) {
    const item = next()
    if (item === undefined) break
    taken.push(item)
  }
  return taken
}

/** Tenants share each statement. Two half batches cost more than one, so a second statement starts only when it is full. */
const takeTogether = <T extends { readonly tenant: string }>(
  waiting: FairQueue<T>,
  batchMax: number
): Batches<T> => ({
  leastOf: (others) => (others === 0 ? 1 : batchMax),
  take: () => takeUpTo(batchMax, waiting.take),
  ended: (batch) => batch.forEach(({ tenant }) => waiting.release(tenant))
})

/**
 * Each statement belongs to one tenant and takes one place, so that once it runs, no item waits for a slow one of another tenant. A tenant
 * starts with one item. Its next statement is twice as large, or half as large after one that took longer than `fastMs`.
 */
export const takeApart = <T extends { readonly tenant: string }>(
  waiting: FairQueue<T>,
  batchMax: number,
  fastMs: number
): Batches<T> => {
  /** By tenant, as long as it has a running statement or a waiting item. */
  const sizes = new Map<string, number>()
  return {
    leastOf: () => 1,
    take: () => {
      const first = waiting.take()
      if (first === undefined) return []
      const { tenant } = first
      return [first, ...takeUpTo((sizes.get(tenant) ?? 1) - 1, () => waiting.takeAlong(tenant))]
    },
    ended: ([first], tookMs) => {
      if (first === undefined) return
      const { tenant } = first
      waiting.release(tenant)
      const size = sizes.get(tenant) ?? 1
      if (waiting.heldBy(tenant) === 0 && !waiting.has(tenant)) sizes.delete(tenant)
      else sizes.set(tenant, tookMs <= fastMs ? Math.min(batchMax, size * 2) : Math.max(1, size >> 1))
    }
  }
}

/** How items are queued and answered. When the scope closes, waiting items fail. */
const makeWaitingItems = Effect.fnUntraced(function* <A, B>(
  waiting: FairQueue<WaitingItem<A, B>>,
  tenantOf: (item: A) => string
) {
  const clock = yield* Clock.Clock
  let closed = false
  const timer = yield* makeDeadlineTimer((one: WaitingItem<A, B>) => {
    waiting.delete(one)
    one.resume(Effect.fail(new StorageTimeout({ waitedMs: one.timeoutMs })))
  })

  const answer = (batch: Batch<A, B>, exit: BatchExit<B>): void =>
    batch.forEach((one, i) => {
      timer.cancel(one)
      one.resume(Exit.isSuccess(exit) ? answerAt(exit.value, i) : Exit.failCause(exit.cause))
    })

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      answer(waiting.drain(), Exit.fail(shuttingDown()))
    })
  )

  const submit = (item: A, timeoutMs: number, onWaiting: (tenant: string) => void) =>
    Effect.callback<B, SqlError.SqlError | StorageTimeout>((resume) => {
      if (closed) return resume(Effect.fail(shuttingDown()))
      const tenant = tenantOf(item)
      const one: WaitingItem<A, B> = {
        tenant,
        item,
        timeoutMs,
        untilMs: monotonicMs(clock) + timeoutMs,
        resume
      }
      if (!waiting.add(one)) return resume(Effect.fail(overloaded()))
      timer.start(one)
      onWaiting(tenant)
      return Effect.sync(() => {
        timer.cancel(one)
        waiting.delete(one)
      })
    })

  return { answer, submit }
})

/** Sends a batch, in halves if PostgreSQL rejects its rows. Answers every item, and returns the exit of the last statement. */
const sendInHalves = <A, B>(
  { name, run }: BatchOptions<A, B>,
  runBounded: BoundedRunner,
  answer: (batch: Batch<A, B>, exit: BatchExit<B>) => void
): ((batch: Batch<A, B>) => Effect.Effect<BatchExit<B>>) => {
  // Inside `suspend`, because an item may make `run` throw, which is handled like rows that PostgreSQL rejects.
  const sendOnce = (batch: Batch<A, B>) => {
    const sending = Effect.suspend(() => {
      batchSent(name, batch.length)
      return run(batch.map(({ item }) => item))
    })
    return Effect.exit(runBounded(sending, batchTimeout))
  }

  const send = (batch: Batch<A, B>): Effect.Effect<BatchExit<B>> =>
    Effect.flatMap(sendOnce(batch), (exit) => {
      if (batch.length === 1 || !isCausedByRows(exit)) {
        answer(batch, exit)
        return Effect.succeed(exit)
      }
      const half = Math.ceil(batch.length / 2)
      const rest = batch.slice(half)
      return Effect.flatMap(send(batch.slice(0, half)), (first) => {
        if (Exit.isSuccess(first) || isCausedByRows(first)) return send(rest)
        answer(rest, first)
        return Effect.succeed(first)
      })
    })
  return send
}

const answerAt = <B>(answers: ReadonlyArray<B>, i: number): Exit.Exit<B> =>
  i < answers.length
    ? Exit.succeed(answers[i] as B)
    : Exit.die(new Error("a grouped statement answers every item"))

/** Whether the other items may succeed without the rejected one. Not if the server, a privilege or a table (class 42) is missing. */
const isCausedByRows = (exit: Exit.Exit<unknown, SqlError.SqlError>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const error = Cause.squash(exit.cause)
  return classifyDatabaseFailure(error) !== "unavailable" && sqlState(error)?.startsWith("42") !== true
}

const connectionError = (message: string) =>
  ownSqlError(SqlError.ConnectionError, "grouped statement", message)

const shuttingDown = () => connectionError("the database connection is closing")
const overloaded = () => connectionError("too many requests are waiting for the database")

/** One batched statement per group, shared evenly by its organizations. */
export const makeBatchedReads = <Lookup extends { readonly organizationId: string }, A>(
  name: string,
  clients: Pick<GroupClients, "groups">,
  run: (
    sql: SqlClient.SqlClient,
    lookups: ReadonlyArray<Lookup>
  ) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>
) =>
  makeForGroups(clients, ({ sql }: Group) =>
    makeBatchedStatement({
      name,
      batchMax: readBatchMax,
      inFlightMax: readBatchesInFlightMax,
      tenantOf: ({ organizationId }: Lookup) => organizationId,
      run: (lookups: ReadonlyArray<Lookup>) => run(sql, lookups)
    })
  )

/** A row of a statement that answers many look-ups, with at most one row for each. */
export interface PlacedRow {
  /** The position of the look-up in its batch, from 1. */
  readonly place: number
}

/** Returns the row of each look-up without its position, or undefined. */
export const byPlace =
  <Context, Lookup, Row extends PlacedRow, E>(
    select: (context: Context, lookups: ReadonlyArray<Lookup>) => Effect.Effect<ReadonlyArray<Row>, E>
  ) =>
  (context: Context, lookups: ReadonlyArray<Lookup>) =>
    Effect.map(select(context, lookups), (rows) => {
      const placed = Array.from<Omit<Row, "place"> | undefined>({ length: lookups.length })
      for (const { place, ...row } of rows) placed[place - 1] = row
      return placed
    })
