/** For pages of rows that are read with a row of another table beside each. */

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
