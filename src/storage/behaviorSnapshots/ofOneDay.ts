/** Brings a past and a today together that are of one and the same day, and know of the same reviews. */

import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { outdatedReadsMax } from "../../Limits.ts"

export interface Moment {
  /** `2026-11-20` */
  readonly today: string
  /** What a review took out of the past must not make anything look familiar. */
  readonly revision: number
}

/** Below 0 where `one` was read before the day or the review that `other` knows of. */
const order = (one: Moment, other: Moment): number =>
  one.today === other.today ? one.revision - other.revision : one.today < other.today ? -1 : 1

export const areOfOneDay = (one: Moment, other: Moment): boolean => order(one, other) === 0

/**
 * Whichever is behind is read again. Joined unchecked, a past of tomorrow and a today of today would count today twice,
 * and what the asked action itself was today would be among the others: repeating a question would be evidence.
 */
export const ofOneDay = Effect.fnUntraced(function* <P extends Moment, T extends Moment, E>(
  read: readonly [past: P, today: T],
  again: {
    readonly past: (outdated: P) => Effect.Effect<P, E>
    readonly today: Effect.Effect<T, E>
  }
): Effect.fn.Return<readonly [past: P, today: T], E | SqlError.SqlError> {
  let [past, today] = read
  for (let reads = 0; !areOfOneDay(past, today); reads++) {
    if (reads === outdatedReadsMax) return yield* changing()
    if (order(past, today) < 0) past = yield* again.past(past)
    else today = yield* again.today
  }
  return [past, today]
})

const message = `the past changed at each of ${outdatedReadsMax} further looks`

/** With the SQLSTATE of what it is: other transactions won, and asking again can succeed at once. */
const changing = () =>
  new SqlError.SqlError({
    reason: new SqlError.SerializationError({
      cause: Object.assign(new Error(message), { code: "40001" }),
      message,
      operation: "read behavior"
    })
  })
