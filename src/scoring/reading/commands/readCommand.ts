/** Reads a text as a shell command or SQL and returns its acts. A text that is not a command, such as prose, has none. */

import { actionClasses, changeless } from "../../../domain/Action.ts"
import { type Act, type Impact, impacts, join } from "../Act.ts"
import type { PreparedCommands } from "./Commands.ts"
import { findProgram } from "./matchProgram.ts"
import { invoke } from "./invoke.ts"
import { readMongo, readMongoStatements } from "./queries.ts"
import { looksLikePowerShell, readPowerShell } from "./powershell.ts"
import { readsLikeProse } from "./prose.ts"
import {
  addAct,
  addNamed,
  apart,
  type Context,
  here,
  mayParse,
  outermost,
  readAsShell,
  CommandSession,
  type Readers
} from "./Context.ts"
import { type Outline, outlineOf, readScript, readShell, readWhole } from "./shell/readShell.ts"
import { readStatements } from "./sql/readStatements.ts"
import type {
  CommandAct,
  CommandLanguage,
  CommandReading,
  FoundAct,
  LocatedAct,
  ReadAct,
  Span
} from "./CommandReading.ts"
import { globFits } from "./paths.ts"

/** The lines that a database client passes to a shell: `\! rm -rf /`. */
const handedToShell = (text: string, { shellEscapes }: PreparedCommands): ReadonlyArray<string> =>
  !shellEscapes.some((escape) => text.includes(escape))
    ? []
    : text.split("\n").flatMap((line) =>
        shellEscapes.flatMap((escape) => {
          const at = line.indexOf(escape)
          const stands = at >= 0 && (escape.startsWith("\\") || line.slice(0, at).trim() === "")
          return stands ? [line.slice(at + escape.length).trim()] : []
        })
      )

/** `\dt` in psql and `.tables` in sqlite3 only show information. `\copy` is a statement, whose file the client reads or writes. */
const looksAround = /^\s*(?:\\(?!copy\b)|\.)/i
const asksState = /^\s*(?:show|use|help|status)\b[^;]*(?:;\s*)?$/i
const runsUnread = /^[ \t]*(?:\\i(?:r|nclude\w*)?\s|\.re(?:ad|store)\s|\\o\s*\||\.output\s*\|)/m

/** The statements of a text without lines that are only for the client. */
const statementsOf = (text: string): string => {
  const lines = text.split("\n").filter((line) => !looksAround.test(line))
  const statements = lines.map((line) => line.replace(/^\s*\\copy\b/i, "COPY"))
  return statements.every((line) => line.trim() === "" || asksState.test(line)) ? "" : statements.join("\n")
}

/** Reads a text that a client passes to a database. */
const readSql = (context: Context, text: string): void => {
  if (!mayParse(context, text)) return
  const { commands } = context
  for (const line of handedToShell(text, commands)) readAsShell(apart(here(context)), line)
  const statements = statementsOf(text)
  if (statements === "" || looksAround.test(text) || runsUnread.test(text))
    addNamed(context, runsUnread.test(text) ? "sqlUnread" : "nothingDone", "sql.meta")
  if (statements === "") return
  const found = readStatements(statements, false, commands)
  if (found === undefined) addNamed(context, "sqlUnread", "sql.unread")
  else addAll(context, found)
}

const addAll = (context: Context, found: ReadonlyArray<FoundAct>): void => {
  for (const { act, command, line } of found) addAct(context, command, act, line)
}

const readers: Readers = {
  script: readScript,
  shell: (context, text) =>
    looksLikePowerShell(text, context.session) ? readPowerShell(context, text) : readShell(context, text),
  powerShell: readPowerShell,
  sql: readSql,
  mongo: readMongo,
  words: invoke
}

const rankOf = ({ act }: FoundAct): number =>
  (impacts.indexOf(act.impact) * 2 + Number(act.anywhere)) * actionClasses.length +
  actionClasses.indexOf(act.class)

/** Whether two findings mean the same act, in every property that a join uses. */
const isSameAct = ({ act, command }: FoundAct, { act: other, command: named }: FoundAct): boolean =>
  command === named &&
  act.type === other.type &&
  act.class === other.class &&
  act.impact === other.impact &&
  act.reversibility === other.reversibility &&
  act.soft === other.soft &&
  act.extent === other.extent &&
  act.holds === other.holds &&
  act.anywhere === other.anywhere &&
  act.credential === other.credential &&
  act.weakens === other.weakens &&
  act.remote === other.remote

const actOf = (act: CommandAct): Act => {
  const { unread: _unread, ...rest } = act
  return rest
}

/** Whether an act affects only the workspace, or changes nothing wherever it looks. */
const isLocal = ({ act, elsewhere }: LocatedAct, { placelessActs }: PreparedCommands): boolean =>
  (act.impact === "low" && changeless.has(act.class)) ||
  (!elsewhere &&
    ((act.impact === "low" && act.class === "execute") ||
      placelessActs.some((glob) => globFits(glob, act.type))))

/**
 * The commands of the outermost text. Empty if an act belongs to none of them or changes something elsewhere: then any word may name the
 * place, as in `cd prod && terraform apply`.
 */
const locatedCommands = ({ commands, found }: CommandSession): CommandReading["commands"] => {
  const byPlace = new Map<number, { readonly span: Span; isLocal: boolean }>()
  for (const one of found) {
    if (one.span === undefined || (one.elsewhere && !changeless.has(one.act.class))) return []
    const known = byPlace.get(one.span.pos)
    if (known === undefined) byPlace.set(one.span.pos, { span: one.span, isLocal: isLocal(one, commands) })
    else known.isLocal &&= isLocal(one, commands)
  }
  return [...byPlace.values()]
}

/** The distinct acts, riskiest first. Invariant: acts beyond the limit are joined to the last one, so that none is lost. */
const readingOf = (session: CommandSession): CommandReading => {
  const { actsMax } = session.commands.limits
  const distinct: Array<CommandSession["found"][number]> = []
  // Sorting is stable: among equals, the earlier one comes first.
  const ranked = session.found.map((found) => ({ found, rank: rankOf(found) }))
  for (const { found } of ranked.toSorted((a, b) => b.rank - a.rank))
    if (!distinct.some((one) => isSameAct(one, found))) distinct.push(found)
  const acts = distinct.map(({ act, command, line, span }): ReadAct => ({
    ...actOf(act),
    command,
    line,
    span
  }))
  const [last, ...beyond] = acts.slice(actsMax - 1)
  return {
    acts: last === undefined ? acts : [...acts.slice(0, actsMax - 1), join(last, beyond)],
    unread: session.unread,
    requests: session.requests.slice(0, actsMax),
    commands: locatedCommands(session)
  }
}

/** The caller states that this is a shell text, though perhaps not for which shell. */
const isShellText = (language: CommandLanguage): boolean => language === "shell" || language === "device"

const printing = new Set(["echo", "printf"])
const pathLike = /^(?:\.{0,2}|~)\/[\w.@-]/
const relativePath = /^[\w.@-]+\/[\w./@-]+$/

const keywords = /(?:^|[;&|\n({][ \t]*)(?:if|then|else|elif|do|while|until|for \w+ in|case \S+ in)\b/g

/** The words that could belong to a sentence: without comments, quoted text and shell keywords. */
const barely = (text: string): string => {
  const uncommented = text.includes("#") ? text.replace(/(?<=^|\s)#[^\n]*/g, "") : text
  return uncommented.replace(/'[^']*'|"[^"]*"/g, "''").replace(keywords, " ")
}

type Meant = "command" | "prose" | "name"

/** Whether a text that parses as a shell command is meant as one. */
const meantAs = (
  text: string,
  outline: Outline,
  session: CommandSession,
  language: CommandLanguage
): Meant => {
  const { firstWord, known, structured, compound, wordCount } = outline
  const isScript = (name: string) =>
    name.includes(".") && session.commands.scriptEndings.has(name.slice(name.lastIndexOf(".") + 1))
  if (compound || /^(?:\$\(|`|\{[^{}":\s]*,)/.test(firstWord)) return "command"
  const bare = barely(text)
  // `echo` may print a sentence, provided that it is quoted or redirected.
  const prints = printing.has(firstWord) && (isShellText(language) || /['"$>|]/.test(text))
  const isStated = known && isShellText(language)
  if (!prints && readsLikeProse(bare, session.commands, isStated)) return known ? "prose" : "name"
  const several = wordCount > 1 || structured
  if (known) return isShellText(language) || several || !pathLike.test(firstWord) ? "command" : "name"
  const isPath = pathLike.test(firstWord) || relativePath.test(firstWord)
  if (isShellText(language)) return several || isPath ? "command" : "name"
  if (pathLike.test(firstWord)) return wordCount > 1 || isScript(firstWord) ? "command" : "name"
  // Between unknown words, operators may be punctuation: `a; b`, `a | b`. Flags, variables and redirections cannot be.
  const flagged = /(?:^|\s)--?[a-z]|\$[({A-Za-z]|&&|\|\s*(?:sh|bash)\b/.test(bare)
  return flagged && /^[a-z_][\w.+-]*$/.test(firstWord) ? "command" : "name"
}

const beginsWithProgram = (session: CommandSession, text: string): boolean => {
  const head = text.slice(0, session.commands.limits.pathLengthMax)
  return (
    findProgram(session, head.split(/\s/)[0] ?? "") !== undefined && !readsLikeProse(head, session.commands)
  )
}

const readsShell = (context: Context, text: string, language: CommandLanguage): boolean => {
  const { session } = context
  if (looksLikePowerShell(text, session)) {
    readPowerShell(context, text)
    return true
  }
  const outline = outlineOf(context, text)
  if (outline === undefined)
    return session.unread && (isShellText(language) || beginsWithProgram(session, text))
  const meant = meantAs(text, outline, session, language)
  if (meant === "name") return false
  readWhole(context, outline.script)
  const has = (...levels: ReadonlyArray<Impact>) =>
    session.found.some(({ act }) => levels.includes(act.impact))
  if (meant === "prose") {
    // A grave command within a sentence counts, so that no words can hide it.
    session.unread = true
    return isShellText(language) ? has("high", "critical") : has("critical")
  }
  // A single word, such as `test` or `install`, is a name as often as a command.
  const oneWord = language === "any" && outline.wordCount === 1 && !outline.structured
  return !oneWord || has("moderate", "high", "critical")
}

/**
 * Whether a text is too long to be read. Unless the caller states a command, a long text is a command only if it begins with a program and
 * does not read like a sentence.
 */
const tooLong = (
  text: string,
  language: CommandLanguage,
  commands: PreparedCommands
): CommandReading | undefined => {
  if (language === "any" && !beginsWithProgram(new CommandSession(commands, readers, language), text))
    return undefined
  const act = { ...actOf(commands.acts.tooLong), command: "unread", line: "tooLong", span: undefined }
  return { acts: [act], unread: true, requests: [], commands: [] }
}

/** Reads SQL or the MongoDB shell. False if the text is neither. */
const readsQuery = (context: Context, text: string, language: CommandLanguage): boolean => {
  const { commands } = context
  if (handedToShell(text, commands).length > 0) {
    readSql(context, text)
    return true
  }
  const found = readMongoStatements(text, commands) ?? readStatements(text, language === "any", commands)
  addAll(context, found ?? [])
  return found !== undefined
}

/** The text in the form that the readers get. The spans of acts refer to it. */
export const plainText = (text: string): string => text.trim().replaceAll("\r\n", "\n").replace(/^\$ /, "")

/** Undefined if the text is not a command, or does not fully parse as one. */
export const readCommand = (
  text: string,
  language: CommandLanguage,
  commands: PreparedCommands
): CommandReading | undefined => {
  const trimmed = plainText(text)
  if (trimmed === "") return undefined
  if (trimmed.length > commands.limits.textMax) return tooLong(trimmed, language, commands)
  const readAs = (reads: typeof readsQuery): Context | undefined => {
    const context = outermost(new CommandSession(commands, readers, language))
    return reads(context, trimmed, language) ? context : undefined
  }
  const query = isShellText(language) ? undefined : readAs(readsQuery)
  const shell = language === "sql" ? undefined : readAs(readsShell)
  const context = query ?? shell
  if (context === undefined) return undefined
  const { session } = context
  // `set -e; …` and `truncate x` are both SQL and shell. A shell reading counts only if it begins with a known program.
  if (query !== undefined && shell !== undefined && beginsWithProgram(shell.session, trimmed))
    session.include(shell.session)
  if (session.found.length === 0) addNamed(context, "nothingDone", "nothing")
  return readingOf(session)
}
