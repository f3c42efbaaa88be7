/** The circumstances in which a command runs, an immutable value that is passed down, and the state that the readers of one text share. */

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
  /** It runs as the administrator. */
  readonly root: boolean
  /** It runs again and again by a schedule. */
  readonly scheduled: boolean
  /** How many commands and constructs of a shell it is inside of. */
  readonly depth: number
  /** It acts on another machine or service that may be production. */
  readonly isRemote: boolean
  /** The program itself runs there, as behind `ssh`. A client of a database acts there and runs here. */
  readonly runsThere: boolean
  /** It is in the text that the call states, not in a text that one of its commands hands on. */
  readonly isOutermost: boolean
  /** The command at hand, in the outermost text. */
  readonly span: Span | undefined
  readonly shell: ShellState
  /** The variables of the environment that are set only for this command: `AWS_PROFILE=dev aws …`. */
  readonly environment: Environment | undefined
  /** The index of the value that counts, for variables with several. */
  readonly choice: number
}

/** The readers of what a command holds or hands on. */
export interface Readers {
  /** A script inside of a text for a shell: `$(…)`. */
  readonly script: (context: Context, script: Script) => Flow
  readonly shell: (context: Context, text: string) => Flow
  readonly powerShell: (context: Context, text: string) => Flow
  readonly sql: (context: Context, text: string) => void
  readonly mongo: (context: Context, text: string) => void
  /** A command by its words. */
  readonly words: (context: Context, words: ReadonlyArray<CommandWord>) => Flow
}

/** Reads a call of a function. `words`: its arguments; undefined where they are not known. */
export type CallFunction = (context: Context, words: ReadonlyArray<CommandWord> | undefined) => Flow

/** The acts found so far, the files that the text writes, and the budget that bounds the time. */
export class CommandSession {
  readonly commands: PreparedCommands
  readonly readers: Readers
  readonly language: CommandLanguage
  readonly found: Array<LocatedAct> = []
  /** Requests to other hosts, for a reader that knows what their addresses mean. */
  readonly requests: Array<HttpRequest> = []
  /** How many of the functions that run start something in the background. */
  forking = 0
  /** The functions and aliases that all of the texts define, by name. */
  readonly functions = new Map<string, CallFunction>()
  readonly fetchedFiles = new Set<string>()
  /** The contents of files that the text itself writes, by path. */
  readonly writtenFiles = new Map<string, string>()
  /** Files that the text has made copies or links of secrets. */
  readonly copiedSecrets = new Set<string>()
  /** The class of a path, apart from the folder that the text entered. */
  readonly classOf: ClassOf
  unread = false
  /** The steps that parsers of code have taken. */
  codeSteps = 0
  /** The commands and constructs that were read. */
  commandsRead = 0
  /** The characters that were parsed. */
  parsed = 0

  constructor(commands: PreparedCommands, readers: Readers, language: CommandLanguage) {
    this.language = language
    this.commands = commands
    this.readers = readers
    this.classOf = makeClassOf(commands)
  }

  /** The same text read in another language counts too. */
  include(other: CommandSession): void {
    this.found.push(...other.found)
    this.requests.push(...other.requests)
    this.unread ||= other.unread
  }

  /** No further command is read, because the budget is spent. */
  get exhausted(): boolean {
    return this.commandsRead > this.commands.limits.commandsMax
  }

  /** The content of a file that the same text writes. */
  textOf(file: CommandWord): string | undefined {
    return this.writtenFiles.size === 0 ? undefined : this.writtenFiles.get(normalizePath(file.value))
  }

  /** Stores incoming text in a file. */
  storeFile(file: CommandWord, { fetched, text }: Flow, append: boolean): void {
    const path = normalizePath(file.value)
    if (fetched) this.fetchedFiles.add(path)
    const before = append ? (this.writtenFiles.get(path) ?? "") : ""
    if (text !== undefined) this.writtenFiles.set(path, `${before}${text}\n`)
  }

  /** A file becomes a copy of another one. */
  copyFile(from: CommandWord, to: CommandWord, isSecret: boolean): void {
    const [source, target] = [normalizePath(from.value), normalizePath(to.value)]
    if (this.fetchedFiles.has(source)) this.fetchedFiles.add(target)
    const text = this.writtenFiles.get(source)
    if (text !== undefined) this.writtenFiles.set(target, text)
    if (isSecret) this.copiedSecrets.add(target)
  }

  /** A file that the same text has loaded from the network. */
  isFetched(word: CommandWord): boolean {
    return this.fetchedFiles.size > 0 && this.fetchedFiles.has(normalizePath(word.value))
  }
}

type Environment = ReadonlyMap<string, CommandWord>

/** The variables that a text sets. A variable has several values where paths through the text set it differently. */
export type Variables = Map<string, ReadonlyArray<CommandWord>>

/** A variable with more values also counts as unknown. */
export const valuesMax = 4

export const unknownValue: CommandWord = { value: "", raw: "", dynamicFrom: 0, flow: noFlow }

/** The classes that a relative path takes from the folder that the text entered. */
const carried: ReadonlySet<string> = new Set(["disposable", "root", "system", "device", "log"])

const isRelative = ({ dynamicFrom, value }: CommandWord): boolean =>
  dynamicFrom !== 0 && /^[\w.*?-][^:]*$/.test(value) && !/^\.\.(?:\/|$)/.test(value)

const isSameValue = (a: CommandWord, b: CommandWord): boolean =>
  a.value === b.value && a.dynamicFrom === b.dynamicFrom

/** The state of one shell, which its commands change one after the other. A subshell has a copy. */
export class ShellState {
  /** The folder that the text entered; undefined where it entered none, or one that is not known. */
  folder: string | undefined
  /** The variables of the environment that the text has set on every path to the command at hand. */
  environment: Environment | undefined
  /** The places that the commands of a list with `&&` have chosen for the next ones, by flag or variable. */
  chosen: Environment | undefined
  readonly variables: Variables
  /** The functions that the text of this shell defines. In it, a function comes before a program of its name. */
  readonly functions: Map<string, CallFunction>
  /** Those of them that the text has not called yet. */
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

  /** Sets a variable, which the following commands also find in their environment. */
  export(name: string, word: CommandWord): void {
    this.environment = new Map(this.environment).set(name, word)
  }

  /** Adds what another path through the text leaves behind. Only the variables keep the values of both. */
  merge({ folder, variables }: ShellState): void {
    if (folder !== this.folder) this.folder = undefined
    for (const [name, added] of variables) {
      const before = this.variables.get(name) ?? []
      // A list that differs by path is not known.
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

  /** The class of a path; in the folder that the text entered, if the class there says more. */
  readonly classOf: ClassOf = (word) => {
    const { classOf, copiedSecrets } = this.#session
    const isCopy = copiedSecrets.size > 0 && copiedSecrets.has(normalizePath(word.value))
    const own = isCopy ? "secret" : classOf(word)
    if (this.folder === undefined || !isRelative(word)) return own
    const there = classOf({ ...word, value: `${this.folder}/${word.value}` })
    return carried.has(there) ? there : own
  }

  /** Goes on in a folder. Without one, or into one that is not known, nothing is known of relative paths. */
  enter(folder: CommandWord | undefined): void {
    const isKnown = folder !== undefined && folder.dynamicFrom === undefined && folder.value !== "-"
    if (!isKnown) this.folder = undefined
    else if (!isRelative(folder)) this.folder = folder.value
    else if (this.folder !== undefined) this.folder = `${this.folder}/${folder.value}`
  }
}

/** Where a text begins. */
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

/** A text that another program runs by itself: nothing flows into it. */
export const apart = (context: Context): Context => ({
  ...context,
  stdin: noFlow,
  root: false,
  scheduled: false,
  depth: 0
})

/** Inside of a command or a construct, by default with the same input. */
export const nested = (context: Context, stdin: Flow = context.stdin): Context => ({
  ...context,
  stdin,
  depth: context.depth + 1
})

/** Where the program itself runs: its files are on that machine, and so are the commands that it hands to a shell. */
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

/** False when the text holds more commands, or deeper ones, than are read. */
export const mayGoOn = (context: Context): boolean => {
  const { commands, depth, session } = context
  if (session.commandsRead++ < commands.limits.commandsMax && depth <= commands.limits.nestingMax) return true
  if (!session.unread || session.found.length === 0) addNamed(context, "unreadText", "unread")
  session.unread = true
  return false
}

/** The first and the last of a long list. Leaving some out makes the text unread. */
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

/** False when this text, or all texts together, are too long to be parsed, or hold too many openings or separators. */
export const mayParse = (context: Context, text: string): boolean => {
  const { openingsMax, parsedMax, separatorsMax } = context.commands.limits
  const parsed = (context.session.parsed += text.length)
  const within = countUpTo(text, openings, openingsMax) && countUpTo(text, separators, separatorsMax)
  if (parsed <= parsedMax && within) return true
  addNamed(context, "unreadText", "unread")
  return false
}

/** Code out of this flow runs. True if the flow says where the code comes from. */
export const runsCodeFrom = (context: Context, { decoded, fetched }: Flow): boolean => {
  if (fetched) {
    const act = context.root ? "remoteCodeAsRoot" : "remoteCode"
    addNamed(context, context.scheduled ? "scheduledRemoteCode" : act, "remote_code")
  } else if (decoded) addNamed(context, "decodedCode", "decoded_code")
  return fetched || decoded
}

/** Reads a text that a command hands to a shell. */
export const readAsShell = (context: Context, text: string): Flow =>
  context.session.readers.shell(context, text)

/** Reads a command by its words. */
export const readCommandWords = (context: Context, words: ReadonlyArray<CommandWord>): Flow =>
  context.session.readers.words(context, words)
