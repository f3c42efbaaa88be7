/** Finds the commands in a call: in its resource if the tool takes one, and in its name if the name is a command. */

import type { Action } from "../../domain/Action.ts"
import { type Act, riskOf } from "./Act.ts"
import {
  commandOf,
  type CommandTools,
  fileCommand,
  type FileTool,
  fitsProgram,
  programOfFileTool,
  programOfTool,
  promisedLanguage,
  takesText
} from "./commands/commandTools.ts"
import { globFits, makeClassOf, plainWord } from "./commands/paths.ts"
import { readCommand } from "./commands/readCommand.ts"
import type { PreparedCommands } from "./commands/Commands.ts"
import { type QueryTool, readQuery } from "./commands/queries.ts"
import { sqlIn } from "./commands/sql/sqlText.ts"
import { type NameLexicon, type NameOfCall, providerOf, slice } from "./nameOfCall.ts"
import { handlesSource } from "./namingWords.ts"
import { isAscii } from "../names/lookalike.ts"
import { splitName, type SplitName } from "../names/splitName.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import type { CommandLanguage, CommandReading, ReadAct } from "./commands/CommandReading.ts"

export interface CommandReader {
  readonly vocabulary: Vocabulary
  readonly tools: CommandTools
  readonly commands: PreparedCommands
}

export interface ArgumentCommand {
  readonly language: CommandLanguage
  /** The text that was read. */
  readonly text: string
  readonly reading: CommandReading | undefined
}

export interface WholeCommand {
  readonly action: Action
  /** The command is longer than the part of it that is read. */
  readonly isCut: boolean
}

/** The length of a text after folding: one character can become seven. */
const foldedLength = (text: string): number => (isAscii(text) ? text.length : text.normalize("NFKD").length)

/** The longest prefix of a text that has at most `max` units after folding. */
const beginningOf = (text: string, max: number): string => {
  let kept = text.slice(0, max)
  while (foldedLength(kept) > max) kept = kept.slice(0, Math.floor(kept.length / 2))
  return kept
}

/**
 * A resource that is only the beginning of the full command in the metadata. The full command is what runs, so it is read, up to the limit
 * for commands.
 */
export const withWholeCommand = (action: Action, { commandMax, resourceCut }: CommandTools): WholeCommand => {
  const { metadata, targetResource } = action
  const command = metadata?.["command"]
  const asStated = { action, isCut: false }
  if (targetResource === undefined || typeof command !== "string") return asStated
  if (command.length <= targetResource.length || targetResource.length < resourceCut / 2) return asStated
  // A character takes at most two UTF-16 units.
  const characters = Array.from(command.slice(0, 2 * resourceCut))
  const beginning = characters.slice(0, resourceCut).join("")
  if (beginning.trim() !== targetResource.trim()) return asStated
  const read = beginningOf(command, commandMax)
  return { action: { ...action, targetResource: read }, isCut: read.length < command.length }
}

/** The resource of a call, with its language, if it is a command. */
const commandIn = (
  act: Act,
  resource: string,
  promised: CommandLanguage | undefined,
  { parameters, sqlBeginnings }: CommandTools
): { readonly language: CommandLanguage; readonly text: string } | undefined => {
  const shell = promised === "shell" || promised === "device"
  const executes = act.class === "execute" || shell
  const sql = sqlIn(resource, { promised: promised === "sql", executes, beginnings: sqlBeginnings })
  if (sql !== undefined) return { language: "sql", text: sql }
  if (!executes) return undefined
  const words = resource.trim().split(/\s+/)
  const command = commandOf(resource, parameters, promised === "device" ? "device" : "shell")
  // `env=prod` looks like an assignment but is a parameter of a script; an assignment alone runs nothing.
  if (shell) return words.every(isParameter) ? undefined : { language: promised, text: command }
  // `is_destroy=true` looks like an assignment too, and not every tool that executes something runs a shell.
  return words.every(isAssignment) && command === resource ? undefined : { language: "any", text: command }
}
/** Tested word by word: a single pattern for all words would backtrack over every split of `a=a=a=`. */
const isAssignment = (word: string): boolean => /^[\w.-]+=/.test(word)
/** An assignment whose value cannot run anything. */
const isParameter = (word: string): boolean => /^[\w.-]+=[\w.,:/@%+-]*$/.test(word)

/** `run` of a server that is named like a program: it takes the subcommands of that program, and no name of another one. */
const programOfServer = (
  words: ReadonlyArray<string>,
  resource: string,
  { commands, tools }: CommandReader
): string | undefined => {
  const program = programOfTool(words, tools)
  const [first = ""] = resource.trim().split(/\s/, 1)
  const isSubcommand = tools.firstWords.has(program ?? "") && !commands.programs.has(first)
  return isSubcommand ? program : undefined
}

/** The input of a tool that is named like a program. Adds the program's name in front if the caller left it out. */
const programText = (
  { server, split }: NameOfCall,
  given: string,
  reader: CommandReader
): { readonly text: string; readonly whole: boolean } | undefined => {
  const { tools, vocabulary } = reader
  const resource = commandOf(given, tools.parameters, undefined)
  const program =
    programOfTool(slice(split, server).words, tools) ?? programOfServer(split.words, resource, reader)
  if (program === undefined) return undefined
  const first = /^(?:\$ )?(?:sudo )?[\w./-]*/.exec(resource.trim())?.[0] ?? ""
  const whole = first.endsWith(program)
  // A tool called `move` or `copy` already names its act, so its argument is a command only if it is written like one.
  const isVerb = vocabulary.words.get(program)?.verb !== undefined
  if (!whole && (isVerb ? !resource.startsWith("-") : !fitsProgram(resource, program, tools)))
    return undefined
  return { text: whole ? resource : `${program} ${resource}`, whole }
}

/** Whether the target system or tool server is a database: it takes SQL or has a database-like name. */
const isDatabase = (
  { actionType, targetSystem = "" }: Action,
  { tools, vocabulary }: CommandReader
): boolean =>
  [targetSystem, /^mcp__(.+?)__/i.exec(actionType)?.[1] ?? ""].some((text) => {
    const { words } = splitName(text, vocabulary.isKnown)
    return (
      promisedLanguage(words, tools) !== undefined ||
      words.some((word) => tools.databases.some((glob) => globFits(glob, word)))
    )
  })
/** Whether the tool treats a statement as plain text. A tool that executes things would run it. */
export const keepsText = (action: Action, { words }: SplitName, act: Act, reader: CommandReader): boolean =>
  act.class !== "execute" && takesText(words, reader.tools) && !isDatabase(action, reader)

/** Reads the resource as a query in a language other than SQL. `open`: the tool takes any text, and no other reader understood this one. */
const readQueryOf = (
  { actionType, targetResource = "", targetSystem = "" }: Action,
  { words }: SplitName,
  act: Act,
  open: boolean,
  { commands, vocabulary }: CommandReader
): CommandReading | undefined => {
  const tool: QueryTool = {
    name: /^mcp__/i.test(actionType) ? splitName(actionType, vocabulary.isKnown).words : words,
    system: splitName(targetSystem, vocabulary.isKnown).words,
    act,
    open
  }
  const runs = (text: string, language: "shell" | "sql") => readCommand(text, language, commands)
  return readQuery(targetResource, tool, runs, commands)
}

/** Reads the resource of a call as a command. `promised`: the language that the tool's name implies. */
export const readResource = (
  action: Action,
  nameOfCall: NameOfCall,
  act: Act,
  promised: CommandLanguage | undefined,
  reader: CommandReader
): ArgumentCommand | undefined => {
  const resource = action.targetResource
  const name = slice(nameOfCall.split, nameOfCall.server)
  if (resource === undefined || keepsText(action, name, act, reader)) return undefined
  const command = readCommandOf(nameOfCall, resource, act, promised, reader)
  const isShell = promised === "shell" || promised === "device"
  const isUnderstood = command?.reading !== undefined && !command.reading.unread
  const open = !isUnderstood && (promised === "sql" || (act.class === "execute" && !isShell))
  const query = readQueryOf(action, name, act, open, reader)
  const [asked] = query?.acts ?? []
  const [first] = command?.reading?.acts ?? []
  if (asked === undefined) return command
  // If only one of the two languages understands the text, that reading counts. A shell runs any text that it gets.
  const isRisen = riskOf(asked) >= riskOf(first ?? act)
  if ((isUnderstood || isShell || query?.unread === true) && !isRisen) return command
  return { language: "sql", text: resource, reading: query }
}

const readCommandOf = (
  name: NameOfCall,
  resource: string,
  act: Act,
  promised: CommandLanguage | undefined,
  reader: CommandReader
): ArgumentCommand | undefined => {
  const command = commandIn(act, resource, promised, reader.tools)
  if (command?.language === "sql") return commandReading(command, reader)
  const given = programText(name, resource, reader)
  if (given !== undefined) {
    for (const text of [given.text, resource]) {
      const reading = readCommand(text, text === resource ? "any" : "shell", reader.commands)
      if (reading !== undefined && (given.whole || !reading.unread))
        return { language: "shell", text, reading }
    }
  }
  return command === undefined ? undefined : commandReading(command, reader)
}

const commandReading = (
  { language, text }: Pick<ArgumentCommand, "language" | "text">,
  { commands }: CommandReader
): ArgumentCommand => ({ language, text, reading: readCommand(text, language, commands) })

type FileReader = CommandReader & Pick<NameLexicon, "catalogue">

/** The tool of a call as a tool for local files. Undefined if it is not one. */
export const fileToolOf = (
  name: NameOfCall,
  { catalogue, commands, tools, vocabulary }: FileReader
): FileTool | undefined => {
  const { listed, own, provided, server, split } = name
  const named = slice(split, Math.max(listed.from, server)).words
  const words = provided?.type === undefined ? named : splitName(provided.type, vocabulary.isKnown).words
  const program = programOfFileTool(words, providerOf(name, catalogue), tools.files)
  if (program === undefined) return undefined
  const classOf = makeClassOf(commands)
  return {
    program,
    knows: (path) => classOf(plainWord(path)) !== "plain" || handlesSource(path, own, vocabulary)
  }
}

/** Reads the resource of a file tool as a path argument of the equivalent program. */
export const readFileTool = (
  { targetResource }: Action,
  name: NameOfCall,
  reader: FileReader
): ArgumentCommand | undefined => {
  if (targetResource === undefined) return undefined
  const tool = fileToolOf(name, reader)
  const text = tool && fileCommand(tool, [targetResource.trim()])
  return text === undefined ? undefined : commandReading({ language: "shell", text }, reader)
}

/** Example: `Set-OrganizationConfig`, whose parameters are in the resource. */
const cmdlet = /^[A-Z][a-z]+-[A-Z]\w*$/

/** The riskiest act of a command. If part of the command was not understood, only an act graver than an unknown one counts. */
const actUnderstood = (text: string, commands: PreparedCommands): ReadAct | undefined => {
  const { acts = [], unread = false } = readCommand(text, "shell", commands) ?? {}
  return acts.find((act) => !unread || riskOf(act) > riskOf(commands.acts.unknownForm))
}

/** Reads a name that is itself a command, such as `ceph osd pool delete`. Counts only if it is riskier than the name. */
export const readNameAsCommand = (
  { actionType, targetResource = "" }: Action,
  { commands, tools, vocabulary }: CommandReader
): ReadAct | undefined => {
  const [first = "", second] = actionType.split(" ")
  const isProgram =
    second !== undefined &&
    vocabulary.words.get(first)?.verb === undefined &&
    tools.programs.has(first.replaceAll("-", ""))
  if (!isProgram && !cmdlet.test(actionType)) return undefined
  return actUnderstood(`${actionType} ${targetResource}`, commands) ?? actUnderstood(actionType, commands)
}

/** A command found in prose. */
export interface ProseCommand {
  readonly field: "action_description" | "metadata.command"
  readonly text: string
  readonly act: ReadAct
}

/**
 * The riskiest command in the prose of a call. Prose is not trusted, so it never lowers risk; but if it describes something worse than the
 * arguments, the worse act counts. `run`: the text that was already read as the call's command.
 */
export const commandInProse = (
  { actionDescription, metadata, targetResource }: Action,
  isCut: boolean,
  run: string | undefined,
  { commands }: CommandReader
): ProseCommand | undefined => {
  const told = isCut ? targetResource : metadata?.["command"]
  const texts = [
    ["action_description", actionDescription],
    ["metadata.command", told]
  ] as const
  let worst: ProseCommand | undefined
  for (const [field, text] of texts) {
    if (typeof text !== "string" || text === run) continue
    const [act] = readCommand(text, "any", commands)?.acts ?? []
    if (act !== undefined && (worst === undefined || riskOf(act) > riskOf(worst.act)))
      worst = { field, text, act }
  }
  return worst
}
