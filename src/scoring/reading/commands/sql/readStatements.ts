/** Reads SQL of any dialect statement by statement: the act, the number of rows, and the sensitivity of the data. ADR 22 explains why no parser library is used. */

import type { PreparedCommands, SqlDeedPart } from "../Commands.ts"
import { globFits } from "../paths.ts"
import { spelledLikeSql } from "../prose.ts"
import { readDefinition } from "./definitions.ts"
import {
  addSql,
  type SqlReading,
  holdsOf,
  areTemporary,
  takesKeyAway,
  tablesOf,
  named,
  readImpact,
  reachExtent,
  reachOf,
  rowsOf
} from "./rows.ts"
import { readSelect, unitedWith } from "./select.ts"
import {
  closeOf,
  findAmong,
  findWord,
  isMark,
  isWord,
  secondStatement,
  splitTokens,
  type SqlTokens,
  tokenizeSql
} from "./tokens.ts"
import type { FoundAct, NamedAct } from "../CommandReading.ts"

/** Adds the acts of functions anywhere in a statement that do more than compute. */
const addFunctions = (reading: SqlReading, tokens: SqlTokens): void => {
  tokens.forEach((token, i) => {
    if ((token.kind !== "word" && token.kind !== "name") || !isMark(tokens[i + 1], "(")) return
    if (takesKeyAway(tokens, i)) return
    const act = functionAct(reading, [token.text.toLowerCase()])
    if (act !== undefined) addSql(reading, act)
  })
}

/** `MERGE … ON true`, `SELECT f(x) FROM t`: nothing limits the rows. */
const meetsEveryRow = (tokens: SqlTokens, commands: PreparedCommands): boolean => {
  if (!isWord(tokens[0], "MERGE")) return findWord(tokens, "FROM") > 0 && rowsOf(tokens, commands) === "all"
  const [on, when] = [findWord(tokens, "ON"), findWord(tokens, "WHEN")]
  const condition = tokens.slice(on + 1, when > on ? when : tokens.length)
  const namesColumns = condition.some(
    (token) => token.kind === "name" || (token.kind === "word" && !isWord(token, "TRUE"))
  )
  return on > 0 && !namesColumns && reachOf(condition, commands.sql) === "all"
}

/** Adds effects of a statement that its first word does not show. A statement that revokes rights has none. */
const addDeeds = ({ commands, found }: SqlReading, tokens: SqlTokens): void => {
  const bare = tokens.filter((token) => !isMark(token, "("))
  const stands = (words: ReadonlyArray<string>) =>
    bare.some((_, i) => i > 0 && words.every((one, next) => isWord(bare[i + next], one)))
  const holds = (part: SqlDeedPart) => (part === "every row" ? meetsEveryRow(tokens, commands) : stands(part))
  for (const { act, parts } of commands.sqlDeeds.get(tokens[0]?.text ?? "") ?? []) {
    if (parts.every(holds) && !isWord(tokens.at(-1), "NONE", "DEFAULT"))
      found.push({ command: `sql.${act.type}`, act, line: parts.flat().join(" ") })
  }
}

/** The index in the list of the first function with this name, or -1. */
const placeOfFunction = ({ commands, functions }: SqlReading, name: string): number => {
  const known = functions.get(name)
  if (known !== undefined) return known
  const place = commands.sqlFunctions.findIndex(([globs]) => globs.some((glob) => globFits(glob, name)))
  functions.set(name, place)
  return place
}

/** The act of the listed function with one of these names. The first in the list decides. */
const functionAct = (reading: SqlReading, names: ReadonlyArray<string>): NamedAct | undefined => {
  const places = names.map((name) => placeOfFunction(reading, name)).filter((place) => place >= 0)
  const act = reading.commands.sqlFunctions[Math.min(...places)]?.[1]
  return act === "nothingDone" ? undefined : act
}

const update = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const set = findWord(tokens, "SET")
  if (set < 1 || !tokens.slice(set).some((token) => isMark(token, "="))) return false
  const { commands } = reading
  const tables = tablesOf(tokens.slice(0, set), commands.sql)
  const where = findWord(tokens, "WHERE")
  const columns = tokens
    .slice(set + 1, where === -1 ? tokens.length : where)
    .flatMap((token, i, all) => (isMark(all[i + 1], "=") ? [token.text] : []))
  const reach = rowsOf(tokens, commands)
  const holds = holdsOf([...tables, ...columns], commands)
  if (named([...tables, ...columns], commands.accessTables))
    addSql(reading, "sqlUpdateAccess", { extent: reachExtent[reach] })
  for (const [names, act] of commands.sqlColumns)
    if (columns.some((column) => names.some((name) => globFits(name, column.toLowerCase()))))
      reading.found.push({
        command: `sql.${act.type}`,
        act: { ...act, extent: reachExtent[reach] },
        line: `column ${names.join("|")}`
      })
  if (reach === "one") return addSql(reading, "sqlUpdateOne", { holds })
  if (reach === "some") return addSql(reading, "sqlUpdateMany", { holds })
  if (areTemporary(tables, commands)) return addSql(reading, "sqlUpdateMany", { holds })
  return addSql(reading, named(tables, commands.vitalTables) ? "sqlUpdateAllVital" : "sqlUpdateAll", {
    holds
  })
}

const remove = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands } = reading
  const from = findWord(tokens, "FROM")
  const bare = tokens[1]
  if (from === -1 && (reading.strict || bare === undefined || bare.kind === "mark")) return false
  const tables = from === -1 ? [bare?.text ?? ""] : tablesOf(tokens, commands.sql)
  const reach = rowsOf(tokens, commands)
  const holds = holdsOf(tables, commands)
  if (reach === "one") return addSql(reading, "sqlDeleteOne", { holds })
  if (reach === "some" || areTemporary(tables, commands) || tables[0]?.startsWith("#") === true)
    return addSql(reading, "sqlDeleteMany", { holds })
  return addSql(reading, named(tables, commands.vitalTables) ? "sqlDeleteAllVital" : "sqlDeleteAll", {
    holds
  })
}

const insert = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const tables = tablesOf(tokens, reading.commands.sql)
  if (
    !isWord(tokens[0], "REPLACE", "UPSERT") &&
    findWord(tokens, "INTO", "OVERWRITE", "TABLE") === -1 &&
    reading.strict
  )
    return false
  const body = findWord(tokens, "VALUES", "SELECT", "DEFAULT", "SET", "VALUE", "EXEC", "WITH")
  if (body === -1 && reading.strict) return false
  if (named(tables, reading.commands.accessTables)) addSql(reading, "sqlUpdateAccess")
  const many =
    findWord(tokens, "SELECT") !== -1 || isWord(tokens[0], "REPLACE") || findWord(tokens, "OVERWRITE") !== -1
  readSource(reading, tokens)
  return addSql(reading, many ? "sqlInsertMany" : "sqlInsert", { holds: holdsOf(tables, reading.commands) })
}

/** `INSERT INTO x SELECT token FROM tokens`, `CREATE TABLE x AS SELECT …`: copying data also reads it. */
const readSource = (reading: SqlReading, tokens: SqlTokens): void => {
  const select = findWord(tokens, "SELECT")
  if (select > 0) readSelect({ ...reading, strict: false }, tokens.slice(select))
}

/** `WITH a AS (…), b AS (…) statement`: each part may write. */
const withParts = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  let end = 0
  for (let i = 0; i < tokens.length; i++) {
    const opens =
      isMark(tokens[i], "(") &&
      (isWord(tokens[i - 1], "AS", "MATERIALIZED") || isWord(tokens[i + 1], "SELECT"))
    if (!opens && !isMark(tokens[i], "(")) continue
    const close = closeOf(tokens, i)
    if (opens) {
      statement(reading, tokens.slice(i + 1, close), depth + 1)
      end = close + 1
      if (!isMark(tokens[end], ",")) break
    }
    i = close
  }
  return end > 0 && end < tokens.length && statement(reading, tokens.slice(end), depth + 1)
}

/** A caller that asks for a query plan but would run a deletion has made a mistake or is hiding the deletion. */
const explained = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  if (isWord(tokens[0], "UPDATE", "DELETE", "MERGE", "INSERT")) addSql(reading, "sqlExplainedWrite")
  return statement(reading, tokens, depth + 1)
}

/** `EXPLAIN ANALYZE DELETE …` does delete. */
const explain = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  const from = findAmong(tokens, reading.commands.sql.explainable)
  if (from === -1) return (!reading.strict || tokens.length === 2) && addSql(reading, "sqlExplain")
  if (tokens.slice(0, from).some((token) => isWord(token, "ANALYZE", "ANALYSE")))
    return explained(reading, tokens.slice(from), depth)
  return addSql(reading, "sqlExplain")
}

/** Reads the statements in a block: `DO $$ … $$`, `BEGIN … END`. The effects of calls in it stay unknown. */
const block = (reading: SqlReading, text: SqlTokens | undefined, depth: number): true => {
  for (const part of text === undefined
    ? []
    : splitTokens(text, (token) => isMark(token, ";") || isWord(token, "BEGIN", "THEN", "LOOP", "ELSE")))
    if (part.length > 0) statement({ ...reading, strict: true }, part, depth + 1)
  return addSql(reading, "sqlUnread")
}

/** Reads `DO $$ … $$`, `DECLARE @x …` and `IF …`. */
const program = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  const { sqlTokensMax } = reading.commands.limits
  if (isWord(tokens[0], "DO")) {
    const body = tokens.find(({ kind }) => kind === "string")?.text
    return body !== undefined && block(reading, tokenizeSql(body, sqlTokensMax, false), depth)
  }
  // Shells have `if`, `while` and `declare` too.
  if (reading.strict && !tokens.some(({ text }) => text.startsWith("@"))) return false
  return block(reading, tokens.slice(1), depth)
}

/** A file in the working folder, outside hidden folders. Servers reject such paths, so it is the client that writes the file. */
const ownFile = /^\w[\w-]*(?:[./]\w[\w-]*)*$/

const copy = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const program = findWord(tokens, "PROGRAM")
  const to = findWord(tokens, "TO")
  const from = findWord(tokens, "FROM")
  const target = tokens[Math.max(to, from) + 1]
  if (program !== -1) return addSql(reading, "sqlRunsProgram")
  const remote = to === -1 && from === -1 ? undefined : target
  if (remote === undefined || (remote.kind !== "string" && !isWord(remote, "STDOUT", "STDIN"))) {
    if (reading.strict || !isWord(tokens[1], "INTO")) return false
  }
  if (to === -1 && !isWord(tokens[1], "INTO")) return addSql(reading, "sqlCopyIn")
  const holds = holdsOf(
    tokens.filter(({ kind }) => kind !== "mark").map(({ text }) => text),
    reading.commands
  )
  const isKept = to !== -1 && target?.kind === "string" && ownFile.test(target.text)
  if (isKept || isWord(target, "STDOUT"))
    return addSql(reading, "sqlReadAll", { holds, impact: readImpact(holds, "bulk", reading.commands) })
  return addSql(
    reading,
    isWord(tokens[1], "INTO") && tokens[2]?.kind !== "string" ? "sqlCopyIn" : "sqlCopyOut",
    { holds }
  )
}

/** `FROM logs | WHERE …`, `FROM logs`: ES|QL only reads. */
const pipedQuery = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const piped = tokens.findIndex((token) => isMark(token, "|"))
  const select = findWord(tokens, "SELECT")
  if (piped === -1 && select === -1 && reading.strict) return false
  const counts = findWord(tokens, "STATS") !== -1
  const commandsKnown = splitTokens(tokens, (token) => isMark(token, "|")).every(
    (part) => part[0]?.kind === "word"
  )
  if (!commandsKnown) return false
  const holds = holdsOf(tablesOf(tokens, reading.commands.sql), reading.commands)
  const extent = counts ? "single" : findWord(tokens, "LIMIT", "WHERE", "WHERE") === -1 ? "bulk" : "list"
  return addSql(
    reading,
    counts ? "sqlCount" : "sqlReadMany",
    counts ? {} : { holds, extent, impact: readImpact(holds, extent, reading.commands) }
  )
}

const statement = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  const first = tokens[0]
  if (first === undefined) return true
  if (depth > reading.commands.limits.nestingMax) return addSql(reading, "sqlUnread")
  if (isMark(first, "(")) return inParentheses(reading, tokens, depth)
  if (first.kind !== "word") return false
  const second = reading.strict ? -1 : secondStatement(tokens, reading.commands.sql)
  if (second > 0) {
    const understood = statement(reading, tokens.slice(second), depth + 1)
    if (!understood || !statement(reading, tokens.slice(0, second), depth + 1)) addSql(reading, "sqlUnread")
    return true
  }
  addFunctions(reading, tokens)
  addDeeds(reading, tokens)
  switch (first.text) {
    case "SELECT":
      return readSelect(reading, tokens)
    case "WITH":
      return withParts(reading, tokens, depth)
    case "UPDATE":
      return update(reading, tokens)
    case "DELETE":
      return remove(reading, tokens)
    case "INSERT":
    case "REPLACE":
    case "UPSERT":
      return insert(reading, tokens)
    case "EXPLAIN":
    case "DESCRIBE":
    case "DESC":
      return explain(reading, tokens, depth)
    case "COPY":
      return copy(reading, tokens)
    case "UNLOAD":
      return isMark(tokens[1], "(") && addSql(reading, "sqlCopyOut")
    case "EXPORT":
      return isWord(tokens[1], "DATA", "TABLE", "DATABASE") && addSql(reading, "sqlCopyOut")
    case "LOAD":
      return isWord(tokens[1], "DATA", "XML") && addSql(reading, "sqlCopyIn")
    case "DO":
    case "DECLARE":
    case "IF":
    case "WHILE":
      return program(reading, tokens, depth)
    case "EXEC":
    case "EXECUTE":
      return execute(reading, tokens, depth)
    case "FROM":
      return pipedQuery(reading, tokens)
    case "BEGIN":
      return tokens.length > 4 ? block(reading, tokens.slice(1), depth) : readDefinition(reading, tokens)
    case "CREATE":
      if (findWord(tokens.slice(0, tableWordsMax), "TABLE") !== -1) readSource(reading, tokens)
      return readDefinition(reading, tokens)
    default:
      return readDefinition(reading, tokens)
  }
}

/** The length of `CREATE OR REPLACE TEMPORARY TABLE`, the longest such beginning. */
const tableWordsMax = 5

/** `(SELECT 1) UNION SELECT password FROM users` also returns the rows of the second query. */
const inParentheses = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  const close = closeOf(tokens, 0)
  const behind = unitedWith(tokens.slice(close + 1))
  const isRead = statement(reading, tokens.slice(1, close), depth + 1)
  return behind.length === 0 ? isRead : statement(reading, behind, depth + 1) && isRead
}

/** `EXEC xp_cmdshell 'x'`, `EXECUTE 'DROP …'`, `EXEC procedure`. */
const execute = (reading: SqlReading, tokens: SqlTokens, depth: number): boolean => {
  const name = tokens.find(({ kind }, i) => i > 0 && kind !== "mark")
  if (name === undefined) return false
  const path = tokens
    .filter(({ kind }) => kind === "word" || kind === "name")
    .slice(0, 8)
    .map(({ text }) => text.toLowerCase())
  const special = functionAct(reading, path)
  if (special !== undefined) return addSql(reading, special)
  const text = tokens.find(({ kind }) => kind === "string")?.text
  if (text !== undefined && /\s/.test(text)) {
    const inner = tokenizeSql(text, reading.commands.limits.sqlTokensMax, false)
    if (inner !== undefined) statement({ ...reading, strict: true }, inner, depth + 1)
  }
  if (reading.strict && text === undefined && !path.some((word) => /^(?:sp|usp|dbo|xp)_?/.test(word)))
    return false
  return addSql(reading, "sqlUnread")
}

const goLine = /^[^\S\r\n\u2028\u2029]*GO[^\S\r\n\u2028\u2029]*$/gim

/** Undefined if any part of the text is not SQL. */
export const readStatements = (
  text: string,
  strict: boolean,
  commands: PreparedCommands
): ReadonlyArray<FoundAct> | undefined => {
  const first = /^[A-Za-z]+/.exec(text)?.[0]
  if (strict && first !== undefined && !commands.sql.beginnings.has(first.toUpperCase())) return undefined
  const found: Array<FoundAct> = []
  // Dialects disagree on whether a backslash escapes a quote, so both readings count.
  const readings = text.includes("\\'") ? [false, true] : [false]
  for (const escapes of readings) {
    const tokens = tokenizeSql(text.replace(goLine, ";"), commands.limits.sqlTokensMax, escapes)
    if (tokens === undefined || tokens.length === 0) continue
    if (strict && !spelledLikeSql(text, tokens, commands)) continue
    const reading: SqlReading = { commands, strict, found: [], functions: new Map() }
    const parts = splitTokens(tokens, (token) => isMark(token, ";"))
    let whole = true
    parts.slice(0, commands.limits.commandsMax).forEach((part, i) => {
      if (statement(reading, part, 0)) return
      // Next to a valid statement, the remainder is SQL that this reader does not know.
      if (i === 0 && (strict || parts.length === 1)) whole = false
      else addSql(reading, "sqlUnread")
    })
    if (parts.length > commands.limits.commandsMax) addSql(reading, "sqlUnread")
    if (whole && reading.found.length > 0) found.push(...reading.found)
  }
  return found.length === 0 ? undefined : found
}
