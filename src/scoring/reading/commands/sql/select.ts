/** Reads a SELECT: which columns of which tables it shows, of how many rows, and whether it only counts. */

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

/** A function of one dialect that makes a figure of many rows: `PERCENTILE`. The rules name them. */
const isNamedFigure = (token: SqlTokens[number] | undefined, { sqlFigures }: PreparedCommands): boolean =>
  (token?.kind === "word" || token?.kind === "name") && sqlFigures.has(token.text.toLowerCase())

interface Columns {
  readonly names: ReadonlyArray<string>
  readonly star: boolean
  /** Only figures. */
  readonly aggregate: boolean
  readonly grouped: boolean
  /** It has one row, because the list has only aggregates. */
  readonly oneRow: boolean
}

/** The columns of the first list of a SELECT. Those inside of aggregates are left out: a count of salaries shows none. */
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
    // `'all'` next to a count is no column.
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
 * Whether an aggregate shows the value of a row: `MAX(token)` is a token, and `COUNT(*) || (SELECT …)` shows more than a count. The
 * alias shows nothing.
 */
const showsValue = (item: SqlTokens, tokens: SqlTokens, commands: PreparedCommands): boolean => {
  if (holdsSelect(item)) return true
  const { value } = itemOf(item)
  const close = closeOf(value, 1)
  const rest = value.slice(close + 1)
  const filtered = findWord(rest, "FILTER", "OVER")
  const behind = namesIn(filtered === -1 ? rest : rest.slice(0, filtered))
  // The column can have another name in the table that is made for this statement.
  const isNested = tokens.slice(1).some((token) => isWord(token, "SELECT"))
  // A percentile can be the value of one row, as the greatest is.
  const showsRow = isAmong(value[0], commands.sql.showing) || isNamedFigure(value[0], commands)
  const inside = showsRow ? namesIn(isNested ? tokens : value.slice(2, close)) : []
  return named([...inside, ...(rest.length > 1 ? behind : [])], commands.shownColumns)
}

/** One item of the list of a SELECT: its expression, and its alias. */
const itemOf = (item: SqlTokens): { readonly value: SqlTokens; readonly name: string | undefined } => {
  const as = findWord(item, "AS")
  return as === -1 ? { value: item, name: undefined } : { value: item.slice(0, as), name: item[as + 1]?.text }
}

/** `COUNT(DISTINCT user_id)` with at most a name after it. The least and the greatest value are values of rows. */
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

/** Whether it only shows figures of groups, whatever the table holds: no group is a row (`email`, `user_id`) or a secret. */
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

/** Reads a SELECT: its data, and where it writes them. */
export const readSelect = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const into = findWord(tokens, "INTO")
  const writesFile = findWord(tokens, "OUTFILE", "DUMPFILE") !== -1
  if (writesFile) addSql(reading, "sqlWritesFile")
  else if (into !== -1 && !tokens[into + 1]?.text.startsWith("@")) addSql(reading, "sqlCreateTemporary")
  const sides = sidesOf(tokens)
  // The limit after the last side applies to all of them.
  const limit = sides.length > 1 ? limitOf(sides.at(-1) ?? []) : undefined
  const understood = sides.map((side) => readSide(reading, side, limit))
  return understood[0] === true
}

/** The query after a UNION, whose rows are shown too. */
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

/** `SELECT 1`, `SELECT now()`; `select option 3` is a sentence. */
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
  // `sum(total) … GROUP BY region` shows no row, where neither the groups nor the table are about people's secrets.
  if (grouped && ofColumns === "internal" && !sensitive.has(ofTables)) return addSql(reading, "sqlCount")
  if (grouped && countsGroupsOf(tokens, commands)) return addSql(reading, "sqlCount")
  // A read of only the ids of a table of salaries still shows whom the table is about.
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
