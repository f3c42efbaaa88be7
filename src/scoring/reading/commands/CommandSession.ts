/** The state that the readers of one text share: the knowledge of commands, the acts found so far, and the budget that bounds the time. */

import { type Act, type CommandAct, type NamedAct, remotely } from "../Act.ts"
import type { PreparedCommands } from "./Commands.ts"
import { type ClassOf, type CommandWord, type Flow, makeClassOf, normalizePath, noFlow } from "./paths.ts"

export type CommandLanguage = "shell" | "device" | "sql" | "any"

/** The circumstances in which a command runs. */
export interface Context {
  readonly stdin: Flow
  /** It runs as the administrator. */
  readonly root: boolean
  /** It runs again and again by a schedule. */
  readonly scheduled: boolean
  /** How many commands and constructs of a shell it is inside of. */
  readonly depth: number
}

export const outermost: Context = { stdin: noFlow, root: false, scheduled: false, depth: 0 }

export interface HttpRequest {
  readonly method: string
  readonly url: string
  /** The body that is sent, as far as the text has it. */
  readonly body: string
}

export interface CommandReading {
  /** Riskiest first. `command` names program and verb in our words: it contains no text of the caller. */
  readonly acts: ReadonlyArray<ReadAct>
  /** A part was not understood: an unknown program, code of another language, a text that only exists when the command runs. */
  readonly unread: boolean
  /** Requests that it sends to other hosts. */
  readonly requests: ReadonlyArray<HttpRequest>
}

/** Characters of a text, `[pos, end)`. */
export interface Span {
  readonly pos: number
  readonly end: number
}

export interface FoundAct {
  readonly command: string
  readonly act: CommandAct
  /** The line of knowledge: a program with a form as its file writes it, or the name of an act of `commands.json`. */
  readonly line: string
}

/** An act with the command of the outermost text that does it. Undefined: all of the text. */
interface LocatedAct extends FoundAct {
  readonly span: Span | undefined
}

export type ReadAct = Act & Omit<LocatedAct, "act">

export interface Readers {
  readonly shell: (session: CommandSession, text: string, context: Context) => Flow
  readonly powerShell: (session: CommandSession, text: string, context: Context) => Flow
  readonly sql: (session: CommandSession, text: string) => void
  readonly mongo: (session: CommandSession, text: string) => void
  /** A command by its words. */
  readonly words: (session: CommandSession, words: ReadonlyArray<CommandWord>, context: Context) => Flow
}

/** The classes that a relative path takes from the folder that the text entered. */
const carried: ReadonlySet<string> = new Set(["disposable", "root", "system", "device", "log"])

const isRelative = ({ dynamicFrom, value }: CommandWord): boolean =>
  dynamicFrom !== 0 && /^[\w.*?-][^:]*$/.test(value) && !/^\.\.(?:\/|$)/.test(value)

const openings = /\$\(|`|<<|[<>]\(|\$\{/g
const separators = /[;|&]/g

const countUpTo = (text: string, pattern: RegExp, max: number): boolean => {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count > max) return false
  return true
}

export class CommandSession {
  readonly commands: PreparedCommands
  readonly readers: Readers
  readonly language: CommandLanguage
  /** The folder that the text entered; undefined where it entered none, or one that is not known. */
  folder: string | undefined
  /** The variables of the environment that the text has set on every path to the command at hand: one can name a place. */
  variables: ReadonlyMap<string, CommandWord> = new Map()
  /** The command at hand, in the outermost text. */
  span: Span | undefined
  /** The command at hand acts on another machine or service that may be production. */
  isRemote = false
  readonly found: Array<LocatedAct> = []
  /** Requests to other hosts, for a reader that knows what their addresses mean. */
  readonly requests: Array<HttpRequest> = []
  readonly functions = new Set<string>()
  readonly fetchedFiles = new Set<string>()
  /** The contents of files that the text itself writes, by path. */
  readonly writtenFiles = new Map<string, string>()
  unread = false
  /** The steps that parsers of code have taken. */
  codeSteps = 0
  /** Files that the text has made copies or links of secrets. */
  readonly #copiedSecrets = new Set<string>()
  readonly #classOf: ClassOf
  #spent = 0
  #parsed = 0

  constructor(commands: PreparedCommands, readers: Readers, language: CommandLanguage) {
    this.language = language
    this.commands = commands
    this.readers = readers
    this.#classOf = makeClassOf(commands)
  }

  /** `command` names the program and the verb, never the caller's words. */
  add(command: string, act: CommandAct, line = command): void {
    this.found.push({ command, act: this.isRemote ? remotely(act) : act, line, span: this.span })
    if (act.unread) this.unread = true
  }

  /** The same text read in another language counts too. */
  include(other: CommandSession): void {
    this.found.push(...other.found)
    this.requests.push(...other.requests)
    this.unread ||= other.unread
  }

  addNamed(name: NamedAct, command: string): void {
    this.add(command, this.commands.acts[name], name)
  }

  /** No further command is read, because the budget is spent. */
  get exhausted(): boolean {
    return this.#spent > this.commands.limits.commandsMax
  }

  /** False when the text holds more commands, or deeper ones, than are read. */
  mayGoOn(context: Context): boolean {
    if (this.#spent++ < this.commands.limits.commandsMax && context.depth <= this.commands.limits.nestingMax)
      return true
    if (!this.unread || this.found.length === 0) this.addNamed("unreadText", "unread")
    this.unread = true
    return false
  }

  /** The first and the last of a long list. Leaving some out makes the text unread. */
  firstAndLast<A>(list: ReadonlyArray<A>): ReadonlyArray<A> {
    const { wordsMax } = this.commands.limits
    if (list.length <= wordsMax) return list
    this.addNamed("unreadText", "unread")
    return [...list.slice(0, wordsMax >> 1), ...list.slice(-(wordsMax >> 1))]
  }

  /** False when this text, or all texts together, are too long to be parsed, or hold too many openings or separators. */
  mayParse(text: string): boolean {
    const { parsedMax, openingsMax, separatorsMax } = this.commands.limits
    this.#parsed += text.length
    const within = countUpTo(text, openings, openingsMax) && countUpTo(text, separators, separatorsMax)
    if (this.#parsed <= parsedMax && within) return true
    this.addNamed("unreadText", "unread")
    return false
  }

  /** Code out of this flow runs. True if the flow says where the code comes from. */
  runsCodeFrom(flow: Flow, context: Context): boolean {
    if (flow.fetched) {
      const act = context.root ? "remoteCodeAsRoot" : "remoteCode"
      this.addNamed(context.scheduled ? "scheduledRemoteCode" : act, "remote_code")
    } else if (flow.decoded) this.addNamed("decodedCode", "decoded_code")
    return flow.fetched || flow.decoded
  }

  /** The content of a file that the same text writes. */
  textOf(file: CommandWord): string | undefined {
    return this.writtenFiles.size === 0 ? undefined : this.writtenFiles.get(normalizePath(file.value))
  }

  /** The class of a path; in the folder that the text entered, if the class there says more. */
  readonly classOf: ClassOf = (word) => {
    const isCopy = this.#copiedSecrets.size > 0 && this.#copiedSecrets.has(normalizePath(word.value))
    const own = isCopy ? "secret" : this.#classOf(word)
    if (this.folder === undefined || !isRelative(word)) return own
    const there = this.#classOf({ ...word, value: `${this.folder}/${word.value}` })
    return carried.has(there) ? there : own
  }

  /** Goes on in a folder. Without one, or into one that is not known, nothing is known of relative paths. */
  enter(folder: CommandWord | undefined): void {
    const isKnown = folder !== undefined && folder.dynamicFrom === undefined && folder.value !== "-"
    if (!isKnown) this.folder = undefined
    else if (!isRelative(folder)) this.folder = folder.value
    else if (this.folder !== undefined) this.folder = `${this.folder}/${folder.value}`
  }

  /** Reads a part of a command that takes effect on this machine: `curl -o file`. */
  locally<A>(read: () => A): A {
    const { isRemote } = this
    this.isRemote = false
    const result = read()
    this.isRemote = isRemote
    return result
  }

  /** Stores incoming text in a file. */
  storeFile(file: CommandWord, { fetched, text }: Flow, append: boolean): void {
    const path = normalizePath(file.value)
    if (fetched) this.fetchedFiles.add(path)
    const before = append ? (this.writtenFiles.get(path) ?? "") : ""
    if (text !== undefined) this.writtenFiles.set(path, `${before}${text}\n`)
  }

  /** A file becomes a copy of another one. */
  copyFile(from: CommandWord, to: CommandWord): void {
    const [source, target] = [normalizePath(from.value), normalizePath(to.value)]
    if (this.fetchedFiles.has(source)) this.fetchedFiles.add(target)
    const text = this.writtenFiles.get(source)
    if (text !== undefined) this.writtenFiles.set(target, text)
    if (this.classOf(from) === "secret") this.#copiedSecrets.add(target)
  }

  /** A file that the same text has loaded from the network. */
  isFetched(word: CommandWord): boolean {
    return this.fetchedFiles.size > 0 && this.fetchedFiles.has(normalizePath(word.value))
  }
}
