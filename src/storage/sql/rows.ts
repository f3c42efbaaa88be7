/** Rows of statements: sent rows are one array per column, and received rows are decoded. */

import { PgTypes } from "@effect/sql-pg"
import { Effect, Result, Schema, String } from "effect"

/** For each parameter type, the type as which its elements are sent and from which the statement casts them. */
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

/** One parameter per column, with one element per row. */
export const arrayColumns = <Row>(
  columns: Readonly<Record<string, readonly [type: keyof typeof sentAs, value: (row: Row) => unknown]>>
) => {
  const all = Object.values(columns)
  return {
    names: Object.keys(columns).join(", "),
    /** For a statement in which these are the first parameters. */
    parameters: all.map(([type], i) => `$${i + 1}::${type}[]`).join(", "),
    values: (rows: ReadonlyArray<Row>): ReadonlyArray<unknown> =>
      // Fails only for an element type without an array type; the types used here all have one.
      all.map(([type, value]) => Result.getOrThrow(PgTypes.array(rows.map(value), PgTypes.OID[sentAs[type]])))
  }
}

/**
 * For statements that run rarely. Statements on hot paths use handwritten row types instead.
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
  /** The table, or its alias, to whose rows the looked-up rows belong. */
  readonly of: string
  /** Columns of `table`; all by default. */
  readonly columns?: string
  /** Columns that are equal in both. */
  readonly by?: ReadonlyArray<string>
}

/**
 * The one row of a table that belongs to a row of another, for a LATERAL join. `LIMIT 1` fixes the plan: a plain join may be planned as if
 * a page were a tenth of all rows, or as a merge from the start of the table, and would then read a whole table for each page.
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
