/** Statements of concurrent requests, sent together: requests that arrive while one statement runs share the next. */

import { Cause, Clock, Effect, Exit, Fiber, type Scope } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import { batchQueueMax, readBatchesInFlightMax, readBatchMax } from "../../limits.ts"
import { batchSent } from "../../metrics.ts"
import { classifyDatabaseFailure, sqlState } from "../storageErrors.ts"
import {
  makeDeadlineTimer,
  monotonicMs,
  StorageTimeout,
  type TimedWait,
  withBatchTimeout
} from "../timeouts.ts"

interface Waiting<A, B> extends TimedWait {
  readonly item: A
  readonly patienceMs: number
  /** Does nothing the second time. */
  readonly resume: (answer: Effect.Effect<B, SqlError.SqlError | StorageTimeout>) => void
}

type Batch<A, B> = ReadonlyArray<Waiting<A, B>>

/** Asks for the answer to one item; with a patience it fails with `StorageSilent` when that is over. */
interface BatchedStatement<A, B> {
  (item: A): Effect.Effect<B, SqlError.SqlError>
  (item: A, patienceMs: number): Effect.Effect<B, SqlError.SqlError | StorageTimeout>
}

/**
 * `run` answers a batch of at most `batchMax` items, one answer each, in their order. A batch starts as soon as the one
 * before has returned, never by a timer: alone, an item waits for nobody. Those that arrive in one turn of the event loop
 * share it. Up to `lanes` batches are under way at once where whole ones wait.
 *
 * An item costs its place in the batch and nothing else: no fiber, no timer, no span of its own.
 *
 * Every item ends: one more than `waitingMax` is refused at once, a statement that stays silent is given up on and makes
 * way, and when the scope closes whoever still waits is told. An item whose asker leaves before it was sent is never sent.
 *
 * Invariant: no item fails for another's sake. A batch that PostgreSQL refuses for what stands in it is sent again in
 * halves; only when the server is away do all of them learn so.
 */
export const makeBatchedStatement = Effect.fnUntraced(function* <A, B>(options: {
  /** For metrics. */
  readonly name: string
  readonly batchMax: number
  readonly lanes: number
  readonly waitingMax: number
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, SqlError.SqlError>
}): Effect.fn.Return<BatchedStatement<A, B>, never, Scope.Scope> {
  const { batchMax, lanes, name, run, waitingMax } = options
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const waiting = new Set<Waiting<A, B>>()
  let underWay = 0
  let closed = false
  const patience = yield* makeDeadlineTimer((one: Waiting<A, B>) => {
    waiting.delete(one)
    one.resume(Effect.fail(new StorageTimeout({ waitedMs: one.patienceMs })))
  })

  const settle = (batch: Batch<A, B>, exit: Exit.Exit<ReadonlyArray<B>, SqlError.SqlError>): void =>
    batch.forEach((one, i) => {
      patience.cancel(one)
      one.resume(Exit.isSuccess(exit) ? answerAt(exit.value, i) : Exit.failCause(exit.cause))
    })

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      settle([...waiting], Exit.fail(shuttingDown()))
    })
  )

  // What `run` throws while it makes the statement is as much about the items as what PostgreSQL refuses.
  const send = (batch: Batch<A, B>) =>
    Effect.suspend(() => {
      batchSent(name, batch.length)
      return run(batch.map(({ item }) => item))
    }).pipe(withBatchTimeout, Effect.exit)

  /** Settles every item of the batch, and gives how the last statement ended. */
  const deliver = (batch: Batch<A, B>): Effect.Effect<Exit.Exit<ReadonlyArray<B>, SqlError.SqlError>> =>
    Effect.flatMap(send(batch), (exit) => {
      if (batch.length === 1 || !isCausedByRows(exit)) {
        settle(batch, exit)
        return Effect.succeed(exit)
      }
      const half = Math.ceil(batch.length / 2)
      const rest = batch.slice(half)
      return Effect.flatMap(deliver(batch.slice(0, half)), (first) => {
        if (Exit.isSuccess(first) || isCausedByRows(first)) return deliver(rest)
        settle(rest, first)
        return Effect.succeed(first)
      })
    })

  const takeBatch = (): Batch<A, B> => {
    const batch: Array<Waiting<A, B>> = []
    for (const one of waiting) {
      if (batch.length === batchMax) break
      waiting.delete(one)
      batch.push(one)
    }
    return batch
  }

  /** Two half batches cost more than a whole one: a lane beside another is for a whole one. */
  const isWorthLane = (others: number): boolean => waiting.size >= (others === 0 ? 1 : batchMax)

  /** Invariant: from seeing that nobody waits to giving the lane up nothing else runs, so that nobody is left waiting. */
  const drain = Effect.gen(function* () {
    yield* Effect.yieldNow
    for (;;) {
      if (!isWorthLane(underWay - 1)) {
        underWay -= 1
        return
      }
      const batch = takeBatch()
      yield* Effect.onInterrupt(deliver(batch), () =>
        Effect.sync(() => settle(batch, Exit.fail(shuttingDown())))
      )
    }
  })

  const ask = (item: A, patienceMs = Infinity) =>
    Effect.callback<B, SqlError.SqlError | StorageTimeout>((resume) => {
      if (closed) return resume(Effect.fail(shuttingDown()))
      if (waiting.size >= waitingMax) return resume(Effect.fail(overloaded()))
      const one: Waiting<A, B> = {
        item,
        patienceMs,
        untilMs: monotonicMs(clock) + patienceMs,
        resume
      }
      waiting.add(one)
      patience.start(one)
      if (underWay < lanes && isWorthLane(underWay)) {
        underWay += 1
        // In the layer's scope: a client that leaves must not take the others' statement with it.
        Fiber.runIn(fork(drain), scope)
      }
      return Effect.sync(() => {
        patience.cancel(one)
        waiting.delete(one)
      })
    })
  // Without a patience nobody is told that it is over.
  return ask as BatchedStatement<A, B>
})

const answerAt = <B>(answers: ReadonlyArray<B>, i: number): Exit.Exit<B> =>
  i < answers.length
    ? Exit.succeed(answers[i] as B)
    : Exit.die(new Error("a grouped statement answers every item"))

/** The others of the batch may go through without the row that is meant: not so where a right or a table is missing. */
const isCausedByRows = (exit: Exit.Exit<unknown, SqlError.SqlError>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const error = Cause.squash(exit.cause)
  return classifyDatabaseFailure(error) !== "unavailable" && sqlState(error)?.startsWith("42") !== true
}

const connectionError = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error(message),
      message,
      operation: "grouped statement"
    })
  })

const shuttingDown = () => connectionError("the database is being left")
const overloaded = () => connectionError("too many wait for the database")

/** Reads of many that share a statement: one row at most for each question, told by its place. */
export interface PlacedRow {
  /** Of its question, from 1. */
  readonly place: number
}

/** For either mode, on the client that is given for it. */
export const makeBatchedReads = Effect.fnUntraced(function* <Question, Row extends PlacedRow>(
  name: string,
  clients: { readonly for: (mode: Mode) => SqlClient.SqlClient },
  select: (
    sql: SqlClient.SqlClient,
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
) {
  const readerOf = (mode: Mode) =>
    makeBatchedStatement({
      name,
      batchMax: readBatchMax,
      lanes: readBatchesInFlightMax,
      waitingMax: batchQueueMax,
      run: (questions: ReadonlyArray<Question>) =>
        Effect.map(select(clients.for(mode), questions), (rows) => byPlace(questions.length, rows))
    })
  return { live: yield* readerOf("live"), test: yield* readerOf("test") }
})

const byPlace = <Row extends PlacedRow>(
  questions: number,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row | undefined> => {
  const placed = Array.from<Row | undefined>({ length: questions })
  for (const row of rows) placed[row.place - 1] = row
  return placed
}
