/** One page of a list of time-ordered ids, and the cursor of the next. */

import { cursorOf } from "./assessmentId.ts"

export interface CutPage<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** `found`: newest first, one more than `limit` where there are more. */
export const cutPage = <Row>(
  found: ReadonlyArray<Row>,
  limit: number,
  idOf: (row: Row) => string
): CutPage<Row> => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last === undefined ? null : cursorOf(idOf(last)) }
}
