/** Rows of statements: rows that are sent are an array for each column, and rows that are read are decoded. */

import { PgTypes } from "@effect/sql-pg"
import { Effect, Result, Schema, String } from "effect"

/** By the type of a parameter: the type that its elements are sent as, from which the statement casts them. */
const sentAs = {
  uuid: "text",
  text: "text",
  date: "text",
  timestamptz: "text",
  json: "text",
  bytea: "bytea",
  digest: "bytea",
  salt: "bytea",
  boolean: "bool",
  int: "int4",
  bigint: "int8",
  figure: "int8"
} as const

/** A parameter for each column, which has an element for each row. */
export const arrayColumns = <Row>(
  columns: Readonly<Record<string, readonly [type: keyof typeof sentAs, value: (row: Row) => unknown]>>
) => {
  const all = Object.values(columns)
  return {
    names: Object.keys(columns).join(", "),
    /** For a statement whose first parameters they are. */
    parameters: all.map(([type], i) => `$${i + 1}::${type}[]`).join(", "),
    values: (rows: ReadonlyArray<Row>): ReadonlyArray<unknown> =>
      // Fails only for an element type without an array type, and the types that are sent have one.
      all.map(([type, value]) => Result.getOrThrow(PgTypes.array(rows.map(value), PgTypes.OID[sentAs[type]])))
  }
}

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
 * The one row of a table for a row of another one, to be joined LATERAL. `LIMIT 1` keeps the plan: a plain join may be planned as if a page
 * were a tenth of all rows, or as a merge from the first row of the table on, and would then read a whole table for each page.
 */
export const rowBeside = ({
  by = ["organization_id", "assessment_id"],
  columns = "*",
  of,
  table
}: Lookup): string =>
  `(SELECT ${columns} FROM ${table} WHERE ${by.map((column) => `${table}.${column} = ${of}.${column}`).join(" AND ")} LIMIT 1)`

/** The history of each row of `assessments`, found by its time. */
export const pastOfEach = rowBeside({
  table: "history",
  of: "assessments",
  by: ["organization_id", "created_at", "assessment_id"]
})
