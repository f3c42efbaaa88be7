/** How many rows a statement touches and how sensitive they are: conditions, tables and columns of SELECT, UPDATE and DELETE. */

import { type DataClassification, dataClassifications } from "../../../../domain/Action.ts"
import { extents, type Impact } from "../../Act.ts"
import type { PreparedCommands } from "../Commands.ts"
import { globFits } from "../paths.ts"
import type { SqlWords } from "./sqlWords.ts"
import {
  closeOf,
  findAmong,
  findWord,
  isMark,
  isAmong,
  isWord,
  splitTokens,
  type SqlToken,
  type SqlTokens
} from "./tokens.ts"
import type { CommandAct, FoundAct, NamedAct } from "../CommandReading.ts"

/** The state while one text is read as SQL. */
export interface SqlReading {
  readonly commands: PreparedCommands
  readonly found: Array<FoundAct>
  /** Caches `placeOfFunction` by name, because nested statements meet the same functions again. */
  readonly functions: Map<string, number>
  /** The caller did not state SQL, so the text must look like SQL and not like an English sentence. */
  readonly strict: boolean
}

export const addSql = (
  { commands, found }: SqlReading,
  name: NamedAct,
  more: Partial<CommandAct> = {}
): true => {
  const act = { ...commands.acts[name], ...more }
  found.push({ command: `sql.${act.type.slice(act.type.indexOf(".") + 1)}`, act, line: name })
  return true
}

/** How many rows a condition selects. */
export type Reach = "one" | "some" | "all"
export const reachExtent = { one: "single", some: "list", all: "bulk" } as const

/** Whether a column identifies a single row. */
export const isKeyColumn = (name: string, { keyColumns }: SqlWords): boolean => {
  const upper = name.toUpperCase()
  if (keyColumns.has(upper)) return true
  if (!/^\w+$/.test(upper)) return false
  for (const glob of keyColumns) if (globFits(glob, upper)) return true
  return false
}

const isColumn = (token: SqlToken | undefined) =>
  (token?.kind === "word" && !["TRUE", "FALSE", "NULL", "CURRENT_DATE"].includes(token.text)) ||
  token?.kind === "name"

const isValue = (token: SqlToken | undefined) => token?.kind === "string" || token?.kind === "number"

/** Reduces `a.b.c` to `c`. */
export const withoutQualifiers = (tokens: SqlTokens): SqlTokens => {
  const kept: Array<SqlToken> = []
  tokens.forEach((token, i) => {
    if (isMark(token, ".") || isMark(tokens[i + 1], ".")) return
    kept.push(token)
  })
  return kept
}

const compare = (left: SqlToken, operator: string, right: SqlToken): boolean | undefined => {
  if (left.kind !== right.kind) return undefined
  const [a, b] = left.kind === "number" ? [Number(left.text), Number(right.text)] : [left.text, right.text]
  if (left.kind === "word" || left.kind === "name")
    return a === b && ["=", ">=", "<=", "=="].includes(operator) ? true : undefined
  switch (operator) {
    case "=":
    case "==":
      return a === b
    case "<>":
    case "!=":
      return a !== b
    case "<":
      return a < b
    case ">":
      return a > b
    case "<=":
      return a <= b
    case ">=":
      return a >= b
    default:
      return undefined
  }
}

export const stripParentheses = (tokens: SqlTokens): SqlTokens => {
  let stripped = tokens
  while (isMark(stripped[0], "(") && closeOf(stripped, 0) === stripped.length - 1)
    stripped = stripped.slice(1, -1)
  return stripped
}

/** `id > 0`, `id IS NOT NULL`, `name LIKE '%'`, `1 = 1`, `TRUE`: true for (nearly) every row. */
const isTrivial = (conjunct: SqlTokens, words: SqlWords): boolean => {
  const [a, b, c, d] = conjunct
  if (a === undefined) return true
  if (conjunct.length === 1) return isWord(a, "TRUE") || (a.kind === "number" && Number(a.text) !== 0)
  if (conjunct.length === 2) return isWord(a, "NOT") && (isWord(b, "FALSE") || b?.text === "0")
  const key = isColumn(a) && isKeyColumn(a.text, words)
  if (conjunct.length === 4) {
    if (key && isWord(b, "IS") && isWord(c, "NOT") && isWord(d, "NULL")) return true
    return key && isMark(b, ">") && isMark(c, "-") && d?.kind === "number"
  }
  if (conjunct.length !== 3 || b === undefined || c === undefined) return false
  if (isWord(b, "LIKE", "ILIKE")) return /^%+$/.test(c.text)
  if (key && [">", ">=", "<>", "!="].includes(b.text) && /^(?:0|)$/.test(c.text)) return true
  return compare(a, b.text, c) === true
}

const isKeyEquality = (conjunct: SqlTokens, words: SqlWords): boolean => {
  const [a, b, c] = conjunct
  if (conjunct.length !== 3 || !(isMark(b, "=") || isMark(b, "=="))) return false
  const column = isColumn(a) ? a : c
  return isValue(column === a ? c : a) && column !== undefined && isKeyColumn(column.text, words)
}

const branchesMax = 64

/** How many rows the condition selects. Follows only a few levels of parentheses. */
export const reachOf = (condition: SqlTokens, words: SqlWords, depth = 0): Reach => {
  const bare = stripParentheses(withoutQualifiers(condition))
  if (bare.length === 0) return "all"
  if (depth > 4) return "some"
  const branches = splitTokens(bare, (token) => isWord(token, "OR") || isMark(token, "||"))
  if (branches.length > 1)
    return branches.slice(0, branchesMax).some((branch) => reachOf(branch, words, depth + 1) === "all")
      ? "all"
      : "some"
  const between = new Set<number>()
  let open = false
  bare.forEach((token, i) => {
    // The AND in `x BETWEEN a AND b` does not join conditions.
    if (isWord(token, "BETWEEN")) open = true
    else if (open && isWord(token, "AND")) {
      between.add(i)
      open = false
    }
  })
  const conjuncts = splitTokens(bare, (token, i) => isWord(token, "AND") && !between.has(i))
  if (conjuncts.length > 1) {
    const reaches = conjuncts.slice(0, branchesMax).map((conjunct) => reachOf(conjunct, words, depth + 1))
    if (reaches.includes("one")) return "one"
    return reaches.every((reach) => reach === "all") ? "all" : "some"
  }
  if (isTrivial(bare, words)) return "all"
  return isKeyEquality(bare, words) ? "one" : "some"
}

/** The tokens of the WHERE clause; undefined without one. */
export const conditionOf = (tokens: SqlTokens, { endsCondition }: SqlWords): SqlTokens | undefined => {
  const where = findWord(tokens, "WHERE")
  if (where === -1) return undefined
  const rest = tokens.slice(where + 1)
  const end = findAmong(rest, endsCondition)
  return end === -1 ? rest : rest.slice(0, end)
}

/** The number of LIMIT, TOP or FETCH FIRST; undefined without one. */
export const limitOf = (tokens: SqlTokens): number | undefined => {
  for (let i = 0; i < tokens.length - 1; i++)
    if (isWord(tokens[i], "LIMIT", "TOP", "FIRST", "NEXT", "ROWNUM")) {
      const next = tokens.slice(i + 1, i + 4).find(({ kind }) => kind === "number")
      // `LIMIT 10, 5` starts at 10.
      const second = isMark(tokens[i + 2], ",") ? tokens[i + 3] : next
      if (second?.kind === "number") return Number(second.text)
    }
  return undefined
}

const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

const oneWord = /^(?:[a-z]+|[A-Z]+)$/

/** The words of a name: `customer_emails` gives customer, emails, customeremails, and their singulars. */
export const wordsOfName = (name: string): ReadonlyArray<string> => {
  const lower = name.toLowerCase()
  // A shortcut: a statement can have a thousand names, and most of them are one word.
  const words = oneWord.test(name)
    ? [lower]
    : new Set([
        lower,
        lower.replace(/_/g, ""),
        ...lower.split("_"),
        ...(name.match(parts) ?? []).map((part) => part.toLowerCase())
      ])
  const found: Array<string> = []
  for (const word of words) {
    found.push(word)
    if (word.endsWith("ies")) found.push(`${word.slice(0, -3)}y`)
    else if (word.endsWith("es")) found.push(word.slice(0, -1), word.slice(0, -2))
    else if (word.endsWith("s")) found.push(word.slice(0, -1))
  }
  return found
}

/** Whether all of these tables can be rebuilt. `names` may include schemas, which are ignored. */
export const areTemporary = (
  names: ReadonlyArray<string>,
  { temporaryEndings, temporaryTables }: PreparedCommands
): boolean => {
  const saysSo = (name: string): boolean => wordsOfName(name).some((word) => temporaryTables.has(word))
  return (
    names.length > 0 &&
    names.every((name) => {
      const own = name.slice(name.lastIndexOf(".") + 1)
      const last = own.toLowerCase().split("_").at(-1) ?? ""
      return own.startsWith("#") || saysSo(own) || temporaryEndings.has(last)
    })
  )
}

export const holdsOf = (names: ReadonlyArray<string>, { holds }: PreparedCommands): DataClassification => {
  let most = dataClassifications.indexOf("internal")
  // Deduplicated, because a condition can name one column a thousand times.
  for (const name of new Set(names))
    for (const word of wordsOfName(name)) {
      const found = holds.get(word)
      if (found !== undefined) most = Math.max(most, dataClassifications.indexOf(found))
    }
  return dataClassifications[most] ?? "internal"
}

/** The names after FROM, JOIN, INTO and UPDATE, at any depth. Every part of a dotted name counts: `a.b` gives both. */
export const tablesOf = (tokens: SqlTokens, { beforeTables }: SqlWords): ReadonlyArray<string> => {
  const tables: Array<string> = []
  const add = (start: number): number => {
    let i = start
    while (isAmong(tokens[i], beforeTables)) i++
    const first = tokens[i]
    if (first === undefined || first.kind === "mark" || first.kind === "number") return i
    tables.push(first.text)
    while (isMark(tokens[i + 1], ".") && tokens[i + 2] !== undefined) {
      tables.push(tokens[i + 2]?.text ?? "")
      i += 2
    }
    return i
  }
  for (let i = 0; i < tokens.length; i++)
    if (isWord(tokens[i], "FROM", "JOIN", "INTO", "UPDATE", "USING")) {
      i = add(i + 1)
      // `FROM a, b` and `FROM a x, b y`
      for (let next = i + 1; next <= i + 3; next++)
        if (isMark(tokens[next], ",")) {
          i = add(next + 1)
          next = i
        } else if (tokens[next]?.kind !== "word" || isWord(tokens[next], "WHERE", "SET", "VALUES", "JOIN"))
          break
    }
  return tables
}

/** `delete(attributes, 'colour')` of PostgreSQL's hstore only returns a value without the key. */
export const takesKeyAway = (tokens: SqlTokens, i: number): boolean =>
  isWord(tokens[i], "DELETE") &&
  !isMark(tokens[i - 1], ".") &&
  isWord(tokens[0], "SELECT") &&
  tokens[i + 2]?.kind === "word" &&
  isMark(tokens[i + 3], ",") &&
  tokens[i + 4]?.kind === "string" &&
  isMark(tokens[i + 5], ")")

export const named = (tables: ReadonlyArray<string>, words: ReadonlySet<string>): boolean =>
  tables.some((table) => wordsOfName(table).some((word) => words.has(word)))

/**
 * `id IN (SELECT id FROM orders)` selects every row of the same table, or of another table unless its name implies a choice, as
 * `banned_users` does.
 */
const namesWholeTable = (
  condition: SqlTokens,
  own: string | undefined,
  commands: PreparedCommands
): boolean => {
  const at = findWord(condition, "IN", "EXISTS")
  const isSelect = isMark(condition[at + 1], "(") && isWord(condition[at + 2], "SELECT")
  if (at === -1 || at > 3 || !isSelect || closeOf(condition, at + 1) !== condition.length - 1) return false
  const inner = condition.slice(at + 2, -1)
  const [table, ...others] = tablesOf(inner, commands.sql)
  if (table === undefined || others.length > 0 || findAmong(inner, commands.sql.narrowing) !== -1)
    return false
  const isPlain = /^[a-z]+$/i.test(table) && !areTemporary([table], commands)
  return isPlain || table.toLowerCase() === own?.toLowerCase()
}

/** How many rows an UPDATE or a DELETE touches. */
export const rowsOf = (tokens: SqlTokens, commands: PreparedCommands): Reach => {
  const condition = conditionOf(tokens, commands.sql)
  const reach = condition === undefined ? "all" : reachOf(condition, commands.sql)
  if (reach === "some" && condition !== undefined)
    return namesWholeTable(condition, tablesOf(tokens, commands.sql)[0], commands) ? "all" : reach
  return reach === "all" && limitOf(tokens) === 1 ? "one" : reach
}

/** The impact of reading data of this sensitivity. */
export const readImpact = (
  holds: CommandAct["holds"],
  extent: CommandAct["extent"],
  commands: PreparedCommands
): Impact => commands.sqlReadImpacts[holds]?.[extents.indexOf(extent)] ?? "low"
