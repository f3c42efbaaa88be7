/** Reads SQL that changes objects and rights: CREATE, ALTER, DROP, GRANT, and the statements that keep a database running. */

import type { PreparedCommands } from "../Commands.ts"
import { globFits } from "../paths.ts"
import { areTemporary } from "./rows.ts"
import type { SqlWords } from "./sqlWords.ts"
import { findAmong, findWord, isMark, isAmong, isWord, type SqlToken, type SqlTokens } from "./tokens.ts"
import type { CommandAct, NamedAct } from "../CommandReading.ts"

type Add = (name: NamedAct, more?: Partial<CommandAct>) => true

const isAmongAny = (token: SqlToken | undefined, ...sets: ReadonlyArray<ReadonlySet<string>>): boolean =>
  sets.some((words) => isAmong(token, words))

/** The tables behind `DROP TABLE IF EXISTS`. */
const namesIn = (tokens: SqlTokens, { beforeNames, containers, tables }: SqlWords): ReadonlyArray<string> => {
  const found: Array<string> = []
  let at = 1
  while (isAmongAny(tokens[at], beforeNames, tables, containers)) at++
  for (;;) {
    let token = tokens[at]
    while (isMark(tokens[at + 1], ".")) {
      at += 2
      token = tokens[at]
    }
    if (token?.kind !== "word" && token?.kind !== "name") return found
    found.push(token.text)
    if (!isMark(tokens[at + 1], ",")) return found
    at += 2
    while (isWord(tokens[at], "ONLY")) at++
  }
}

const isTemporary = (tokens: SqlTokens, commands: PreparedCommands): boolean =>
  tokens.slice(1, 5).some((token) => isAmong(token, commands.sql.temporary)) ||
  areTemporary(namesIn(tokens, commands.sql), commands)

/** Prose has articles where SQL has a name: only words of the syntax may be in front of one. */
const drop = (tokens: SqlTokens, commands: PreparedCommands, add: Add): boolean => {
  const { containers, protections, routines, tables, temporary, users, views } = commands.sql
  const kind = tokens[1]
  if (tokens.length < 3) return false
  if (isWord(kind, "INDEX")) return add("sqlDropIndex")
  if (isAmong(kind, containers))
    return add(isTemporary(tokens, commands) ? "sqlDropTable" : "sqlDropContainer")
  if (isAmongAny(kind, tables, temporary))
    return add(isTemporary(tokens, commands) ? "sqlDropTemporary" : "sqlDropTable")
  if (isAmong(kind, views)) return add("sqlDropView")
  if (isAmong(kind, users)) return add("sqlDropUser")
  if (isAmong(kind, protections)) return add("sqlDropProtection")
  return isAmong(kind, routines) && add("sqlDropRoutine")
}

const alterTable = (tokens: SqlTokens, add: Add): boolean => {
  const has = (...words: ReadonlyArray<string>) => tokens.some((token) => isWord(token, ...words))
  const at = tokens.findIndex((token, i) => i > 2 && isWord(token, "DROP"))
  const dropped = tokens[at + 1]
  if (tokens.length < 4) return false
  if (has("DISABLE") && has("TRIGGER", "ROW", "RULE", "CONSTRAINT", "KEYS", "POLICY")) add("sqlWeakens")
  if (has("NOCHECK") || (has("NO") && has("FORCE"))) add("sqlWeakens")
  if (at !== -1 && isWord(dropped, "PARTITION")) add("sqlDropTable")
  else if (at !== -1 && isWord(dropped, "CONSTRAINT", "FOREIGN", "CHECK", "PRIMARY")) add("sqlDropProtection")
  else if (at !== -1 && isWord(dropped, "INDEX", "KEY")) add("sqlDropIndex")
  else if (at !== -1 && !isWord(dropped, "NOT", "DEFAULT", "EXPRESSION", "IDENTITY")) add("sqlDropColumn")
  if (has("OWNER")) add("sqlAlterUser")
  return add(has("RENAME") ? "sqlRename" : "sqlAlterTable")
}

const isSuper = (token: SqlToken, { superRoles }: PreparedCommands): boolean =>
  token.kind !== "mark" && superRoles.some((role) => globFits(role, token.text.toLowerCase()))

const makesSuper = (tokens: SqlTokens, commands: PreparedCommands): boolean => {
  const everywhere = tokens.some(
    (token, i) => isMark(token, "*") && isMark(tokens[i + 1], ".") && isMark(tokens[i + 2], "*")
  )
  return tokens.some((token) => isSuper(token, commands)) || (everywhere && findWord(tokens, "ALL") !== -1)
}

const access = (tokens: SqlTokens, commands: PreparedCommands, strict: boolean, add: Add): boolean => {
  const revokes = isWord(tokens[0], "REVOKE", "DENY")
  const to = findWord(tokens, revokes ? "FROM" : "TO", "TO")
  if (to < 2 || to === tokens.length - 1) return false
  if (strict && findAmong(tokens, commands.sql.granting) > 8) return false
  // `grant access to Bob`: a role of that name is possible, a sentence is likely.
  const plain = to === 2 && commands.sql.rights.has(tokens[1]?.text ?? "")
  if (strict && plain) return false
  if (revokes) return add("sqlRevoke")
  return add(makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlGrant")
}

/** `CREATE OR REPLACE TABLE a.b.c`: the name ends here at the latest. */
const afterName = 9

const create = (tokens: SqlTokens, commands: PreparedCommands, add: Add): boolean => {
  const { containers, furtherMade, protections, routines, routinesThatRun, tables, users, views } =
    commands.sql
  const head = tokens.slice(1, 7)
  const has = (...words: ReadonlyArray<string>) => head.some((token) => isWord(token, ...words))
  const hasOf = (...sets: ReadonlyArray<ReadonlySet<string>>) =>
    head.some((token) => isAmongAny(token, ...sets))
  if (tokens.length < 3) return false
  if (has("INDEX")) return add(has("CONCURRENTLY") ? "sqlCreateIndexConcurrently" : "sqlCreateIndex")
  if (hasOf(commands.sql.temporary)) return add("sqlCreateTemporary")
  if (isWord(tokens[1], "OR") && isWord(tokens[2], "REPLACE") && (has("TABLE") || hasOf(containers)))
    return add(isTemporary(tokens.slice(0, afterName), commands) ? "sqlDropTemporary" : "sqlReplaceTable")
  if (hasOf(routinesThatRun)) return add("sqlCreateRoutine")
  if (isAmong(tokens[1], users)) return add(makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlCreateUser")
  return hasOf(containers, tables, views, routines, protections, furtherMade) && add("sqlCreate")
}

const alter = (tokens: SqlTokens, commands: PreparedCommands, strict: boolean, add: Add): boolean => {
  const { guards, protections, routines, systems, users } = commands.sql
  const kind = tokens[1]
  if (isWord(kind, "TABLE", "FOREIGN", "MATERIALIZED", "VIEW", "INDEX")) return alterTable(tokens, add)
  if (isAmong(kind, users) || isWord(kind, "AUTHORIZATION"))
    return add(makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlAlterUser")
  if (isWord(kind, "DEFAULT")) return add("sqlGrant")
  const off = tokens.some((token) => isWord(token, "OFF", "DISABLE", "DISABLED"))
  if (isAmong(kind, guards) && off) return add("sqlWeakens")
  if (isAmong(kind, systems)) return add("sqlAlterSystem")
  return (isAmongAny(kind, routines, protections) || !strict) && add("sqlAlterRoutine")
}

const set = (
  tokens: SqlTokens,
  strict: boolean,
  { offValues, traces }: PreparedCommands["sql"],
  add: Add
): boolean => {
  const assigns = tokens.some(
    (token) => isMark(token, "=") || isMark(token, ":=") || isWord(token, "TO", "ON", "OFF")
  )
  if (strict && !assigns && !isWord(tokens[1], "ROLE", "TRANSACTION", "SESSION", "NOCOUNT")) return false
  const isTrace = (text: string) => [...traces].some((glob) => globFits(glob, text))
  const off = tokens.some(({ text }) => offValues.has(text.toUpperCase()))
  if (off && tokens.some(({ text }) => isTrace(text.toUpperCase()))) return add("sqlWeakens")
  if (isWord(tokens[1], "PASSWORD")) return add("sqlAlterUser")
  if (tokens.slice(1, 3).some((token) => isWord(token, "GLOBAL", "PERSIST"))) return add("sqlAlterSystem")
  return add("nothingDone")
}

/** A statement of one name, such as TRUNCATE: at most the words of its syntax and the name. */
const truncate = (tokens: SqlTokens, commands: PreparedCommands, strict: boolean, add: Add): boolean => {
  const table = isWord(tokens[1], "TABLE")
  if (
    tokens.length < 2 ||
    (strict && !table && tokens.length > 3 && !tokens.some((token) => isWord(token, "CASCADE", "RESTART")))
  )
    return false
  return add(isTemporary(tokens, commands) ? "sqlDropTemporary" : "sqlTruncate")
}

/** Reads any statement that is not about rows. False if it is none. */
export const readDefinition = (
  tokens: SqlTokens,
  strict: boolean,
  commands: PreparedCommands,
  add: Add
): boolean => {
  const first = tokens[0]
  const second = tokens[1]
  switch (first?.text) {
    case "DROP":
      return drop(tokens, commands, add)
    case "TRUNCATE":
      return truncate(tokens, commands, strict, add)
    case "CREATE":
      return create(tokens, commands, add)
    case "ALTER":
      return alter(tokens, commands, strict, add)
    case "GRANT":
    case "REVOKE":
    case "DENY":
      return access(tokens, commands, strict, add)
    case "SET":
      return set(tokens, strict, commands.sql, add)
    case "RENAME":
      return isWord(second, "TABLE", "USER") && add("sqlRename")
    case "MERGE":
      return (!strict || findWord(tokens, "USING") !== -1) && add("sqlMerge")
    case "CALL":
      return tokens.some((token) => isMark(token, "(")) && add("sqlUnread")
    case "KILL":
      return tokens.length <= 3 && add("sqlTerminate")
    case "SHUTDOWN":
      return tokens.length <= 2 && add("sqlTerminate", { impact: "critical" })
    case "LOCK":
    case "CLUSTER":
      return (!strict || isWord(second, "TABLE", "TABLES")) && add("sqlMaintainLocking")
    case "BACKUP":
      return findWord(tokens, "TO") !== -1 && isWord(second, "DATABASE", "LOG") && add("sqlBackup")
    case "RESTORE":
    case "UNDROP":
      return isWord(second, "DATABASE", "LOG", "TABLE", "SCHEMA") && add("sqlRestore")
    case "PURGE":
      return isWord(second, "BINARY", "MASTER", "TABLE", "RECYCLEBIN") && add("sqlWeakens")
    case "FLUSH":
      return tokens.length <= 4 && add("sqlMaintain")
    case "REASSIGN":
      return add("sqlAlterUser")
    default:
      return keepRunning(tokens, strict, commands.sql, add)
  }
}

const keepRunning = (
  tokens: SqlTokens,
  strict: boolean,
  { harmless, maintaining }: PreparedCommands["sql"],
  add: Add
): boolean => {
  const [first, second] = tokens
  if (
    isWord(first, "VACUUM", "REINDEX") &&
    tokens.some((token) => isWord(token, "FULL", "DATABASE", "SYSTEM"))
  )
    return add("sqlMaintainLocking")
  if (isWord(first, "RESET") && isWord(second, "MASTER")) return add("sqlWeakens")
  if (isAmong(first, maintaining))
    return (
      (!strict || tokens.length <= 2 || isWord(second, "TABLE", "MATERIALIZED", "INDEX", "ON")) &&
      add("sqlMaintain")
    )
  if (!isAmong(first, harmless)) return false
  return (
    (!strict ||
      tokens.length <= 3 ||
      isWord(second, "TRANSACTION", "TRAN", "WORK", "TABLES", "CREATE", "FULL", "INDEX", "COLUMNS")) &&
    add("nothingDone")
  )
}
