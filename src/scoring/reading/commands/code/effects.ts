/** Finds the command equivalent to a function call, and matches dotted names. */

import type { ActionClass } from "../../../../domain/Action.ts"
import type { PreparedCommands } from "../Commands.ts"
import { formOfUnlisted } from "../matchProgram.ts"
import { type CommandWord, type Flow, globFits, noFlow, plainWord } from "../paths.ts"
import type {
  NamePatterns,
  PreparedCall,
  PreparedInterpreter,
  TemplateArgument,
  TemplateWord
} from "./Interpreters.ts"
import { type Given, laterWord, type Value } from "./values.ts"

const namePart = /^[A-Za-z$][\w$]*$/

/** A special part that gives access to other objects, such as `__class__`, matches only itself. */
const partFits = (pattern: string, part: string): boolean =>
  pattern === part || (namePart.test(part) && globFits(pattern, part))

const partsFit = (pattern: ReadonlyArray<string>, parts: ReadonlyArray<string>): boolean =>
  pattern.length === parts.length && pattern.every((part, i) => partFits(part, parts[i] ?? ""))

export const nameFits = ({ exact, patterns }: NamePatterns, name: string): boolean =>
  exact.has(name) || patterns.some((pattern) => partsFit(pattern, name.split(".")))

/** The class of the deed that a name names, such as `delete` for `users.removeAll`; undefined if it names none. */
export const deedOf = (path: string, commands: PreparedCommands): ActionClass | undefined => {
  const name = path.slice(path.lastIndexOf(".") + 1)
  const { removes, runs } = commands.codeWords
  if ([...runs, ...removes].some((glob) => globFits(glob, name))) return "execute"
  const words = name
    .replace(/^\W+/, "")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
  const named = formOfUnlisted(commands, plainWord("x"), words.map(plainWord), () => "plain")
  return named === undefined || named.act.impact === "moderate" ? undefined : named.act.class
}

/** The known calls for a name. */
const callsOf = ({ callPatterns, calls }: PreparedInterpreter, name: string): ReadonlyArray<PreparedCall> => {
  const exact = calls.get(name)
  if (exact !== undefined || callPatterns.length === 0) return exact ?? []
  const parts = name.split(".")
  return callPatterns.find(([pattern]) => partsFit(pattern, parts))?.[1] ?? []
}

/** The argument of a call; undefined if the call does not give it. */
const argumentOf = (
  { names, place }: TemplateArgument,
  { isOpen, named, values }: Given
): Value | undefined => {
  const byName = names.map((name) => named.get(name)).find((value) => value !== undefined)
  const found = byName ?? (place === undefined ? undefined : values[place])
  return found ?? (isOpen ? { word: laterWord() } : undefined)
}

const isMeant = ({ only }: PreparedCall, given: Given): boolean => {
  if (only === undefined) return true
  const value = argumentOf(only.argument, given)
  if (value === undefined) return false
  const { dynamicFrom, value: text } = value.word
  return dynamicFrom !== undefined || only.values.some((glob) => globFits(glob, text))
}

const wordsOfSpread = ({ items, word }: Value, isFirst: boolean): ReadonlyArray<CommandWord> => {
  if (items !== undefined) return items
  // A string instead of a list is a command line.
  return isFirst ? [plainWord("sh"), plainWord("-c"), word] : [word]
}

const wordsOf = (
  word: TemplateWord,
  isFirst: boolean,
  name: string,
  given: Given,
  owner: Value | undefined
): ReadonlyArray<CommandWord> => {
  switch (word.kind) {
    case "text":
      return [plainWord(word.text)]
    case "name":
      return [plainWord(name.slice(name.lastIndexOf(".") + 1))]
    case "object":
      return [owner?.from ?? owner?.word ?? laterWord()]
    case "argument": {
      const value = argumentOf(word, given)
      if (value === undefined) return word.isOptional ? [] : [laterWord()]
      return word.isSpread ? wordsOfSpread(value, isFirst) : [value.word]
    }
  }
}

/** The same call, with the chosen alternative for each argument. */
const withChoice = (given: Given, choice: number): Given => ({
  ...given,
  values: given.values.map((value) => {
    const word = value.choices?.[choice]
    return word === undefined ? value : { ...value, word }
  })
})

/** The command equivalent to a call, and its input. */
interface CommandOfCall {
  readonly words: ReadonlyArray<CommandWord>
  readonly stdin: Flow
}

/** The commands equivalent to a call: one, or one for each choice. Empty if the call has no known effect. */
export const commandsOfCall = (
  language: PreparedInterpreter,
  name: string,
  given: Given,
  owner: Value | undefined
): ReadonlyArray<CommandOfCall> => {
  const call = callsOf(language, name).find((one) => isMeant(one, given))
  if (call === undefined) return []
  const input = call.input === undefined ? undefined : argumentOf(call.input, given)?.word
  const text = input?.dynamicFrom === undefined ? input?.value : undefined
  const stdin = input === undefined ? noFlow : { ...input.flow, text }
  const choices = Math.max(1, ...given.values.map((value) => value.choices?.length ?? 1))
  return Array.from({ length: choices }, (_, choice) => {
    const chosen = choices === 1 ? given : withChoice(given, choice)
    return { words: call.command.flatMap((word, i) => wordsOf(word, i === 0, name, chosen, owner)), stdin }
  })
}
