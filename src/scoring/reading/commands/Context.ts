/** The circumstances in which a command runs, as an immutable value that is passed down, and the mutable state that the readers of one text share. */

import type { Script } from "unbash"
import { remotely } from "../Act.ts"
import type {
  CommandAct,
  CommandLanguage,
  HttpRequest,
  LocatedAct,
  NamedAct,
  Span
} from "./CommandReading.ts"
import type { PreparedCommands } from "./Commands.ts"
import { type ClassOf, type CommandWord, type Flow, makeClassOf, noFlow, normalizePath } from "./paths.ts"

export interface Context {
  readonly session: CommandSession
  readonly commands: PreparedCommands
  readonly stdin: Flow
  /** Runs as administrator. */
  readonly root: boolean
  /** Runs repeatedly on a schedule. */
  readonly scheduled: boolean
  /** The nesting depth, in commands and shell constructs. */
  readonly depth: number
  /** Acts on another machine or service that may be production. */
  readonly isRemote: boolean
  /** The program itself runs there, as after `ssh`. By contrast, a database client runs here but acts there. */
  readonly runsThere: boolean
  /** Part of the text that the call states, and not of a text that one of its commands passes on. */
  readonly isOutermost: boolean
  /** The range of the current command in the outermost text. */
  readonly span: Span | undefined
  readonly shell: ShellState
  /** Environment variables set only for this command: `AWS_PROFILE=dev aws …`. */
  readonly environment: Environment | undefined
  /** Which value to use for variables that have several. */
  readonly choice: number
}

/** The readers for whatever a command contains or passes on. */
export interface Readers {
  /** A nested shell script: `$(…)`. */
  readonly script: (context: Context, script: Script) => Flow
  readonly shell: (context: Context, text: string) => Flow
  readonly powerShell: (context: Context, text: string) => Flow
  readonly sql: (context: Context, text: string) => void
  readonly mongo: (context: Context, text: string) => void
  /** A command given as words. */
  readonly words: (context: Context, words: ReadonlyArray<CommandWord>) => Flow
}

/** Reads a function call. `words`: its arguments; undefined if they are unknown. */
export type CallFunction = (context: Context, words: ReadonlyArray<CommandWord> | undefined) => Flow

/** The acts found so far, the files that the text writes, and the budget that bounds the reading time. */
export class CommandSession {
  readonly commands: PreparedCommands
  readonly readers: Readers
  readonly language: CommandLanguage
  readonly found: Array<LocatedAct> = []
  /** Requests to other hosts, for a later reader that understands their addresses. */
  readonly requests: Array<HttpRequest> = []
  /** How many of the functions being read start something in the background. */
  forking = 0
  /** The functions and aliases defined in any of the texts, by name. */
  readonly functions = new Map<string, CallFunction>()
  readonly fetchedFiles = new Set<string>()
  /** The contents of files that the text writes itself, by path. */
  readonly writtenFiles = new Map<string, string>()
  /** Files that the text made as copies of secrets or links to them. */
  readonly copiedSecrets = new Set<string>()
  /** The class of a path, ignoring the folder that the text changed to. */
  readonly classOf: ClassOf
  unread = false
  /** The number of code parser steps so far. */
  codeSteps = 0
  /** The number of commands and constructs read so far. */
  commandsRead = 0
  /** The number of characters parsed so far. */
  parsed = 0

  constructor(commands: PreparedCommands, readers: Readers, language: CommandLanguage) {
    this.language = language
    this.commands = commands
    this.readers = readers
    this.classOf = makeClassOf(commands)
  }

  /** Adds the acts of the same text read in another language. */
  include(other: CommandSession): void {
    this.found.push(...other.found)
    this.requests.push(...other.requests)
    this.unread ||= other.unread
  }

  /** True if the budget is spent, so that no further command is read. */
  get exhausted(): boolean {
    return this.commandsRead > this.commands.limits.commandsMax
  }

  /** The content of a file that the same text writes. */
  textOf(file: CommandWord): string | undefined {
    return this.writtenFiles.size === 0 ? undefined : this.writtenFiles.get(normalizePath(file.value))
  }

  /** Records that a file now contains the incoming text. */
  storeFile(file: CommandWord, { fetched, text }: Flow, append: boolean): void {
    const path = normalizePath(file.value)
    if (fetched) this.fetchedFiles.add(path)
    const before = append ? (this.writtenFiles.get(path) ?? "") : ""
    if (text !== undefined) this.writtenFiles.set(path, `${before}${text}\n`)
  }

  /** Records that a file is now a copy of another one. */
  copyFile(from: CommandWord, to: CommandWord, isSecret: boolean): void {
    const [source, target] = [normalizePath(from.value), normalizePath(to.value)]
    if (this.fetchedFiles.has(source)) this.fetchedFiles.add(target)
    const text = this.writtenFiles.get(source)
    if (text !== undefined) this.writtenFiles.set(target, text)
    if (isSecret) this.copiedSecrets.add(target)
  }

  /** Whether the same text downloaded this file. */
  isFetched(word: CommandWord): boolean {
    return this.fetchedFiles.size > 0 && this.fetchedFiles.has(normalizePath(word.value))
  }
}

type Environment = ReadonlyMap<string, CommandWord>

/** The variables that a text sets. A variable has several values if different paths through the text set it differently. */
export type Variables = Map<string, ReadonlyArray<CommandWord>>

/** A variable with more values than this also counts as unknown. */
export const valuesMax = 4

export const unknownValue: CommandWord = { value: "", raw: "", dynamicFrom: 0, flow: noFlow }

/** The classes that a relative path inherits from the folder that the text changed to. */
const carried: ReadonlySet<string> = new Set(["disposable", "root", "system", "device", "log"])

const isRelative = ({ dynamicFrom, value }: CommandWord): boolean =>
  dynamicFrom !== 0 && /^[\w.*?-][^:]*$/.test(value) && !/^\.\.(?:\/|$)/.test(value)

const isSameValue = (a: CommandWord, b: CommandWord): boolean =>
  a.value === b.value && a.dynamicFrom === b.dynamicFrom

/** The state of one shell, which its commands change in sequence. A subshell gets a copy. */
export class ShellState {
  /** The folder that the text changed to; undefined if it changed to none, or to an unknown one. */
  folder: string | undefined
  /** The environment variables that every path to the current command has set. */
  environment: Environment | undefined
  /** The places that earlier commands of a `&&` list have chosen for the following ones, by flag or variable. */
  chosen: Environment | undefined
  readonly variables: Variables
  /** The functions defined in this shell. They take precedence over programs of the same name. */
  readonly functions: Map<string, CallFunction>
  /** The functions that the text has not called yet. */
  readonly uncalled: Set<CallFunction>
  readonly #session: CommandSession

  constructor(
    session: CommandSession,
    {
      chosen,
      environment,
      folder,
      functions,
      uncalled,
      variables
    }: Partial<
      Pick<ShellState, "chosen" | "environment" | "folder" | "functions" | "uncalled" | "variables">
    > = {}
  ) {
    this.#session = session
    this.folder = folder
    this.environment = environment
    this.chosen = chosen
    this.variables = new Map(variables)
    this.functions = functions ?? new Map()
    this.uncalled = uncalled ?? new Set()
  }

  copy(): ShellState {
    return new ShellState(this.#session, this)
  }

  /** Sets a variable that following commands also see in their environment. */
  export(name: string, word: CommandWord): void {
    this.environment = new Map(this.environment).set(name, word)
  }

  /** Merges the state after another path through the text. Only variables keep the values of both. */
  merge({ folder, variables }: ShellState): void {
    if (folder !== this.folder) this.folder = undefined
    for (const [name, added] of variables) {
      const before = this.variables.get(name) ?? []
      // An array that differs between the paths is unknown.
      if (name.endsWith("]")) {
        const isSame =
          before.length === added.length && before.every((one, i) => isSameValue(one, added[i] ?? one))
        this.variables.set(name, isSame ? added : [unknownValue])
        continue
      }
      const values = [...before]
      for (const value of added) if (!values.some((other) => isSameValue(other, value))) values.push(value)
      this.variables.set(
        name,
        values.length > valuesMax ? [...values.slice(0, valuesMax), unknownValue] : values
      )
    }
  }

  /** The class of a path, either by itself or within the folder that the text changed to, whichever is more specific. */
  readonly classOf: ClassOf = (word) => {
    const { classOf, copiedSecrets } = this.#session
    const isCopy = copiedSecrets.size > 0 && copiedSecrets.has(normalizePath(word.value))
    const own = isCopy ? "secret" : classOf(word)
    if (this.folder === undefined || !isRelative(word)) return own
    const there = classOf({ ...word, value: `${this.folder}/${word.value}` })
    return carried.has(there) ? there : own
  }

  /** Changes the folder. If it is missing or unknown, relative paths are unknown from here on. */
  enter(folder: CommandWord | undefined): void {
    const isKnown = folder !== undefined && folder.dynamicFrom === undefined && folder.value !== "-"
    if (!isKnown) this.folder = undefined
    else if (!isRelative(folder)) this.folder = folder.value
    else if (this.folder !== undefined) this.folder = `${this.folder}/${folder.value}`
  }
}

/** The context at the beginning of the outermost text. */
export const outermost = (session: CommandSession): Context => ({
  session,
  commands: session.commands,
  stdin: noFlow,
  root: false,
  scheduled: false,
  depth: 0,
  isRemote: false,
  runsThere: false,
  isOutermost: true,
  span: undefined,
  shell: new ShellState(session),
  environment: undefined,
  choice: 0
})

/** A context for a text that another program runs separately: nothing is piped into it. */
export const apart = (context: Context): Context => ({
  ...context,
  stdin: noFlow,
  root: false,
  scheduled: false,
  depth: 0
})

/** A context one level deeper, by default with the same input. */
export const nested = (context: Context, stdin: Flow = context.stdin): Context => ({
  ...context,
  stdin,
  depth: context.depth + 1
})

/** The place where the program itself runs. Its files are on that machine, as are the commands that it passes to a shell. */
export const here = (context: Context): Context => ({ ...context, isRemote: context.runsThere })

/** `command` names the program and the verb, never the caller's words. */
export const addAct = (
  { isRemote, session, span }: Context,
  command: string,
  act: CommandAct,
  line = command
): void => {
  session.found.push({ command, act: isRemote ? remotely(act) : act, line, span, elsewhere: isRemote })
  if (act.unread) session.unread = true
}

export const addNamed = (context: Context, name: NamedAct, command: string): void =>
  addAct(context, command, context.commands.acts[name], name)

/** False if the text has more commands, or more deeply nested ones, than are read. */
export const mayGoOn = (context: Context): boolean => {
  const { commands, depth, session } = context
  if (session.commandsRead++ < commands.limits.commandsMax && depth <= commands.limits.nestingMax) return true
  if (!session.unread || session.found.length === 0) addNamed(context, "unreadText", "unread")
  session.unread = true
  return false
}

/** The beginning and the end of a list that is too long. Skipping the middle marks the text as unread. */
export const firstAndLast = <A>(context: Context, list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const { wordsMax } = context.commands.limits
  if (list.length <= wordsMax) return list
  addNamed(context, "unreadText", "unread")
  return [...list.slice(0, wordsMax >> 1), ...list.slice(-(wordsMax >> 1))]
}

const openings = /\$\(|`|<<|[<>]\(|\$\{/g
const separators = /[;|&]/g

const countUpTo = (text: string, pattern: RegExp, max: number): boolean => {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count > max) return false
  return true
}

/** False if this text or all texts together are too long to parse, or contain too many openings or separators. */
export const mayParse = (context: Context, text: string): boolean => {
  const { openingsMax, parsedMax, separatorsMax } = context.commands.limits
  const parsed = (context.session.parsed += text.length)
  const within = countUpTo(text, openings, openingsMax) && countUpTo(text, separators, separatorsMax)
  if (parsed <= parsedMax && within) return true
  addNamed(context, "unreadText", "unread")
  return false
}

/** Adds the act of running code from this flow. True if the flow reveals where the code comes from. */
export const runsCodeFrom = (context: Context, { decoded, fetched }: Flow): boolean => {
  if (fetched) {
    const act = context.root ? "remoteCodeAsRoot" : "remoteCode"
    addNamed(context, context.scheduled ? "scheduledRemoteCode" : act, "remote_code")
  } else if (decoded) addNamed(context, "decodedCode", "decoded_code")
  return fetched || decoded
}

/** Reads a text that a command passes to a shell. */
export const readAsShell = (context: Context, text: string): Flow =>
  context.session.readers.shell(context, text)

export const readCommandWords = (context: Context, words: ReadonlyArray<CommandWord>): Flow =>
  context.session.readers.words(context, words)
