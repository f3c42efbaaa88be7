/** Decodes the rows of statements that run rarely. Statements of the hot path have row types written by hand instead. */

import { Effect, Schema } from "effect"

/**
 * A row that does not decode is a defect: the tables and the code disagree, and no caller can do anything about it.
 * Columns that `row` does not name are dropped.
 */
export const decodeRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return <E, R>(
    statement: Effect.Effect<ReadonlyArray<unknown>, E, R>
  ): Effect.Effect<ReadonlyArray<A>, E, R> => Effect.flatMap(statement, (rows) => Effect.orDie(decode(rows)))
}
