/** Reads SQL that changes what there is and who may use it: CREATE, ALTER, DROP, GRANT, and the statements that keep a database running. */

import type { CommandAct, NamedAct } from "../../Act.ts"
import type { PreparedCommands } from "../Commands.ts"
import { globFits } from "../paths.ts"
import { areTemporary } from "./rows.ts"
import { findWord, isMark, isWord, type SqlToken, type SqlTokens } from "./tokens.ts"

type Add = (name: NamedAct, more?: Partial<CommandAct>) => true

const containers = [
  "DATABASE",
  "SCHEMA",
  "KEYSPACE",
  "CATALOG",
  "TABLESPACE",
  "DATASET",
  "WAREHOUSE",
  "SHARE",
  "STAGE",
  "VOLUME",
  "BUCKET"
]
const tables = ["TABLE", "FOREIGN", "EXTERNAL", "STREAM", "TOPIC", "COLLECTION", "OWNED", "MEASUREMENT"]
const views = ["VIEW", "MATERIALIZED", "SYNONYM", "ALIAS", "MACRO"]
const users = ["USER", "ROLE", "LOGIN", "GROUP", "CREDENTIAL", "CERTIFICATE", "ACCOUNT"]
const protections = [
  "POLICY",
  "TRIGGER",
  "AUDIT",
  "SECURITY",
  "RULE",
  "MASKING",
  "SERVER",
  "EVENT",
  "ROW",
  "BACKUP",
  "CONSTRAINT"
]
const routines = [
  "FUNCTION",
  "PROCEDURE",
  "PROC",
  "EXTENSION",
  "AGGREGATE",
  "PACKAGE",
  "TYPE",
  "SEQUENCE",
  "DOMAIN",
  "OPERATOR",
  "TASK",
  "PIPE",
  "JOB",
  "PUBLICATION",
  "SUBSCRIPTION",
  "PLUGIN",
  "ASSEMBLY",
  "LANGUAGE"
]

const temporary = ["TEMP", "TEMPORARY"]
const beforeNames = [
  ...temporary,
  "OR",
  "REPLACE",
  "IF",
  "NOT",
  "EXISTS",
  "ONLY",
  "GLOBAL",
  "LOCAL",
  "TABLES"
]

/** The tables behind `DROP TABLE IF EXISTS`, up to what follows them. */
const namesIn = (tokens: SqlTokens): ReadonlyArray<string> => {
  const found: Array<string> = []
  let at = 1
  while (isWord(tokens[at], ...beforeNames, ...tables, ...containers)) at++
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
  tokens.slice(1, 5).some((token) => isWord(token, ...temporary)) || areTemporary(namesIn(tokens), commands)

/** Prose has articles where SQL has a name: at most the words of the syntax stand in front of one. */
const drop = (tokens: SqlTokens, commands: PreparedCommands, add: Add): boolean => {
  const kind = tokens[1]
  if (tokens.length < 3) return false
  if (isWord(kind, "INDEX")) return add("sqlDropIndex")
  if (isWord(kind, ...containers))
    return add(isTemporary(tokens, commands) ? "sqlDropTable" : "sqlDropContainer")
  if (isWord(kind, ...tables, "TEMPORARY", "TEMP"))
    return add(isTemporary(tokens, commands) ? "sqlDropTemporary" : "sqlDropTable")
  if (isWord(kind, ...views)) return add("sqlDropView")
  if (isWord(kind, ...users)) return add("sqlDropUser")
  if (isWord(kind, ...protections)) return add("sqlDropProtection")
  return isWord(kind, ...routines) && add("sqlDropRoutine")
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

const grants = ["ON", "TO", "FROM", "ROLE", "ADD"]

const access = (tokens: SqlTokens, commands: PreparedCommands, strict: boolean, add: Add): boolean => {
  const revokes = isWord(tokens[0], "REVOKE", "DENY")
  const to = findWord(tokens, revokes ? "FROM" : "TO", "TO")
  if (to < 2 || to === tokens.length - 1) return false
  if (strict && findWord(tokens, ...grants) > 8) return false
  // `grant access to Bob`: a role of that name is possible, a sentence is likely.
  const plain =
    to === 2 && ["ACCESS", "PERMISSION", "PERMISSIONS", "RIGHTS", "ADMIN"].includes(tokens[1]?.text ?? "")
  if (strict && plain) return false
  if (revokes) return add("sqlRevoke")
  return add(makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlGrant")
}

/** `CREATE OR REPLACE TABLE a.b.c`: the name ends here at the latest. */
const afterName = 9

const create = (tokens: SqlTokens, commands: PreparedCommands, add: Add): boolean => {
  const head = tokens.slice(1, 7)
  const has = (...words: ReadonlyArray<string>) => head.some((token) => isWord(token, ...words))
  if (tokens.length < 3) return false
  if (has("INDEX")) return add(has("CONCURRENTLY") ? "sqlCreateIndexConcurrently" : "sqlCreateIndex")
  if (has("TEMP", "TEMPORARY")) return add("sqlCreateTemporary")
  if (isWord(tokens[1], "OR") && isWord(tokens[2], "REPLACE") && has("TABLE", ...containers))
    return add(isTemporary(tokens.slice(0, afterName), commands) ? "sqlDropTemporary" : "sqlReplaceTable")
  if (
    has(
      "FUNCTION",
      "PROCEDURE",
      "PROC",
      "TRIGGER",
      "RULE",
      "EVENT",
      "EXTENSION",
      "LANGUAGE",
      "PACKAGE",
      "TASK",
      "ASSEMBLY"
    )
  )
    return add("sqlCreateRoutine")
  if (isWord(tokens[1], ...users)) return add(makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlCreateUser")
  const makes = has(
    ...containers,
    ...tables,
    ...views,
    ...routines,
    ...protections,
    "KEY",
    "ENDPOINT",
    "MODEL",
    "SINK",
    "SOURCE"
  )
  return makes && add("sqlCreate")
}

const alter = (tokens: SqlTokens, commands: PreparedCommands, strict: boolean, add: Add): boolean => {
  const kind = tokens[1]
  if (isWord(kind, "TABLE", "FOREIGN", "MATERIALIZED", "VIEW", "INDEX")) return alterTable(tokens, add)
  if (isWord(kind, ...users, "AUTHORIZATION"))
    return add(makesSuper(tokens, commands) ? "sqlSuperuser" : "sqlAlterUser")
  if (isWord(kind, "DEFAULT")) return add("sqlGrant")
  const off = tokens.some((token) => isWord(token, "OFF", "DISABLE", "DISABLED"))
  if (isWord(kind, "SERVER", "AUDIT", "SECURITY", "POLICY", "TRIGGER", "EVENT") && off)
    return add("sqlWeakens")
  if (isWord(kind, "SYSTEM", "DATABASE", "SCHEMA", "SERVER", "INSTANCE", "SESSION", "ACCOUNT", "WAREHOUSE"))
    return add("sqlAlterSystem")
  return (isWord(kind, ...routines, ...protections) || !strict) && add("sqlAlterRoutine")
}

const tracing =
  /^(?:GENERAL_LOG|SQL_LOG_BIN|LOG_BIN|AUDIT_\w+|LOG_STATEMENT|LOG_CONNECTIONS|FOREIGN_KEY_CHECKS|ROW_SECURITY|SESSION_REPLICATION_ROLE|SLOW_QUERY_LOG)$/

const set = (tokens: SqlTokens, strict: boolean, add: Add): boolean => {
  const assigns = tokens.some(
    (token) => isMark(token, "=") || isMark(token, ":=") || isWord(token, "TO", "ON", "OFF")
  )
  if (strict && !assigns && !isWord(tokens[1], "ROLE", "TRANSACTION", "SESSION", "NOCOUNT")) return false
  const off = tokens.some(({ text }) =>
    ["OFF", "0", "NONE", "none", "off", "REPLICA", "replica"].includes(text)
  )
  if (off && tokens.some(({ text }) => tracing.test(text.toUpperCase()))) return add("sqlWeakens")
  if (isWord(tokens[1], "PASSWORD")) return add("sqlAlterUser")
  if (tokens.slice(1, 3).some((token) => isWord(token, "GLOBAL", "PERSIST"))) return add("sqlAlterSystem")
  return add("sqlHarmless")
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

const harmless = [
  "COMMIT",
  "ROLLBACK",
  "BEGIN",
  "START",
  "SAVEPOINT",
  "RELEASE",
  "ABORT",
  "SHOW",
  "USE",
  "DESCRIBE",
  "DESC",
  "PRAGMA",
  "PRINT",
  "VALUES",
  "TABLE",
  "LISTEN",
  "UNLISTEN",
  "CLOSE",
  "FETCH",
  "DEALLOCATE",
  "DISCARD",
  "RESET",
  "PREPARE",
  "END",
  "DETACH",
  "CHECKPOINT"
]
const maintains = [
  "ANALYZE",
  "REINDEX",
  "OPTIMIZE",
  "REFRESH",
  "COMMENT",
  "VACUUM",
  "REPAIR",
  "CHECK",
  "ATTACH",
  "NOTIFY",
  "CACHE",
  "MSCK",
  "DBCC"
]

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
      return set(tokens, strict, add)
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
      return keepRunning(tokens, strict, add)
  }
}

const keepRunning = (tokens: SqlTokens, strict: boolean, add: Add): boolean => {
  const [first, second] = tokens
  if (
    isWord(first, "VACUUM", "REINDEX") &&
    tokens.some((token) => isWord(token, "FULL", "DATABASE", "SYSTEM"))
  )
    return add("sqlMaintainLocking")
  if (isWord(first, "RESET") && isWord(second, "MASTER")) return add("sqlWeakens")
  if (isWord(first, ...maintains))
    return (
      (!strict || tokens.length <= 2 || isWord(second, "TABLE", "MATERIALIZED", "INDEX", "ON")) &&
      add("sqlMaintain")
    )
  if (!isWord(first, ...harmless)) return false
  return (
    (!strict ||
      tokens.length <= 3 ||
      isWord(second, "TRANSACTION", "TRAN", "WORK", "TABLES", "CREATE", "FULL", "INDEX", "COLUMNS")) &&
    add("sqlHarmless")
  )
}
