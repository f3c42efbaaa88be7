/** The SQL keywords that decide how a statement is read, from `rules/lexicon/sql.json`. */

/** Each word list with its meaning. The schema of the file is made from this table, so editors show these texts. */
export const sqlWordLists = {
  beginnings:
    "First words of SQL. A text that is not marked as SQL and begins with another word is not read as SQL.",
  explainable: "Statements that EXPLAIN takes: `EXPLAIN ANALYZE DELETE` deletes.",
  followed:
    "Statements after which T-SQL lets another one begin without a semicolon: `SELECT 1 DROP TABLE users`.",
  dropped: "Things that such a second DROP drops.",
  containers: "Things that hold tables: their loss is the loss of all in them.",
  tables: "Words for things that hold rows.",
  views: "Words for things that only show rows.",
  users: "Words for accounts that may sign in, and for their credentials.",
  protections: "Words for things that protect or trace.",
  routines: "Words for code that a database keeps.",
  routinesThatRun: "Routines that run by themselves or by a call once CREATE has made them.",
  furtherMade: "Other things that CREATE makes.",
  temporary: "Words before a thing that ends with its session.",
  beforeNames: "Words between DROP and a name.",
  beforeTables: "Words between FROM and a name.",
  systems: "Settings of the whole system, which ALTER changes for all users.",
  guards: "Protections and traces that ALTER can switch off.",
  traces: "Variables whose end is the end of a trace or of a check; `*` stands for any characters.",
  offValues: "Values that switch a variable off.",
  rights: "Words for rights in a sentence: `grant access to Bob`.",
  granting: "Words near the beginning of a GRANT. It has one of them.",
  harmless: "Statements that change nothing that is kept.",
  maintaining: "Statements that keep a database in order.",
  endsCondition: "Words that end a WHERE.",
  narrowing: "Words by which a SELECT chooses rows.",
  aggregates: "Functions that make one value of many rows.",
  showing: "Those of them whose value is the value of a row.",
  setOperators: "Words that join queries.",
  keyColumns: "Names of columns that name one row: `WHERE id = 5`; `*` stands for letters, digits and `_`.",
  clauses: "Words of SQL next to a plain word in a condition.",
  shared: "Words of SQL that are also words of any sentence."
} as const

export type SqlWords = Readonly<Record<keyof typeof sqlWordLists, ReadonlySet<string>>>
