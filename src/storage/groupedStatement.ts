/** Statements of concurrent requests, sent together: those that arrive while one is under way share the next. */

import { Cause, Deferred, Effect, Exit, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { classifyDatabaseFailure } from "./SqlState.ts"

interface Waiting<A, B> {
  readonly item: A
  readonly answer: Deferred.Deferred<B, SqlError.SqlError>
}

/**
 * `run` answers a batch of at most `batchMax` items, one answer each, in their order. At most `lanes` batches are under
 * way at once. A batch starts as soon as a lane is free, never by a timer: alone, an item waits for nobody.
 *
 * Invariant: no item fails for another's sake. A batch that PostgreSQL refuses for what stands in it is sent again item
 * by item; only when the server is away do all of them learn so.
 */
export const groupedStatement = Effect.fnUntraced(function* <A, B>(options: {
  readonly batchMax: number
  readonly lanes: number
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, SqlError.SqlError>
}): Effect.fn.Return<(item: A) => Effect.Effect<B, SqlError.SqlError>, never, Scope.Scope> {
  const { batchMax, lanes, run } = options
  const scope = yield* Effect.scope
  let waiting: Array<Waiting<A, B>> = []
  let underWay = 0

  const settle = (
    batch: ReadonlyArray<Waiting<A, B>>,
    exit: Exit.Exit<ReadonlyArray<B>, SqlError.SqlError>
  ) =>
    Effect.sync(() =>
      batch.forEach(({ answer }, i) =>
        Deferred.doneUnsafe(
          answer,
          Exit.isSuccess(exit) ? answerAt(exit.value, i) : Exit.failCause(exit.cause)
        )
      )
    )

  const send = (batch: ReadonlyArray<Waiting<A, B>>) => Effect.exit(run(batch.map(({ item }) => item)))

  const sendAndSettle = (batch: ReadonlyArray<Waiting<A, B>>): Effect.Effect<void> =>
    Effect.flatMap(send(batch), (exit) =>
      batch.length > 1 && Exit.isFailure(exit) && isRefusal(exit.cause)
        ? Effect.forEach(batch, (one) => Effect.flatMap(send([one]), (alone) => settle([one], alone)), {
            discard: true
          })
        : settle(batch, exit)
    )

  /** Invariant: from seeing that nobody waits to giving the lane up nothing else runs, so that nobody is left waiting. */
  const drain = Effect.gen(function* () {
    for (;;) {
      const batch = waiting.slice(0, batchMax)
      if (batch.length === 0) {
        underWay -= 1
        return
      }
      waiting = waiting.slice(batchMax)
      yield* sendAndSettle(batch)
    }
  })

  return Effect.fnUntraced(function* (item: A) {
    const answer = Deferred.makeUnsafe<B, SqlError.SqlError>()
    waiting.push({ item, answer })
    if (underWay < lanes) {
      underWay += 1
      // In the layer's scope: a client that leaves must not take the others' statement with it.
      yield* Effect.forkIn(drain, scope)
    }
    return yield* Deferred.await(answer)
  })
})

const answerAt = <B>(answers: ReadonlyArray<B>, i: number): Exit.Exit<B> =>
  i < answers.length
    ? Exit.succeed(answers[i] as B)
    : Exit.die(new Error("a grouped statement answers every item"))

/** PostgreSQL answered, and it is about the rows: the others of the batch may go through without the one it means. */
const isRefusal = (cause: Cause.Cause<SqlError.SqlError>): boolean => {
  const failure = classifyDatabaseFailure(Cause.squash(cause))
  return failure === "fault" || failure === "unique" || failure === "conflict"
}
