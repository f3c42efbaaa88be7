/** Reads of many that share a statement: one row at most for each question, told by its place. */

import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../../domain/Mode.ts"
import { readLanes, readTogetherMax, sharedWaitingMax } from "../../Limits.ts"
import { groupedStatement } from "../groupedStatement.ts"

export interface Placed {
  /** Of its question, from 1. */
  readonly place: number
}

/** For either mode, on the client that is given for it. */
export const readTogether = Effect.fnUntraced(function* <Question, Row extends Placed>(
  name: string,
  clients: { readonly for: (mode: Mode) => SqlClient.SqlClient },
  select: (
    sql: SqlClient.SqlClient,
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
) {
  const readerOf = (mode: Mode) =>
    groupedStatement({
      name,
      batchMax: readTogetherMax,
      lanes: readLanes,
      waitingMax: sharedWaitingMax,
      run: (questions: ReadonlyArray<Question>) =>
        Effect.map(select(clients.for(mode), questions), (rows) => inPlaces(questions.length, rows))
    })
  return { live: yield* readerOf("live"), test: yield* readerOf("test") }
})

const inPlaces = <Row extends Placed>(
  questions: number,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row | undefined> => {
  const placed = Array.from<Row | undefined>({ length: questions })
  for (const row of rows) placed[row.place - 1] = row
  return placed
}
