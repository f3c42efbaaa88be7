/** Rows of statements: rows that are sent are an array for each column, and rows that are read are decoded. */

import { PgTypes } from "@effect/sql-pg"
import { Effect, Result, Schema, String } from "effect"

/** The type of an element, and its value for a row. Not of every type are there arrays: see `PgTypes.array`. */
export type ArrayColumn<Row> = readonly [type: keyof typeof PgTypes.OID, value: (row: Row) => unknown]

export const arrayParameters = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<ArrayColumn<Row>>
): ReadonlyArray<unknown> =>
  // Fails only for an element type without an array type, and the types that are given have one.
  columns.map(([type, value]) => Result.getOrThrow(PgTypes.array(rows.map(value), PgTypes.OID[type])))

/**
 * For statements that run rarely. Statements of the hot path have row types written by hand instead.
 *
 * Columns in snake_case become members in camelCase, and columns that `row` does not name are dropped. A row that does not decode is a
 * defect: the tables and the code disagree, and no caller can do anything about it.
 */
export const decodeRows = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return <E, R>(
    statement: Effect.Effect<ReadonlyArray<object>, E, R>
  ): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.flatMap(statement, (rows) => Effect.orDie(decode(rows.map(inCamelCase))))
}

const inCamelCase = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [String.snakeToCamel(column), value]))

interface Lookup {
  readonly table: string
  /** The table or its alias to whose rows the looked-up ones belong. */
  readonly of: string
  /** Of `table`; all by default. */
  readonly columns?: string
  /** Columns that are equal in both. */
  readonly by?: ReadonlyArray<string>
}

/**
 * The one row of a table for a row of another one, to be joined LATERAL. A plain join may be planned as if a page were a
 * tenth of all rows, or as a merge that begins at the first row of the table. Either would read a whole table for each page.
 * `LIMIT 1` keeps it from that.
 */
export const rowBeside = ({
  by = ["organization_id", "assessment_id"],
  columns = "*",
  of,
  table
}: Lookup): string =>
  `(SELECT ${columns} FROM ${table} WHERE ${by.map((column) => `${table}.${column} = ${of}.${column}`).join(" AND ")} LIMIT 1)`
