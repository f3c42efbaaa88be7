/** Which tools take a command as their argument, and in which language, or do what a program does, by the words of their names. Also finds the command. */

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
  /** The same for a command that a switch or a router knows: elsewhere, a device is the thing to open. */
  readonly besideOfDevice: ReadonlySet<string>
  readonly deviceCommands: ReadonlyMap<string, unknown>
}

/** Tools that do with a path what a program does. */
export interface FileTools {
  /** The providers whose tools act on this machine. */
  readonly providers: ReadonlySet<string>
  /** Words in names that say nothing more. */
  readonly fillers: ReadonlySet<string>
  /** Parameters for a path, in the order in which a program takes the paths. */
  readonly keys: ReadonlyArray<string>
  /** `program`: with its flags. A tool fits if its name has a verb and an object. */
  readonly programs: ReadonlyArray<{
    readonly program: string
    readonly verbs: ReadonlySet<string>
    readonly objects: ReadonlySet<string>
  }>
}

export interface CommandTools {
  /** Words, and patterns of words, in names of tools that take SQL. Most have no star, so that a set finds them. */
  readonly sqlWords: { readonly whole: ReadonlySet<string>; readonly globs: ReadonlyArray<string> }
  readonly sqlBeginnings: ReadonlySet<string>
  readonly resourceCut: number
  readonly commandMax: number
  /** The act of a command that is too long to be read. */
  readonly tooLong: Act
  readonly carriers: ReadonlySet<string>
  readonly parameters: CommandParameters
  readonly textTools: TextTools
  /** Patterns of words. */
  readonly databases: ReadonlyArray<string>
  readonly shell: ReadonlySet<string>
  /** Each with a blank on both sides. */
  readonly device: { readonly sequences: ReadonlyArray<string>; readonly firstWords: ReadonlySet<string> }
  readonly fillers: ReadonlySet<string>
  /** By the possible names of a tool, without separators: `rediscli`, `redis`. */
  readonly programs: ReadonlyMap<string, string>
  /** The possible first words of a program's arguments. Programs that are given any text have no entry. */
  readonly firstWords: ReadonlyMap<string, ReadonlyArray<string>>
  readonly files: FileTools
}

/** Whether a tool only keeps, sends, edits or looks for a text. Each word of its name must be known to say so. */
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

/** Whether a text is written like the arguments of a program. */
export const fitsProgram = (text: string, program: string, { firstWords }: CommandTools): boolean => {
  const known = firstWords.get(program)
  const first = text.trim().split(/\s/, 1)[0] ?? ""
  return known === undefined || first.startsWith("-") || known.some((glob) => globFits(glob, first))
}

/** The language that the name of a tool promises. */
export const promisedLanguage = (
  words: ReadonlyArray<string>,
  { device, shell, sqlWords: { globs, whole } }: CommandTools
): CommandLanguage | undefined => {
  // Few names have a word that one of these sequences begins with.
  if (words.some((word) => device.firstWords.has(word))) {
    const name = ` ${words.join(" ")} `
    if (device.sequences.some((sequence) => name.includes(sequence))) return "device"
  }
  if (words.some((word) => shell.has(word))) return "shell"
  const isSql = words.some((word) => whole.has(word) || globs.some((glob) => globFits(glob, word)))
  return isSql ? "sql" : undefined
}

/**
 * Whether a tool that takes commands or statements names an act of its own: `console.delete_user` deletes a user, whatever a shell
 * would make of its argument, `execute_payment` pays, and `robot.send_command` moves a robot. `send_command` only carries a command.
 */
export const doesMoreThanCarry = (
  { class: own, object, verb }: Pick<NameReading, "class" | "object" | "verb">,
  promised: CommandLanguage | undefined,
  { carriers }: CommandTools
): boolean => {
  if (promised === undefined) return false
  // The query of such an export says what is taken out.
  if (own === "export" && promised === "sql") return false
  if (own === "transact" || (own === "actuate" && object !== undefined)) return true
  return own !== "execute" && verb !== undefined && !verb.split(" ").some((word) => carriers.has(word))
}

/** The program that a tool hands its text to: `aws_cli` to aws, `redis.command` to redis-cli. */
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

/** A word as a shell has to be given it. */
export const shellWord = (word: string): string =>
  isPlain(word) && !/\s/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A word that a shell would not take for one: many tools join the words of a list with blanks, and give them to a shell. */
const operates = /^(?:[;&|<>`\n]|\d?>|\$\()/

/** `sh -c`: the text after it is one word, whatever it holds. */
const takesScript = /(?:^|\s)(?:-[a-z]*c|\/c|-command)$/i

/** Words as a shell is given them; undefined where that depends on the tool. */
const joined = (words: ReadonlyArray<string>): string | undefined =>
  words.length === 0 || words.some((word) => operates.test(word)) ? undefined : words.map(shellWord).join(" ")

const withArguments = (command: unknown, given: unknown): string | undefined => {
  const text = typeof command === "string" ? command : isTexts(command) ? joined(command) : undefined
  if (text === undefined || given === undefined) return text
  // After a quote, a comment or an operator, words would change their meaning.
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

/** One line for a switch, with at most one filter. Also the name of a switch. */
const deviceLine =
  /^(?!.*(?::\/\/| export ))[\w .:/@"'-]+(?:\| (?:include|exclude|section|begin|match|count|no-more) ?[\w .:/@"'-]*)?$/
const deviceName = /^[\w.:@/-]{1,253}$/

/** The command in arguments as JSON, `{"command":"ls"}`. Undefined if there is none, or if another argument can change what runs. */
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
    // A text that only begins like JSON is no JSON.
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
 * The command after the name of its parameter. To a shell, `command=ls` is an assignment, and the text after it runs. So for a shell
 * only `command: ls` names a command, and `command="ls -la"` if no text follows it.
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

/** The command that a tool is given. `shell`, `device`: a shell or a switch could be given the text unchanged. */
export const commandOf = (
  text: string,
  parameters: CommandParameters,
  language: "shell" | "device" | undefined
): string =>
  inJson(text, parameters, language === "device") ??
  inParameter(text, parameters, language !== undefined) ??
  text

/** A tool for files: it does what a program does. */
export interface FileTool {
  /** With its flags. */
  readonly program: string
  /** Whether the path itself says what the file is. For another path, the name of the tool and the words count. */
  readonly knows: (path: string) => boolean
}

/** The program that does what a tool with such a name does, with its flags. `provider`: undefined if no known one has the tool. */
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

/** One path, and no list of them, no words about it, no parameters and no address. */
const onePath = /^(?!\w{2,}:|[[{])(?:[^\s=,;]+|(?:[~./\\]|[a-z]:)[^\n=,;]*)$/i

/** The call of the program on these paths. Undefined if none of them is known. */
export const fileCommand = ({ knows, program }: FileTool, paths: ReadonlyArray<string>): string | undefined =>
  paths.some(knows) && paths.every((path) => onePath.test(path))
    ? [program, ...paths.map(shellWord)].join(" ")
    : undefined
