/** The variables that a shell text sets by assignments, declarations, and commands such as `read`, `mapfile` and `set --`. */

import type { ArrayValue, Assignment, Command } from "unbash"
import { addNamed, type Context, unknownValue, valuesMax } from "../Context.ts"
import { type CommandWord, expandBraces, plainWord, printsText } from "../paths.ts"
import { arrayNamed, elementNamed, positional, readOnlyNamed, referenceNamed } from "./parameters.ts"
import { expandWord } from "./words.ts"
import { readSetVariable } from "../sideEffects/reaches.ts"

/** `x=(a b)`, `x=([key]=a)` */
const assignList = (context: Context, name: string, { elements }: ArrayValue, append: boolean): void => {
  const { variables } = context.shell
  const words = elements.flatMap((one) => expandWord(context, one))
  for (const word of words) {
    const [, key, value] = /^\[([^\]]+)\]=([^]*)$/.exec(word.value) ?? []
    if (key !== undefined && value !== undefined && word.dynamicFrom === undefined)
      variables.set(elementNamed(name, key), [{ ...word, value }])
  }
  const before = append ? (variables.get(arrayNamed(name)) ?? []) : []
  variables.set(arrayNamed(name), [...before, ...words])
}

export const assign = (context: Context, { append, index, name, value }: Assignment): void => {
  const { commands, shell } = context
  if (shell.variables.has(readOnlyNamed(name))) return
  if (index !== undefined) expandWord(context, index)
  if (commands.runsVariables.has(name)) addNamed(context, "evalCode", "variable.set")
  const words = value.type === "Word" ? expandWord(context, value) : []
  const [word] = words
  if (value.type !== "Word") assignList(context, name, value, append === true)
  const isKnown = word !== undefined && append !== true
  // `declare x={a,b}` expands the braces, but a text for another shell keeps them.
  const values = words.flatMap((one) => [...new Set([one, ...expandBraces(one)])])
  shell.variables.set(name, isKnown ? values : [unknownValue])
  if (word === undefined) return
  shell.export(name, word)
  readSetVariable(context, name, word)
}

export const declares = new Set(["export", "declare", "local", "readonly", "typeset"])

/** `readonly x`, `declare -r x`: the shell rejects every later value. `declare -n x=y`: `x` becomes another name for `y`. */
export const markDeclared = ({ shell: { variables } }: Context, { args, name, suffix }: Command): void => {
  const has = (flag: RegExp): boolean => args.some(({ text }) => flag.test(text))
  if (has(/^-[a-zA-Z]*n/))
    for (const item of suffix)
      if (item.type === "Assignment")
        variables.set(referenceNamed(item.name), variables.get(item.name) ?? [unknownValue])
  if (name?.value !== "readonly" && !has(/^-[a-zA-Z]*r/)) return
  for (const item of suffix) if (item.type === "Assignment") variables.set(readOnlyNamed(item.name), [])
  for (const { text } of args) if (variables.has(text)) variables.set(readOnlyNamed(text), [])
}

type Words = ReadonlyArray<CommandWord>

const isFlag = ({ value }: CommandWord): boolean => /^-[a-zA-Z]/.test(value)

const set = ({ shell: { variables } }: Context, name: string, values: Words): void => {
  if (!variables.has(readOnlyNamed(name))) variables.set(name, values.length === 0 ? [unknownValue] : values)
}

/** The lines of the input. Undefined if they are known only at run time. */
const linesOf = ({ stdin: { lines, text } }: Context): ReadonlyArray<string> | undefined => {
  const known = text?.replace(/\n$/, "").split("\n") ?? lines
  return known === undefined || known.length > valuesMax ? undefined : known
}

/** `read a b`: each name gets one word of a line, and the last name the rest. In a loop, each line is read. */
const readLine = (context: Context, words: Words): void => {
  const names = words.filter((word) => !isFlag(word)).map(({ value }) => value)
  const lines = linesOf(context) ?? []
  const own = names.length === 0 ? ["REPLY"] : names
  for (const [at, name] of own.entries()) {
    const values = lines.map((line) => {
      const fields = line.trim().split(/\s+/)
      return plainWord((at === own.length - 1 ? fields.slice(at) : fields.slice(at, at + 1)).join(" "))
    })
    set(context, name, values)
  }
}

const readLines = (context: Context, words: Words): void => {
  const name = words.findLast((word) => !isFlag(word))?.value ?? "MAPFILE"
  const lines = context.stdin.text?.replace(/\n$/, "").split("\n")
  set(context, arrayNamed(name), lines?.map(plainWord) ?? [])
}

const printInto = (context: Context, [flag, name, ...printed]: Words): void => {
  if (flag?.value !== "-v" || name === undefined) return
  const { text } = printsText(printed)
  set(context, name.value, text === undefined ? [] : [plainWord(text)])
}

/** Sets the variables that a command sets through its words. */
export const setByWords = (context: Context, [name, ...words]: Words): void => {
  const { variables } = context.shell
  switch (name?.value) {
    case "read":
      return readLine(context, words)
    case "mapfile":
    case "readarray":
      return readLines(context, words)
    case "printf":
      return printInto(context, words)
    case "set":
      if (words[0]?.value === "--") variables.set(positional, words.slice(1))
      return
    case "shift":
      variables.set(positional, variables.get(positional)?.slice(1) ?? [unknownValue])
  }
}
