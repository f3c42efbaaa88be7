/** Decides, by the words of a tool's name, whether the tool takes a command as its argument and in which language, or does what a program does. Also finds the command. */

import { isRecord } from "../../../json/json.ts"
import type { Act } from "../Act.ts"
import { globFits } from "./paths.ts"
import type { NameReading } from "../readName.ts"
import type { CommandLanguage } from "./CommandReading.ts"

interface TextTools {
  readonly brands: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly acts: ReadonlyArray<readonly [verbs: ReadonlySet<string>, objects: ReadonlySet<string>]>
}

/** Names of parameters, in lower case. */
interface CommandParameters {
  readonly command: ReadonlySet<string>
  readonly arguments: ReadonlySet<string>
  readonly beside: ReadonlySet<string>
  /**
   * The parameters that may accompany a command for a network device, such as the device. For other tools, a device is the thing to open.
   */
  readonly besideOfDevice: ReadonlySet<string>
  readonly deviceCommands: ReadonlyMap<string, unknown>
}

/** Tools that treat a path as some program would. */
export interface FileTools {
  /** The providers whose tools act on the local machine. */
  readonly providers: ReadonlySet<string>
  /** Words in names that add no meaning. */
  readonly fillers: ReadonlySet<string>
  /** Parameters for a path, in the order of the program's operands. */
  readonly keys: ReadonlyArray<string>
  /** `program`: with its flags. A tool fits if its name contains a verb and an object. */
  readonly programs: ReadonlyArray<{
    readonly program: string
    readonly verbs: ReadonlySet<string>
    readonly objects: ReadonlySet<string>
  }>
}

export interface CommandTools {
  /** Words, and patterns of words, in names of tools that take SQL. Most have no star, so a set lookup finds them. */
  readonly sqlWords: { readonly whole: ReadonlySet<string>; readonly globs: ReadonlyArray<string> }
  readonly sqlBeginnings: ReadonlySet<string>
  readonly resourceCut: number
  readonly commandMax: number
  /** The act of a command that is too long to read. */
  readonly tooLong: Act
  readonly carriers: ReadonlySet<string>
  readonly parameters: CommandParameters
  readonly textTools: TextTools
  /** Patterns of words. */
  readonly databases: ReadonlyArray<string>
  readonly shell: ReadonlySet<string>
  /** Word sequences, each with a space on both sides. */
  readonly device: { readonly sequences: ReadonlyArray<string>; readonly firstWords: ReadonlySet<string> }
  readonly fillers: ReadonlySet<string>
  /** Indexed by the possible names of a tool, without separators: `rediscli`, `redis`. */
  readonly programs: ReadonlyMap<string, string>
  /** The possible first words of a program's arguments. A program that accepts any text has no entry. */
  readonly firstWords: ReadonlyMap<string, ReadonlyArray<string>>
  readonly files: FileTools
}

/** Whether a tool only stores, sends, edits or searches a text. Every word of its name must be known for that. */
export const takesText = (words: ReadonlyArray<string>, { textTools }: CommandTools): boolean => {
  const rest = words.filter((word) => !textTools.brands.has(word))
  if (textTools.names.has(rest.join(""))) return true
  if (rest.length < 2) return false
  return textTools.acts.some(
    ([verbs, objects]) =>
      (verbs.has(rest[0] ?? "") && rest.slice(1).every((word) => objects.has(word))) ||
      (verbs.has(rest.at(-1) ?? "") && rest.slice(0, -1).every((word) => objects.has(word)))
  )
}

/** Whether a text looks like the arguments of a program. */
export const fitsProgram = (text: string, program: string, { firstWords }: CommandTools): boolean => {
  const known = firstWords.get(program)
  const first = text.trim().split(/\s/, 1)[0] ?? ""
  return known === undefined || first.startsWith("-") || known.some((glob) => globFits(glob, first))
}

/** The command language that a tool's name implies. */
export const promisedLanguage = (
  words: ReadonlyArray<string>,
  { device, shell, sqlWords: { globs, whole } }: CommandTools
): CommandLanguage | undefined => {
  // A quick test first, because few names contain the first word of any sequence.
  if (words.some((word) => device.firstWords.has(word))) {
    const name = ` ${words.join(" ")} `
    if (device.sequences.some((sequence) => name.includes(sequence))) return "device"
  }
  if (words.some((word) => shell.has(word))) return "shell"
  const isSql = words.some((word) => whole.has(word) || globs.some((glob) => globFits(glob, word)))
  return isSql ? "sql" : undefined
}

/**
 * Whether a tool that takes commands or statements has an act of its own: `console.delete_user` deletes a user, whatever a shell would make
 * of its argument; `execute_payment` pays, and `robot.send_command` moves a robot. `send_command` only passes a command on.
 */
export const doesMoreThanCarry = (
  { class: own, object, verb }: Pick<NameReading, "class" | "object" | "verb">,
  promised: CommandLanguage | undefined,
  { carriers }: CommandTools
): boolean => {
  if (promised === undefined) return false
  // For such an export, the query decides what is exported.
  if (own === "export" && promised === "sql") return false
  if (own === "transact" || (own === "actuate" && object !== undefined)) return true
  return own !== "execute" && verb !== undefined && !verb.split(" ").some((word) => carriers.has(word))
}

/** The program to which a tool passes its text: `aws_cli` means aws, `redis.command` means redis-cli. */
export const programOfTool = (
  words: ReadonlyArray<string>,
  { fillers, programs }: CommandTools
): string | undefined => {
  const whole = programs.get(words.join(""))
  if (whole !== undefined) return whole
  const rest = words.filter((word) => !fillers.has(word))
  return rest.every((word) => programs.has(word)) ? programs.get(rest.at(-1) ?? "") : undefined
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const isPlain = (words: string): boolean => /^[\w@%+=:,./\s-]+$/.test(words)

/** Quotes a word for a shell, if needed. */
export const shellWord = (word: string): string =>
  isPlain(word) && !/\s/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A word with a meaning of its own in a shell. Many tools join a list of words with spaces and pass the result to a shell. */
const operates = /^(?:[;&|<>`\n]|\d?>|\$\()/

/** After `sh -c`, the text is one word, whatever it contains. */
const takesScript = /(?:^|\s)(?:-[a-z]*c|\/c|-command)$/i

/** The words as a shell would receive them; undefined if that depends on the tool. */
const joined = (words: ReadonlyArray<string>): string | undefined =>
  words.length === 0 || words.some((word) => operates.test(word)) ? undefined : words.map(shellWord).join(" ")

const withArguments = (command: unknown, given: unknown): string | undefined => {
  const text = typeof command === "string" ? command : isTexts(command) ? joined(command) : undefined
  if (text === undefined || given === undefined) return text
  // After an open quote, a comment or an operator, further words would mean something else.
  if (!isPlain(text)) return undefined
  const behind = isTexts(given) ? joined(given) : typeof given === "string" ? given : undefined
  if (behind === undefined) return undefined
  const isScript = typeof given === "string" && takesScript.test(text)
  return `${text} ${isScript ? shellWord(given) : behind}`
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0)

const isScalar = (value: unknown): boolean => typeof value !== "object"

/** One line for a switch, with at most one filter. Also matches the name of a switch. */
const deviceLine =
  /^(?!.*(?::\/\/| export ))[\w .:/@"'-]+(?:\| (?:include|exclude|section|begin|match|count|no-more) ?[\w .:/@"'-]*)?$/
const deviceName = /^[\w.:@/-]{1,253}$/

/** The command in JSON arguments such as `{"command":"ls"}`. Undefined if there is none, or if another argument can change what runs. */
const inJson = (
  text: string,
  { arguments: words, beside, besideOfDevice, command, deviceCommands }: CommandParameters,
  isDevice: boolean
): string | undefined => {
  if (!text.trimStart().startsWith("{")) return undefined
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    // Text that only begins like JSON is not JSON.
    return undefined
  }
  if (!isRecord(given)) return undefined
  const stated = Object.entries(given).filter(([, value]) => !isNothing(value))
  const named = (names: ReadonlySet<string>) => stated.filter(([key]) => names.has(key.toLowerCase()))
  const [commands, lists] = [named(command), named(words)]
  const line = String(commands[0]?.[1]).trim()
  const isLine = isDevice && deviceLine.test(line) && deviceCommands.has(line.split(" ", 1)[0] ?? "")
  const others = stated.filter(([key, value]) => {
    const own = key.toLowerCase()
    const isPlace = isLine && besideOfDevice.has(own) && deviceName.test(String(value))
    return isScalar(value) && (beside.has(own) || isPlace)
  })
  const isWhole = commands.length + lists.length + others.length === stated.length
  return isWhole && commands.length === 1 && lists.length < 2
    ? withArguments(commands[0]?.[1], lists[0]?.[1])
    : undefined
}

const parameter = /^\s*(\w+)(\s?[=:]\s?)/
const inQuotes = /^(["'])([^"']*)\1/

/**
 * The command after its parameter's name. For a shell, `command=ls` is an assignment, and the text after it would run. So for a shell, only
 * `command: ls` introduces a command, or `command="ls -la"` with nothing after it.
 */
const inParameter = (
  text: string,
  { arguments: words, command }: CommandParameters,
  shell: boolean
): string | undefined => {
  const [found = "", key = "", sign = ""] = parameter.exec(text) ?? []
  const name = key.toLowerCase()
  if (!command.has(name) && (shell || !words.has(name))) return undefined
  const behind = text.slice(found.length)
  const [whole = "", , inner = ""] = inQuotes.exec(behind) ?? []
  const rest = behind.slice(whole.length)
  if (!shell || sign.trim() === ":") return inner + rest
  return whole !== "" && rest.trim() === "" ? inner : undefined
}

/** The command passed to a tool. With `shell` or `device`, the whole text may itself be the command. */
export const commandOf = (
  text: string,
  parameters: CommandParameters,
  language: "shell" | "device" | undefined
): string =>
  inJson(text, parameters, language === "device") ??
  inParameter(text, parameters, language !== undefined) ??
  text

/** A file tool: it does what a certain program does. */
export interface FileTool {
  /** With its flags. */
  readonly program: string
  /** Whether a path itself shows what the file is. For other paths, the tool's name and the words decide. */
  readonly knows: (path: string) => boolean
}

/** The program, with its flags, that is equivalent to a tool with this name. `provider`: undefined if no known provider has the tool. */
export const programOfFileTool = (
  words: ReadonlyArray<string>,
  provider: string | undefined,
  { fillers, programs, providers }: FileTools
): string | undefined => {
  if (provider !== undefined && !providers.has(provider)) return undefined
  return programs.find(
    ({ objects, verbs }) =>
      words.some((word) => verbs.has(word)) &&
      words.some((word) => objects.has(word)) &&
      words.every((word) => verbs.has(word) || objects.has(word) || fillers.has(word))
  )?.program
}

/** A single path: not a list, a phrase, parameters or a URL. */
const onePath = /^(?!\w{2,}:|[[{])(?:[^\s=,;]+|(?:[~./\\]|[a-z]:)[^\n=,;]*)$/i

/** The equivalent command line for these paths. Undefined if none of them is recognized. */
export const fileCommand = ({ knows, program }: FileTool, paths: ReadonlyArray<string>): string | undefined =>
  paths.some(knows) && paths.every((path) => onePath.test(path))
    ? [program, ...paths.map(shellWord)].join(" ")
    : undefined
