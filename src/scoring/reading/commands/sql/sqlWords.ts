/** The words of SQL that decide how a statement is read: `rules/lexicon/sql.json`. */

/** Each list with the meaning of its words. The schema of the file is made from it, so editors show these texts. */
export const sqlWordLists = {
  beginnings:
    "What a text may begin with that is not said to be SQL. Most texts begin otherwise, and are not read as SQL.",
  explainable: "What EXPLAIN explains: `EXPLAIN ANALYZE DELETE` deletes.",
  followed:
    "Statements behind which T-SQL lets another one begin without a semicolon: `SELECT 1 DROP TABLE users`.",
  dropped: "What such a second DROP drops.",
  containers: "Things that hold tables: their loss is the loss of all in them.",
  tables: "Words of things that hold rows.",
  views: "Words of things that only show rows.",
  users: "Words of who may sign in, and of what they sign in with.",
  protections: "Words of what protects or traces.",
  routines: "Words of code that is kept in a database.",
  routinesThatRun: "Those that CREATE makes run by themselves or by a call.",
  furtherMade: "What CREATE makes beside all of these.",
  temporary: "Words in front of what goes with its session.",
  beforeNames: "Words that stand between DROP and a name.",
  beforeTables: "Words that stand between FROM and a name.",
  systems: "What ALTER changes for everybody: settings of the whole system.",
  guards: "What ALTER can switch off, and then nothing protects or traces any more.",
  traces: "Variables whose end is the end of a trace or of a check; `*` stands for any characters.",
  offValues: "Values that switch a variable off.",
  rights: "What people call rights in a sentence: `grant access to Bob`.",
  granting: "Words of which one stands near the beginning of a GRANT.",
  harmless: "Statements that change nothing that is kept.",
  maintaining: "Statements that keep a database in order.",
  endsCondition: "Words that end a WHERE.",
  narrowing: "Words by which a SELECT chooses rows.",
  aggregates: "Functions that make one value of many rows.",
  showing: "Those of them whose value is the value of a row.",
  setOperators: "Words that join queries.",
  keyColumns: "Names of columns that name one row: `WHERE id = 5`; `*` stands for letters, digits and `_`.",
  clauses: "Words of SQL that stand beside a plain word in a condition.",
  shared: "Words of SQL that are also words of any sentence."
} as const

export type SqlWords = Readonly<Record<keyof typeof sqlWordLists, ReadonlySet<string>>>
