/** The commands of a shell that set variables: `read`, `printf -v`, `mapfile`, `set --`, `shift`. */

import { type Context, unknownValue, valuesMax } from "./Context.ts"
import { type CommandWord, plainWord, printsText } from "./paths.ts"
import { arrayNamed, positional, readOnlyNamed } from "./shellParameters.ts"

type Words = ReadonlyArray<CommandWord>

const isFlag = ({ value }: CommandWord): boolean => /^-[a-zA-Z]/.test(value)

const set = ({ shell: { variables } }: Context, name: string, values: Words): void => {
  if (!variables.has(readOnlyNamed(name))) variables.set(name, values.length === 0 ? [unknownValue] : values)
}

/** The lines of the input. Undefined: they only exist when the command runs. */
const linesOf = ({ stdin: { text } }: Context): ReadonlyArray<string> | undefined => {
  if (text === undefined) return undefined
  const lines = text.replace(/\n$/, "").split("\n")
  return lines.length > valuesMax ? undefined : lines
}

/** `read a b`: each name has one word of a line, and the last one the rest. A loop reads each line. */
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

/** Sets the variables that a command sets by its words. */
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
