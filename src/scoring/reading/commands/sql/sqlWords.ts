/** The SQL keywords that decide how a statement is read, from `rules/lexicon/sql.json`. */

/** Each word list with its meaning. The schema of the file is made from this table, so editors show these texts. */
export const sqlWordLists = {
  beginnings:
    "First words of SQL. Text that is not marked as SQL and begins with another word is not read as SQL.",
  explainable: "Statements that EXPLAIN takes: `EXPLAIN ANALYZE DELETE` deletes.",
  followed: "Statements that T-SQL lets another one follow without a semicolon: `SELECT 1 DROP TABLE users`.",
  dropped: "Objects that such a second DROP can drop.",
  containers: "Objects that contain tables: dropping one loses everything in it.",
  tables: "Words for objects that hold rows.",
  views: "Words for objects that only show rows.",
  users: "Words for accounts that may sign in, and for their credentials.",
  protections: "Words for objects that protect or trace.",
  routines: "Words for code stored in a database.",
  routinesThatRun: "Routines that, once created, run automatically or by a call.",
  furtherMade: "Other objects that CREATE makes.",
  temporary: "Words before an object that is dropped with its session.",
  beforeNames: "Words between DROP and a name.",
  beforeTables: "Words between FROM and a name.",
  systems: "Settings of the whole system, which ALTER changes for all users.",
  guards: "Protections and traces that ALTER can switch off.",
  traces: "Variables that end a trace or a check when switched off; `*` matches any characters.",
  offValues: "Values that switch a variable off.",
  rights: "Words for permissions in prose: `grant access to Bob`.",
  granting: "Words near the beginning of a GRANT. It has one of them.",
  harmless: "Statements that change no stored data.",
  maintaining: "Statements that maintain a database.",
  endsCondition: "Words that end a WHERE.",
  narrowing: "Words by which a SELECT chooses rows.",
  aggregates: "Functions that aggregate many rows into one value.",
  showing: "Those of them that return the value of a single row.",
  setOperators: "Words that join queries.",
  keyColumns:
    "Names of columns that identify a single row: `WHERE id = 5`; `*` matches letters, digits and `_`.",
  clauses: "Words of SQL next to a plain word in a condition.",
  shared: "Words of SQL that are also ordinary words."
} as const

export type SqlWords = Readonly<Record<keyof typeof sqlWordLists, ReadonlySet<string>>>
