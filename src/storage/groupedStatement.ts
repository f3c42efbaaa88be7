/** Statements of concurrent requests, sent together: those that arrive while one is under way share the next. */

import { Cause, Deferred, Effect, Exit, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { sentTogether } from "../Metrics.ts"
import { inSharedTime } from "./inSharedTime.ts"
import { classifyDatabaseFailure, sqlState } from "./SqlState.ts"

interface Waiting<A, B> {
  readonly item: A
  readonly answer: Deferred.Deferred<B, SqlError.SqlError>
}

type Batch<A, B> = ReadonlyArray<Waiting<A, B>>

/**
 * `run` answers a batch of at most `batchMax` items, one answer each, in their order. At most `lanes` batches are under
 * way at once. A batch starts as soon as a lane is free, never by a timer: alone, an item waits for nobody.
 *
 * Every item ends: one more than `waitingMax` is refused at once, a statement that stays silent is given up on and makes
 * way, and when the scope closes whoever still waits is told. An item whose asker leaves before it was sent is never sent.
 *
 * Invariant: no item fails for another's sake. A batch that PostgreSQL refuses for what stands in it is sent again in
 * halves; only when the server is away do all of them learn so.
 */
export const groupedStatement = Effect.fnUntraced(function* <A, B>(options: {
  /** For metrics. */
  readonly name: string
  readonly batchMax: number
  readonly lanes: number
  readonly waitingMax: number
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, SqlError.SqlError>
}): Effect.fn.Return<(item: A) => Effect.Effect<B, SqlError.SqlError>, never, Scope.Scope> {
  const { batchMax, lanes, name, run, waitingMax } = options
  const scope = yield* Effect.scope
  const waiting = new Set<Waiting<A, B>>()
  let underWay = 0
  let closed = false

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      settle([...waiting], Exit.fail(closing()))
    })
  )

  // What `run` throws while it makes the statement is as much about the items as what PostgreSQL refuses.
  const send = (batch: Batch<A, B>) =>
    Effect.suspend(() => {
      sentTogether(name, batch.length)
      return run(batch.map(({ item }) => item))
    }).pipe(inSharedTime, Effect.exit)

  /** Settles every item of the batch, and gives how the last statement ended. */
  const deliver = (batch: Batch<A, B>): Effect.Effect<Exit.Exit<ReadonlyArray<B>, SqlError.SqlError>> =>
    Effect.flatMap(send(batch), (exit) => {
      if (batch.length === 1 || !isAboutRows(exit)) {
        settle(batch, exit)
        return Effect.succeed(exit)
      }
      const half = Math.ceil(batch.length / 2)
      const rest = batch.slice(half)
      return Effect.flatMap(deliver(batch.slice(0, half)), (first) => {
        if (Exit.isSuccess(first) || isAboutRows(first)) return deliver(rest)
        settle(rest, first)
        return Effect.succeed(first)
      })
    })

  /** Invariant: from seeing that nobody waits to giving the lane up nothing else runs, so that nobody is left waiting. */
  const drain = Effect.gen(function* () {
    for (;;) {
      const batch = [...waiting].slice(0, batchMax)
      if (batch.length === 0) {
        underWay -= 1
        return
      }
      for (const one of batch) waiting.delete(one)
      yield* Effect.onInterrupt(deliver(batch), () => Effect.sync(() => settle(batch, Exit.fail(closing()))))
    }
  })

  return Effect.fnUntraced(function* (item: A) {
    if (closed) return yield* closing()
    if (waiting.size >= waitingMax) return yield* crowded()
    const one = { item, answer: Deferred.makeUnsafe<B, SqlError.SqlError>() }
    waiting.add(one)
    if (underWay < lanes) {
      underWay += 1
      // In the layer's scope: a client that leaves must not take the others' statement with it.
      yield* Effect.forkIn(drain, scope)
    }
    return yield* Effect.onInterrupt(Deferred.await(one.answer), () => Effect.sync(() => waiting.delete(one)))
  })
})

/** Does nothing to those that are settled already. */
const settle = <A, B>(batch: Batch<A, B>, exit: Exit.Exit<ReadonlyArray<B>, SqlError.SqlError>): void =>
  batch.forEach(({ answer }, i) =>
    Deferred.doneUnsafe(answer, Exit.isSuccess(exit) ? answerAt(exit.value, i) : Exit.failCause(exit.cause))
  )

const answerAt = <B>(answers: ReadonlyArray<B>, i: number): Exit.Exit<B> =>
  i < answers.length
    ? Exit.succeed(answers[i] as B)
    : Exit.die(new Error("a grouped statement answers every item"))

/** The others of the batch may go through without the row that is meant: not so where a right or a table is missing. */
const isAboutRows = (exit: Exit.Exit<unknown, SqlError.SqlError>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const error = Cause.squash(exit.cause)
  return classifyDatabaseFailure(error) !== "unavailable" && sqlState(error)?.startsWith("42") !== true
}

const away = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error(message),
      message,
      operation: "grouped statement"
    })
  })

const closing = () => away("the database is being left")
const crowded = () => away("too many wait for the database")
