/** Parameters of statements that work on many rows: an array for each column. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** The type of an element, and its value for a row. Not of every type are there arrays: see `PgTypes.array`. */
export type ArrayColumn<Row> = readonly [type: keyof typeof PgTypes.OID, value: (row: Row) => unknown]

export const arrayParameters = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<ArrayColumn<Row>>
): ReadonlyArray<unknown> =>
  // Fails only for an element type without an array type, and the types that are given have one.
  columns.map(([type, value]) => Result.getOrThrow(PgTypes.array(rows.map(value), PgTypes.OID[type])))
