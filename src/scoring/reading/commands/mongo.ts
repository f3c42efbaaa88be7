/** Reads the MongoDB shell: `db.users.deleteMany({})`. */

import type { NamedAct } from "./commandsData.ts"
import type { PreparedCommands } from "./prepareCommands.ts"
import type { FoundAct, CommandSession } from "./CommandSession.ts"
import { holdsOf } from "./sqlRows.ts"

const methods: Readonly<Record<string, NamedAct>> = {
  drop: "mongoDrop",
  dropdatabase: "mongoDropDatabase",
  dropindex: "mongoIndex",
  dropindexes: "mongoIndex",
  createindex: "mongoIndex",
  renamecollection: "mongoWriteMany",
  createcollection: "mongoWriteOne",
  insert: "mongoWriteOne",
  insertone: "mongoWriteOne",
  insertmany: "mongoWriteMany",
  save: "mongoWriteOne",
  update: "mongoWriteMany",
  updateone: "mongoWriteOne",
  replaceone: "mongoWriteOne",
  findandmodify: "mongoWriteOne",
  findoneandupdate: "mongoWriteOne",
  findoneandreplace: "mongoWriteOne",
  updatemany: "mongoWriteMany",
  bulkwrite: "mongoWriteMany",
  remove: "mongoDeleteMany",
  deletemany: "mongoDeleteMany",
  deleteone: "mongoDeleteOne",
  findoneanddelete: "mongoDeleteOne",
  createuser: "mongoUser",
  dropuser: "mongoUser",
  updateuser: "mongoUser",
  grantrolestouser: "mongoUser",
  changeuserpassword: "mongoUser",
  shutdownserver: "mongoShutdown",
  find: "mongoRead",
  findone: "mongoRead",
  aggregate: "mongoRead",
  countdocuments: "sqlCount",
  estimateddocumentcount: "sqlCount",
  count: "sqlCount",
  distinct: "mongoRead",
  stats: "sqlCount",
  getindexes: "sqlHarmless",
  getcollectionnames: "sqlHarmless",
  explain: "sqlExplain"
}

const readStatement = (statement: string, commands: PreparedCommands): FoundAct | undefined => {
  const direct = statement.replace(/^db\.getCollection\(\s*["']?([\w.$-]*)["']?\s*\)/, "db.$1")
  const open = direct.indexOf("(")
  if (!/^db[.[]/.test(direct) || open === -1) return undefined
  const path = direct.slice(0, open).trim().split(".")
  const name = methods[(path.at(-1) ?? "").toLowerCase()]
  if (name === undefined) return { command: "mongo.unknown", act: commands.acts.sqlUnread }
  const args = direct.slice(open + 1).trimStart()
  const everything = /^(?:\)|\{\s*\})/.test(args)
  const act = commands.acts[name === "mongoDeleteMany" && everything ? "mongoDeleteAll" : name]
  const holds = holdsOf(path.slice(1, -1), commands)
  const all =
    name === "mongoRead" && everything && !/\.limit\(\d{1,3}\)/.test(args) ? ("bulk" as const) : act.extent
  const impact =
    name === "mongoRead" ? (commands.sqlReadImpacts[holds]?.[all === "bulk" ? 2 : 1] ?? "low") : act.impact
  return {
    command: act.type.includes("mongo")
      ? act.type
      : `mongo.${path.length > 1 ? act.type.slice(act.type.indexOf(".") + 1) : "unknown"}`,
    act: { ...act, holds, extent: all, impact }
  }
}

/** Undefined if the text is no text of the MongoDB shell. */
export const readMongoStatements = (
  text: string,
  commands: PreparedCommands
): ReadonlyArray<FoundAct> | undefined => {
  const statements = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^(?:use|show|\/\/)/.test(part))
  const found: Array<FoundAct> = []
  for (const statement of statements.slice(0, commands.limits.commandsMax)) {
    const read = readStatement(statement, commands)
    if (read !== undefined) found.push(read)
    else if (found.length === 0) return undefined
    else found.push({ command: "mongo.unknown", act: commands.acts.sqlUnread })
  }
  return found.length === 0 ? undefined : found
}

export const readMongo = (session: CommandSession, text: string): void => {
  const found = readMongoStatements(text, session.commands)
  if (found === undefined)
    session.addNamed(/^\s*(?:use|show)\b/.test(text) ? "sqlHarmless" : "evalCode", "mongo.unknown")
  else for (const { command, act } of found) session.add(command, act)
}
