/** Reads a text as a command, shell or SQL, and says what it would do. A text that is no command, such as prose, gives nothing. */

import { type Act, actClasses, impacts } from "../Act.ts"
import type { CommandAct, PreparedCommands } from "./commandsData.ts"
import { readMongo, readMongoStatements } from "./mongo.ts"
import { looksLikePowerShell, readPowerShell } from "./powershell.ts"
import { readsLikeProse } from "./prose.ts"
import { type FoundAct, outermost, type Readers, Session } from "./Session.ts"
import { type Outline, outlineOf, readOutline, readShell } from "./shell.ts"
import { readSql, readStatements } from "./sql.ts"

export interface CommandReading {
  /** Riskiest first. `command` names program and verb in our words: nothing in it was written by the caller. */
  readonly acts: ReadonlyArray<Act & { readonly command: string }>
  /** A part was not understood: an unknown program, code of another language, a text that only exists when the command runs. */
  readonly unread: boolean
}

export type CommandLanguage = "shell" | "sql" | "any"

const readers: Readers = {
  shell: (session, text, context) =>
    looksLikePowerShell(text, session)
      ? readPowerShell(session, text, context)
      : readShell(session, text, context),
  powerShell: readPowerShell,
  sql: readSql,
  mongo: readMongo
}

const rank = ({ act }: FoundAct): number =>
  (impacts.indexOf(act.impact) * 2 + Number(act.anywhere)) * actClasses.length + actClasses.indexOf(act.class)

const actOf = (act: CommandAct): Act => {
  const { unread: _unread, ...rest } = act
  return rest
}

const readingOf = (session: Session): CommandReading => {
  const acts: Array<CommandReading["acts"][number]> = []
  const seen = new Set<string>()
  // Sorting is stable: of equals the earlier one comes first.
  for (const found of session.found.toSorted((a, b) => rank(b) - rank(a))) {
    const key = `${found.command} ${found.act.type} ${rank(found)} ${found.act.holds}`
    if (seen.has(key)) continue
    seen.add(key)
    acts.push({ ...actOf(found.act), command: found.command })
    if (acts.length === session.commands.limits.actsMax) break
  }
  return { acts, unread: session.unread }
}

const printing = new Set(["echo", "printf"])
const pathLike = /^(?:\.{0,2}|~)\/[\w.@-]/
const scriptLike = /\.(?:sh|bash|py|rb|pl|js|ts|ps1|bat|cmd|exe)$/

/** Whether a text that parses as a shell command is meant as one. */
const isShellCommand = (
  text: string,
  outline: Outline,
  session: Session,
  language: CommandLanguage
): boolean => {
  const { firstWord, known, structured, compound, wordCount } = outline
  if (compound || printing.has(firstWord)) return true
  // Quoted text is data of a command, not its words.
  const bare = text.replace(/'[^']*'|"[^"]*"/g, "''")
  const prose = readsLikeProse(bare, session.commands)
  if (prose) return false
  if (known) return language === "shell" || wordCount !== 1 || structured || !pathLike.test(firstWord)
  if (pathLike.test(firstWord)) return language === "shell" || wordCount > 1 || scriptLike.test(firstWord)
  if (language === "shell") return wordCount > 1 || structured
  // Operators between unknown words are also punctuation: `a; b`, `a | b`. Flags, variables and redirections are not.
  return (
    /(?:^|\s)--?[a-z]|\$[({A-Za-z]|&&|\|\s*(?:sh|bash)\b/.test(bare) && /^[a-z_][\w.+-]*$/.test(firstWord)
  )
}

const readsShell = (session: Session, text: string, language: CommandLanguage): boolean => {
  if (looksLikePowerShell(text, session)) {
    readPowerShell(session, text, outermost)
    return true
  }
  const outline = outlineOf(session, text)
  if (outline === undefined) return session.unread
  if (!isShellCommand(text, outline, session, language)) return false
  readOutline(session, outline, outermost)
  return true
}

const tooLong = (commands: PreparedCommands): CommandReading => ({
  acts: [{ ...actOf(commands.acts.tooLong), command: "unread" }],
  unread: true
})

/** Undefined if the text is not a command, or does not parse as one from its first to its last character. */
export const readCommand = (
  text: string,
  language: CommandLanguage,
  commands: PreparedCommands
): CommandReading | undefined => {
  const trimmed = text.trim().replace(/^\$ /, "")
  if (trimmed === "") return undefined
  if (trimmed.length > commands.limits.textMax) return tooLong(commands)
  const session = new Session(commands, readers)
  if (language !== "shell") {
    const found =
      readMongoStatements(trimmed, commands) ?? readStatements(trimmed, language === "any", commands)
    if (found !== undefined) {
      for (const { command, act } of found) session.add(command, act)
      return readingOf(session)
    }
  }
  if (language !== "sql" && readsShell(session, trimmed, language)) return readingOf(session)
  return undefined
}
