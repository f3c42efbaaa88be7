/** Reads a SELECT: which columns of which tables it returns, for how many rows, and whether it only counts. */

import { dataClassifications } from "../../../../domain/Action.ts"
import type { PreparedCommands } from "../Commands.ts"
import {
  addSql,
  conditionOf,
  holdsOf,
  isKeyColumn,
  limitOf,
  named,
  type Reach,
  reachExtent,
  reachOf,
  readImpact,
  type SqlReading,
  stripParentheses,
  tablesOf,
  withoutQualifiers
} from "./rows.ts"
import type { SqlWords } from "./sqlWords.ts"
import {
  closeOf,
  findAmong,
  findWord,
  isMark,
  isAmong,
  isWord,
  splitTokens,
  type SqlTokens
} from "./tokens.ts"

/** A dialect-specific function that aggregates many rows: `PERCENTILE`. The rules list them. */
const isNamedFigure = (token: SqlTokens[number] | undefined, { sqlFigures }: PreparedCommands): boolean =>
  (token?.kind === "word" || token?.kind === "name") && sqlFigures.has(token.text.toLowerCase())

interface Columns {
  readonly names: ReadonlyArray<string>
  readonly star: boolean
  /** Only aggregates. */
  readonly aggregate: boolean
  readonly grouped: boolean
  /** Returns one row, because every column is an aggregate. */
  readonly oneRow: boolean
}

/** The columns of the outer select list. Columns inside aggregates are left out: a count of salaries reveals none. */
const columnsOf = (tokens: SqlTokens, commands: PreparedCommands): Columns => {
  const select = findWord(tokens, "SELECT")
  const from = findWord(tokens, "FROM")
  const list = tokens.slice(select + 1, from === -1 ? tokens.length : from)
  const names: Array<string> = []
  let star = false
  let items = 0
  let aggregated = 0
  let shown = 0
  for (const item of splitTokens(list, (token) => isMark(token, ","))) {
    // A literal such as `'all'` next to a count is not a column.
    if (isLiteral(item)) continue
    items++
    const at = item.findIndex((token) => isWord(token, "DISTINCT", "ALL", "TOP") === false)
    const isAggregate =
      (isAmong(item[at], commands.sql.aggregates) || isNamedFigure(item[at], commands)) &&
      isMark(item[at + 1], "(")
    const shows = isAggregate && showsValue(item.slice(at), tokens, commands)
    if (shows && !holdsSelect(item)) shown++
    if (isAggregate && !shows) aggregated++
    else
      for (const token of item)
        if (token.kind === "word" || token.kind === "name") names.push(token.text)
        else if (isMark(token, "*") && (item.length === 1 || isMark(item.at(-2), "."))) star = true
  }
  const groups = findWord(tokens, "GROUP") !== -1
  return {
    names,
    star,
    aggregate: aggregated > 0 && aggregated === items,
    grouped: aggregated > 0 && !star && groups,
    oneRow: shown > 0 && aggregated + shown === items && !groups
  }
}

const isLiteral = (item: SqlTokens): boolean =>
  item[0]?.kind === "string" && (item.length === 1 || isWord(item[1], "AS"))

const holdsSelect = (tokens: SqlTokens): boolean => tokens.some((token) => isWord(token, "SELECT"))

const namesIn = (tokens: SqlTokens): ReadonlyArray<string> =>
  tokens.flatMap(({ kind, text }) => (kind === "word" || kind === "name" ? [text] : []))

/**
 * Whether an aggregate reveals the value of a row: `MAX(token)` is a token, and `COUNT(*) || (SELECT …)` reveals more than a count. The
 * alias reveals nothing.
 */
const showsValue = (item: SqlTokens, tokens: SqlTokens, commands: PreparedCommands): boolean => {
  if (holdsSelect(item)) return true
  const { value } = itemOf(item)
  const close = closeOf(value, 1)
  const rest = value.slice(close + 1)
  const filtered = findWord(rest, "FILTER", "OVER")
  const behind = namesIn(filtered === -1 ? rest : rest.slice(0, filtered))
  // A subquery may give the column another name.
  const isNested = tokens.slice(1).some((token) => isWord(token, "SELECT"))
  // Like a maximum, a percentile can be the value of a single row.
  const showsRow = isAmong(value[0], commands.sql.showing) || isNamedFigure(value[0], commands)
  const inside = showsRow ? namesIn(isNested ? tokens : value.slice(2, close)) : []
  return named([...inside, ...(rest.length > 1 ? behind : [])], commands.shownColumns)
}

/** One item of a select list: its expression and its alias. */
const itemOf = (item: SqlTokens): { readonly value: SqlTokens; readonly name: string | undefined } => {
  const as = findWord(item, "AS")
  return as === -1 ? { value: item, name: undefined } : { value: item.slice(0, as), name: item[as + 1]?.text }
}

/** `COUNT(DISTINCT user_id)`, with at most an alias after it. A minimum or maximum is excluded, because it is the value of a row. */
const isFigure = (value: SqlTokens, { aggregates, showing }: SqlWords): boolean =>
  isAmong(value[0], aggregates) &&
  !isAmong(value[0], showing) &&
  isMark(value[1], "(") &&
  closeOf(value, 1) >= value.length - 2 &&
  value.every((token) => !isWord(token, "SELECT"))

const spelled = (tokens: SqlTokens): string =>
  withoutQualifiers(tokens)
    .map(({ kind, text }) => (kind === "string" ? `'${text}'` : text.toLowerCase()))
    .join(" ")

const groupsMax = 64

/** The columns by which a statement groups if it otherwise only counts: `SELECT country, COUNT(*) … GROUP BY country`. */
const groupsOf = (tokens: SqlTokens, words: SqlWords): ReadonlyArray<string> | undefined => {
  const from = findWord(tokens, "FROM")
  const group = findWord(tokens, "GROUP")
  if (from === -1 || group < from || !isWord(tokens[group + 1], "BY")) return undefined
  if (findAmong(tokens, words.setOperators) !== -1) return undefined
  const rest = tokens.slice(group + 2)
  const end = findAmong(rest, words.endsCondition)
  const by = splitTokens(end === -1 ? rest : rest.slice(0, end), (token) => isMark(token, ","))
  const keys = new Set(by.map((key) => spelled(stripParentheses(key))))
  const items = splitTokens(tokens.slice(findWord(tokens, "SELECT") + 1, from), (token) => isMark(token, ","))
  if (items.length > groupsMax) return undefined
  const columns: Array<string> = []
  for (const [at, item] of items.entries()) {
    const { name, value } = itemOf(item)
    if (isFigure(value, words)) continue
    const isKey = keys.has(spelled(value)) || keys.has(String(at + 1)) || keys.has(name?.toLowerCase() ?? "")
    if (!isKey || value.some((token) => isWord(token, "SELECT") || isMark(token, "*"))) return undefined
    for (const token of item) if (token.kind === "word" || token.kind === "name") columns.push(token.text)
  }
  return columns
}

/**
 * Whether a statement returns only counts per group, whatever the table holds. A group must not identify a row (`email`, `user_id`) or be a
 * secret.
 */
const countsGroupsOf = (tokens: SqlTokens, commands: PreparedCommands): boolean => {
  const columns = groupsOf(tokens, commands.sql)
  return (
    columns !== undefined &&
    holdsOf(columns, commands) === "internal" &&
    !columns.some((column) => isKeyColumn(column, commands.sql)) &&
    !named(columns, commands.identifyingColumns)
  )
}

const sensitive: ReadonlySet<string> = new Set(["restricted", "regulated"])

/** Reads a SELECT: the data that it returns, and where it writes the data. */
export const readSelect = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const into = findWord(tokens, "INTO")
  const writesFile = findWord(tokens, "OUTFILE", "DUMPFILE") !== -1
  if (writesFile) addSql(reading, "sqlWritesFile")
  else if (into !== -1 && !tokens[into + 1]?.text.startsWith("@")) addSql(reading, "sqlCreateTemporary")
  const sides = sidesOf(tokens)
  // A limit after the last query of a UNION applies to the whole.
  const limit = sides.length > 1 ? limitOf(sides.at(-1) ?? []) : undefined
  const understood = sides.map((side) => readSide(reading, side, limit))
  return understood[0] === true
}

/** The query after a UNION, whose rows are returned too. */
export const unitedWith = (tokens: SqlTokens): SqlTokens =>
  isWord(tokens[0], "UNION")
    ? stripParentheses(tokens.slice(isWord(tokens[1], "ALL", "DISTINCT") ? 2 : 1))
    : []

const unionsMax = 64

/** The queries that a UNION joins. */
const sidesOf = (tokens: SqlTokens): ReadonlyArray<SqlTokens> => {
  const sides = splitTokens(tokens, (token) => isWord(token, "UNION"))
    .slice(0, unionsMax)
    .map((side) => stripParentheses(isWord(side[0], "ALL", "DISTINCT") ? side.slice(1) : side))
  const [first = tokens, ...others] = sides
  return [first, ...others.filter((side) => isWord(side[0], "SELECT"))]
}

/** `SELECT 1`, `SELECT now()`, but not the sentence `select option 3`. */
const selectsValues = (tokens: SqlTokens, strict: boolean): boolean => {
  const [, first, second] = tokens
  if (!strict) return first !== undefined
  return first !== undefined && (first.kind !== "word" || first.text.startsWith("@") || isMark(second, "("))
}

/** Adds the act of one query. */
const readSide = (reading: SqlReading, tokens: SqlTokens, limitOfAll: number | undefined): boolean => {
  const { commands, strict } = reading
  const tables = tablesOf(tokens, commands.sql)
  const { names, star, aggregate, grouped, oneRow } = columnsOf(tokens, commands)
  if (tables.length === 0) return selectsValues(tokens, strict) && addSql(reading, "nothingDone")
  if (aggregate) return addSql(reading, "sqlCount")
  const condition = conditionOf(tokens, commands.sql)
  const reach: Reach = condition === undefined ? "all" : reachOf(condition, commands.sql)
  const limit = oneRow ? 1 : (limitOf(tokens) ?? limitOfAll)
  const sample = limit !== undefined && limit <= commands.limits.sampleMax
  const extent = limit === 1 ? "single" : reach === "all" && sample ? "list" : reachExtent[reach]
  const ofColumns = holdsOf(names, commands)
  const ofTables = holdsOf(tables, commands)
  // `sum(total) … GROUP BY region` reveals no row, provided that neither the groups nor the table hold people's secrets.
  if (grouped && ofColumns === "internal" && !sensitive.has(ofTables)) return addSql(reading, "sqlCount")
  if (grouped && countsGroupsOf(tokens, commands)) return addSql(reading, "sqlCount")
  // Even reading only the ids of a salary table reveals whom the table is about.
  const most = Math.max(dataClassifications.indexOf(ofColumns), dataClassifications.indexOf(ofTables))
  const holds = star
    ? (dataClassifications[most] ?? ofTables)
    : names.length > 0 && ofColumns !== "internal"
      ? (dataClassifications[most] ?? ofColumns)
      : ofTables
  return addSql(
    reading,
    extent === "single" ? "sqlReadOne" : extent === "list" ? "sqlReadMany" : "sqlReadAll",
    {
      holds,
      extent,
      impact: readImpact(holds, extent, commands)
    }
  )
}
