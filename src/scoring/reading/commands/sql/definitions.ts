/** Reads SQL that changes objects and rights (CREATE, ALTER, DROP, GRANT) and statements for database maintenance. */

import type { PreparedCommands } from "../Commands.ts"
import { globFits } from "../paths.ts"
import { addSql, areTemporary, type SqlReading } from "./rows.ts"
import type { SqlWords } from "./sqlWords.ts"
import { findAmong, findWord, isMark, isAmong, isWord, type SqlToken, type SqlTokens } from "./tokens.ts"

const isAmongAny = (token: SqlToken | undefined, ...sets: ReadonlyArray<ReadonlySet<string>>): boolean =>
  sets.some((words) => isAmong(token, words))

/** The names after words such as `DROP TABLE IF EXISTS`. */
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

/** In prose, articles are where SQL has a name, so only keywords may come before the name. */
const drop = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands } = reading
  const { containers, protections, routines, tables, temporary, users, views } = commands.sql
  const kind = tokens[1]
  if (tokens.length < 3) return false
  if (isWord(kind, "INDEX")) return addSql(reading, "sqlDropIndex")
  if (isAmong(kind, containers))
    return addSql(reading, isTemporary(tokens, commands) ? "sqlDropTable" : "sqlDropContainer")
  if (isAmongAny(kind, tables, temporary))
    return addSql(reading, isTemporary(tokens, commands) ? "sqlDropTemporary" : "sqlDropTable")
  if (isAmong(kind, views)) return addSql(reading, "sqlDropView")
  if (isAmong(kind, users)) return addSql(reading, "sqlDropUser")
  if (isAmong(kind, protections)) return addSql(reading, "sqlDropProtection")
  return isAmong(kind, routines) && addSql(reading, "sqlDropRoutine")
}

const alterTable = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const has = (...words: ReadonlyArray<string>) => tokens.some((token) => isWord(token, ...words))
  const at = tokens.findIndex((token, i) => i > 2 && isWord(token, "DROP"))
  const dropped = tokens[at + 1]
  if (tokens.length < 4) return false
  if (has("DISABLE") && has("TRIGGER", "ROW", "RULE", "CONSTRAINT", "KEYS", "POLICY"))
    addSql(reading, "sqlWeakens")
  if (has("NOCHECK") || (has("NO") && has("FORCE"))) addSql(reading, "sqlWeakens")
  if (at !== -1 && isWord(dropped, "PARTITION")) addSql(reading, "sqlDropTable")
  else if (at !== -1 && isWord(dropped, "CONSTRAINT", "FOREIGN", "CHECK", "PRIMARY"))
    addSql(reading, "sqlDropProtection")
  else if (at !== -1 && isWord(dropped, "INDEX", "KEY")) addSql(reading, "sqlDropIndex")
  else if (at !== -1 && !isWord(dropped, "NOT", "DEFAULT", "EXPRESSION", "IDENTITY"))
    addSql(reading, "sqlDropColumn")
  if (has("OWNER")) addSql(reading, "sqlAlterUser")
  return addSql(reading, has("RENAME") ? "sqlRename" : "sqlAlterTable")
}

const isSuper = (token: SqlToken, { superRoles }: PreparedCommands): boolean =>
  token.kind !== "mark" && superRoles.some((role) => globFits(role, token.text.toLowerCase()))

const makesSuper = (tokens: SqlTokens, commands: PreparedCommands): boolean => {
  const everywhere = tokens.some(
    (token, i) => isMark(token, "*") && isMark(tokens[i + 1], ".") && isMark(tokens[i + 2], "*")
  )
  return tokens.some((token) => isSuper(token, commands)) || (everywhere && findWord(tokens, "ALL") !== -1)
}

const access = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands, strict } = reading
  const revokes = isWord(tokens[0], "REVOKE", "DENY")
  const to = findWord(tokens, revokes ? "FROM" : "TO", "TO")
  if (to < 2 || to === tokens.length - 1) return false
  if (strict && findAmong(tokens, commands.sql.granting) > 8) return false
  // `grant access to Bob` could name a role, but is more likely a sentence.
  const plain = to === 2 && commands.sql.rights.has(tokens[1]?.text ?? "")
  if (strict && plain) return false
  if (revokes) return addSql(reading, "sqlRevoke")
  return addSql(reading, makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlGrant")
}

/** In tokens: the name in `CREATE OR REPLACE TABLE a.b.c` ends here at the latest. */
const afterName = 9

const create = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands } = reading
  const { containers, furtherMade, protections, routines, routinesThatRun, tables, users, views } =
    commands.sql
  const head = tokens.slice(1, 7)
  const has = (...words: ReadonlyArray<string>) => head.some((token) => isWord(token, ...words))
  const hasOf = (...sets: ReadonlyArray<ReadonlySet<string>>) =>
    head.some((token) => isAmongAny(token, ...sets))
  if (tokens.length < 3) return false
  if (has("INDEX"))
    return addSql(reading, has("CONCURRENTLY") ? "sqlCreateIndexConcurrently" : "sqlCreateIndex")
  if (hasOf(commands.sql.temporary)) return addSql(reading, "sqlCreateTemporary")
  if (isWord(tokens[1], "OR") && isWord(tokens[2], "REPLACE") && (has("TABLE") || hasOf(containers)))
    return addSql(
      reading,
      isTemporary(tokens.slice(0, afterName), commands) ? "sqlDropTemporary" : "sqlReplaceTable"
    )
  if (hasOf(routinesThatRun)) return addSql(reading, "sqlCreateRoutine")
  if (isAmong(tokens[1], users))
    return addSql(reading, makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlCreateUser")
  return hasOf(containers, tables, views, routines, protections, furtherMade) && addSql(reading, "sqlCreate")
}

const alter = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands, strict } = reading
  const { guards, protections, routines, systems, users } = commands.sql
  const kind = tokens[1]
  if (isWord(kind, "TABLE", "FOREIGN", "MATERIALIZED", "VIEW", "INDEX")) return alterTable(reading, tokens)
  if (isAmong(kind, users) || isWord(kind, "AUTHORIZATION"))
    return addSql(reading, makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlAlterUser")
  if (isWord(kind, "DEFAULT")) return addSql(reading, "sqlGrant")
  const off = tokens.some((token) => isWord(token, "OFF", "DISABLE", "DISABLED"))
  if (isAmong(kind, guards) && off) return addSql(reading, "sqlWeakens")
  if (isAmong(kind, systems)) return addSql(reading, "sqlAlterSystem")
  return (isAmongAny(kind, routines, protections) || !strict) && addSql(reading, "sqlAlterRoutine")
}

const set = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands, strict } = reading
  const { offValues, traces } = commands.sql
  const assigns = tokens.some(
    (token) => isMark(token, "=") || isMark(token, ":=") || isWord(token, "TO", "ON", "OFF")
  )
  if (strict && !assigns && !isWord(tokens[1], "ROLE", "TRANSACTION", "SESSION", "NOCOUNT")) return false
  const isTrace = (text: string) => [...traces].some((glob) => globFits(glob, text))
  const off = tokens.some(({ text }) => offValues.has(text.toUpperCase()))
  if (off && tokens.some(({ text }) => isTrace(text.toUpperCase()))) return addSql(reading, "sqlWeakens")
  if (isWord(tokens[1], "PASSWORD")) return addSql(reading, "sqlAlterUser")
  if (tokens.slice(1, 3).some((token) => isWord(token, "GLOBAL", "PERSIST")))
    return addSql(reading, "sqlAlterSystem")
  return addSql(reading, "nothingDone")
}

/** Reads a statement with a single name, such as TRUNCATE: only keywords and the name are allowed. */
const truncate = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands, strict } = reading
  const table = isWord(tokens[1], "TABLE")
  if (
    tokens.length < 2 ||
    (strict && !table && tokens.length > 3 && !tokens.some((token) => isWord(token, "CASCADE", "RESTART")))
  )
    return false
  return addSql(reading, isTemporary(tokens, commands) ? "sqlDropTemporary" : "sqlTruncate")
}

/** Reads any statement that is not about rows. False if it is none of these. */
export const readDefinition = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { strict } = reading
  const first = tokens[0]
  const second = tokens[1]
  switch (first?.text) {
    case "DROP":
      return drop(reading, tokens)
    case "TRUNCATE":
      return truncate(reading, tokens)
    case "CREATE":
      return create(reading, tokens)
    case "ALTER":
      return alter(reading, tokens)
    case "GRANT":
    case "REVOKE":
    case "DENY":
      return access(reading, tokens)
    case "SET":
      return set(reading, tokens)
    case "RENAME":
      return isWord(second, "TABLE", "USER") && addSql(reading, "sqlRename")
    case "MERGE":
      return (!strict || findWord(tokens, "USING") !== -1) && addSql(reading, "sqlMerge")
    case "CALL":
      return tokens.some((token) => isMark(token, "(")) && addSql(reading, "sqlUnread")
    case "KILL":
      return tokens.length <= 3 && addSql(reading, "sqlTerminate")
    case "SHUTDOWN":
      return tokens.length <= 2 && addSql(reading, "sqlTerminate", { impact: "critical" })
    case "LOCK":
    case "CLUSTER":
      return (!strict || isWord(second, "TABLE", "TABLES")) && addSql(reading, "sqlMaintainLocking")
    case "BACKUP":
      return (
        findWord(tokens, "TO") !== -1 && isWord(second, "DATABASE", "LOG") && addSql(reading, "sqlBackup")
      )
    case "RESTORE":
    case "UNDROP":
      return isWord(second, "DATABASE", "LOG", "TABLE", "SCHEMA") && addSql(reading, "sqlRestore")
    case "PURGE":
      return isWord(second, "BINARY", "MASTER", "TABLE", "RECYCLEBIN") && addSql(reading, "sqlWeakens")
    case "FLUSH":
      return tokens.length <= 4 && addSql(reading, "sqlMaintain")
    case "REASSIGN":
      return addSql(reading, "sqlAlterUser")
    default:
      return keepRunning(reading, tokens)
  }
}

const keepRunning = (reading: SqlReading, tokens: SqlTokens): boolean => {
  const { commands, strict } = reading
  const { harmless, maintaining } = commands.sql
  const [first, second] = tokens
  if (
    isWord(first, "VACUUM", "REINDEX") &&
    tokens.some((token) => isWord(token, "FULL", "DATABASE", "SYSTEM"))
  )
    return addSql(reading, "sqlMaintainLocking")
  if (isWord(first, "RESET") && isWord(second, "MASTER")) return addSql(reading, "sqlWeakens")
  if (isAmong(first, maintaining))
    return (
      (!strict || tokens.length <= 2 || isWord(second, "TABLE", "MATERIALIZED", "INDEX", "ON")) &&
      addSql(reading, "sqlMaintain")
    )
  if (!isAmong(first, harmless)) return false
  return (
    (!strict ||
      tokens.length <= 3 ||
      isWord(second, "TRANSACTION", "TRAN", "WORK", "TABLES", "CREATE", "FULL", "INDEX", "COLUMNS")) &&
    addSql(reading, "nothingDone")
  )
}
