/** A command in the arguments of a tool: as JSON, `{"command":"ls"}`, or behind the name of its parameter, `command=plan`. */

import { isRecord } from "../../../json/json.ts"
import type { CommandParameters } from "./commandTools.ts"

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const isPlain = (words: string): boolean => /^[\w@%+=:,./\s-]+$/.test(words)

const quoted = (word: string): string =>
  isPlain(word) && !/\s/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A word that a shell would not take for one: many tools join the words of a list with blanks, and give them to a shell. */
const operates = /^(?:[;&|<>`\n]|\d?>|\$\()/

/** `sh -c`: the text behind it is one word, whatever it holds. */
const takesScript = /(?:^|\s)(?:-[a-z]*c|\/c|-command)$/i

/** Words as a shell is given them; undefined where it depends on the tool what they are. */
const joined = (words: ReadonlyArray<string>): string | undefined =>
  words.length === 0 || words.some((word) => operates.test(word)) ? undefined : words.map(quoted).join(" ")

const withArguments = (command: unknown, given: unknown): string | undefined => {
  const text = typeof command === "string" ? command : isTexts(command) ? joined(command) : undefined
  if (text === undefined || given === undefined) return text
  // Behind a quote, a comment or an operator words would not be what they are.
  if (!isPlain(text)) return undefined
  const behind = isTexts(given) ? joined(given) : typeof given === "string" ? given : undefined
  if (behind === undefined) return undefined
  const isScript = typeof given === "string" && takesScript.test(text)
  return `${text} ${isScript ? quoted(given) : behind}`
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0)

const isScalar = (value: unknown): boolean => typeof value !== "object"

/** The command in the arguments of a tool as JSON. Undefined where there is none, or more in them that can change what runs. */
const inJson = (
  text: string,
  { arguments: words, beside, command }: CommandParameters
): string | undefined => {
  if (!text.trimStart().startsWith("{")) return undefined
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    // What only begins like JSON is a text.
    return undefined
  }
  if (!isRecord(given)) return undefined
  const stated = Object.entries(given).filter(([, value]) => !isNothing(value))
  const named = (names: ReadonlySet<string>) => stated.filter(([key]) => names.has(key.toLowerCase()))
  const [commands, lists] = [named(command), named(words)]
  const others = named(beside).filter(([, value]) => isScalar(value))
  const isWhole = commands.length + lists.length + others.length === stated.length
  return isWhole && commands.length === 1 && lists.length < 2
    ? withArguments(commands[0]?.[1], lists[0]?.[1])
    : undefined
}

const parameter = /^\s*(\w+)(\s?[=:]\s?)/
const inQuotes = /^(["'])([^"']*)\1/

/**
 * The command behind the name of its parameter. To a shell `command=ls` is an assignment, and what stands behind it runs: there
 * only `command: ls` is one, and `command="ls -la"` where nothing stands behind it.
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

/** The command that a tool is given. `shell`: in a text that a shell could be given as it stands. */
export const commandOf = (text: string, parameters: CommandParameters | undefined, shell: boolean): string =>
  parameters === undefined ? text : (inJson(text, parameters) ?? inParameter(text, parameters, shell) ?? text)
