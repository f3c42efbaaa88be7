/** The values of `$x` and `${x…}` in a shell text, to the extent that the text itself sets them. */

import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash"
import { type Context, nested, type Variables } from "../Context.ts"
import { type CommandWord, globFits, plainWord } from "../paths.ts"

/** The internal name for the words of an array. No variable can have this name. */
export const arrayNamed = (name: string): string => `${name}[@]`

/** The internal name for an element of an array or associative array. */
export const elementNamed = (name: string, key: string): string => `${name}[${key}]`

/** The internal name that marks a read-only variable. */
export const readOnlyNamed = (name: string): string => `${name}[readonly]`

/** The internal name for the target of a reference: `y` in `declare -n x=y`. */
export const referenceNamed = (name: string): string => `${name}[reference]`

/** The words of a function call: `$1`, `$@`. */
export const positional = arrayNamed("@")

/** The last value of a variable. Undefined if the text does not set it. */
export const valueOf = ({ choice, shell: { variables } }: Context, name: string): CommandWord | undefined => {
  const words = /^[1-9]$/.test(name) ? variables.get(positional) : undefined
  if (words !== undefined) return words[Number(name) - 1] ?? plainWord("")
  const values = variables.get(variables.get(referenceNamed(name))?.[0]?.value ?? name)
  return values?.[choice % values.length]
}

const elementOf = (variables: Variables, name: string, { dynamicFrom, value }: CommandWord) => {
  if (dynamicFrom !== undefined) return undefined
  return variables.get(elementNamed(name, value))?.[0] ?? variables.get(arrayNamed(name))?.[Number(value)]
}

type Expand = (word: Word) => CommandWord

/** `${x#pattern}`, `${x%%pattern}`: the text without the shortest or longest match at its beginning or end. */
const removed = (text: string, pattern: string, operator: string): string | undefined => {
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length)
  const isEnd = operator.startsWith("%")
  const found = (operator.length === 2 ? lengths.toReversed() : lengths).find((length) =>
    globFits(pattern, isEnd ? text.slice(text.length - length) : text.slice(0, length))
  )
  if (found === undefined) return text
  return isEnd ? text.slice(0, text.length - found) : text.slice(found)
}

const replaced = (text: string, pattern: string, by: string, operator: string): string | undefined => {
  if (pattern === "" || /[*?[\]]/.test(pattern)) return undefined
  switch (operator) {
    case "//":
      return text.replaceAll(pattern, () => by)
    case "/#":
      return text.startsWith(pattern) ? by + text.slice(pattern.length) : text
    case "/%":
      return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text
    default:
      return text.replace(pattern, () => by)
  }
}

const inCase = (text: string, operator: string): string => {
  const change = (part: string): string =>
    operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase()
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1)
}

/** The changed text. Undefined if it is known only at run time. */
const changedBy = (text: string, operation: ParameterOperation, expand: Expand): string | undefined => {
  const literal = (word: Word): string | undefined => {
    const { dynamicFrom, value } = expand(word)
    return dynamicFrom === undefined ? value : undefined
  }
  switch (operation.type) {
    case "Remove": {
      const pattern = literal(operation.operand)
      return pattern === undefined ? undefined : removed(text, pattern, operation.operator)
    }
    case "Replace": {
      const [pattern, by] = [literal(operation.pattern), literal(operation.replacement)]
      return pattern === undefined || by === undefined
        ? undefined
        : replaced(text, pattern, by, operation.operator)
    }
    case "Slice": {
      const from = Number(literal(operation.offset) ?? Number.NaN)
      const length =
        operation.length === undefined ? text.length : Number(literal(operation.length) ?? Number.NaN)
      if (!Number.isInteger(from) || !Number.isInteger(length)) return undefined
      const rest = text.slice(from)
      return length < 0 ? rest.slice(0, length) : rest.slice(0, length)
    }
    case "CaseModification":
      return operation.operand === undefined ? inCase(text, operation.operator) : undefined
    default:
      return undefined
  }
}

/** The value of `${x…}`. Undefined if it is known only at run time. `expand` reads a word of the expansion, including commands in it. */
export const parameterValue = (
  context: Context,
  { index, operation, parameter, prefix }: ParameterExpansionPart,
  expand: Expand
): CommandWord | undefined => {
  const { session, shell } = context
  if (prefix === "#") return undefined
  const named =
    index === undefined ? valueOf(context, parameter) : elementOf(shell.variables, parameter, expand(index))
  const isKnown = named !== undefined && named.dynamicFrom === undefined
  const value = prefix === "!" ? (isKnown ? valueOf(context, named.value) : undefined) : named
  if (operation === undefined) return value
  if (operation.type === "Default") {
    if (operation.operator.endsWith("?")) return value
    if (operation.operator.endsWith("+")) return expand(operation.operand)
    const isEmpty =
      operation.operator.startsWith(":") && value?.value === "" && value.dynamicFrom === undefined
    if (value !== undefined && !isEmpty) return value
    const otherwise = expand(operation.operand)
    if (operation.operator.endsWith("=")) shell.variables.set(parameter, [otherwise])
    return otherwise
  }
  const { pathLengthMax } = context.commands.limits
  if (value === undefined || value.dynamicFrom !== undefined || value.value.length > pathLengthMax)
    return undefined
  // `${x@P}` executes commands in the value.
  if (operation.type === "Transform" && operation.operand.value === "P")
    session.readers.shell(nested(context), `: "${value.value.replaceAll('"', '\\"')}"`)
  const text = changedBy(value.value, operation, expand)
  return text === undefined ? undefined : { ...value, value: text, raw: text }
}
