/** The words of a shell text as the shell would hand them on: its expansions, and the variables that the text itself sets. */

import { forEachChild, type Script, type SyntaxNode, type Word, type WordPart } from "unbash"
import type { CommandSession, Context } from "./CommandSession.ts"
import {
  type CommandWord,
  expandBraces,
  type Flow,
  joinFlows,
  noFlow,
  outputOf,
  withoutQuotes,
  withoutText
} from "./paths.ts"

/** The variables that the text itself sets. A variable has several values where paths through the text set it differently. */
type Variables = Map<string, ReadonlyArray<CommandWord>>

export interface Walk {
  readonly session: CommandSession
  /** It walks the text that the call states, not a text that one of its commands hands on. */
  readonly isOutermost: boolean
  readonly variables: Variables
  /** The index of the value that counts, for variables with several. */
  readonly choice: number
  /** Reads the script of a substitution. */
  readonly readScript: (walk: Walk, script: Script, context: Context) => Flow
}

export const unknownValue: CommandWord = { value: "", raw: "", dynamicFrom: 0, flow: noFlow }

/** A variable with more values also counts as unknown. */
export const valuesMax = 4

/** The words of an array have a name that no variable has. */
export const arrayNamed = (name: string): string => `${name}[@]`

/** The mark of a variable that keeps its value. */
export const readOnlyNamed = (name: string): string => `${name}[readonly]`

const isSameValue = (a: CommandWord, b: CommandWord): boolean =>
  a.value === b.value && a.dynamicFrom === b.dynamicFrom

/** Adds the values that another path gives to variables. */
const mergeInto = (variables: Variables, path: Variables): void => {
  for (const [name, added] of path) {
    const before = variables.get(name) ?? []
    const values = [...before]
    // A list that differs by path is not known.
    if (name.endsWith("]")) {
      const isSame =
        before.length === added.length && before.every((one, i) => isSameValue(one, added[i] ?? one))
      variables.set(name, isSame ? added : [unknownValue])
      continue
    }
    for (const value of added) if (!values.some((other) => isSameValue(other, value))) values.push(value)
    variables.set(name, values.length > valuesMax ? [...values.slice(0, valuesMax), unknownValue] : values)
  }
}

/** Reads commands that run on some paths only. */
export const readPerhaps = (walk: Walk, read: (inner: Walk) => Flow): Flow => {
  const path: Variables = new Map(walk.variables)
  const { folder, variables } = walk.session
  const flow = read({ ...walk, variables: path })
  mergeInto(walk.variables, path)
  walk.session.variables = variables
  if (walk.session.folder !== folder) walk.session.folder = undefined
  return flow
}

/** Reads commands of a subshell, which leaves no variables and no folder behind. */
export const readApart = (walk: Walk, read: (inner: Walk) => Flow): Flow => {
  const { folder, variables } = walk.session
  const flow = read({ ...walk, variables: new Map(walk.variables) })
  walk.session.folder = folder
  walk.session.variables = variables
  return flow
}

interface Piece {
  value: string
  dynamicFrom: number | undefined
  flow: Flow
}

const wellKnown = /^\$\{?(?:HOME|TMPDIR|PWD|RUNNER_TEMP|GITHUB_WORKSPACE|USERPROFILE)\}?$/

const addDynamic = (piece: Piece, text: string): void => {
  piece.dynamicFrom ??= piece.value.length
  piece.value += text
}

const addWord = (walk: Walk, piece: Piece, word: CommandWord): void => {
  if (word.dynamicFrom !== undefined) piece.dynamicFrom ??= piece.value.length + word.dynamicFrom
  piece.flow = joinFlows(piece.flow, withoutText(word.flow))
  if (piece.value.length + word.value.length <= walk.session.commands.limits.textMax)
    piece.value += word.value
  else addDynamic(piece, "")
}

/** Reads the scripts anywhere inside a node that is not read in another way. */
export const readScriptsIn = (walk: Walk, node: SyntaxNode, context: Context): Flow => {
  let flow = noFlow
  if (context.depth > walk.session.commands.limits.nestingMax) {
    walk.session.mayGoOn(context)
    return flow
  }
  const inside = { ...context, depth: context.depth + 1 }
  forEachChild(node, (child) => {
    flow = joinFlows(
      flow,
      child.type === "Script" ? walk.readScript(walk, child, inside) : readScriptsIn(walk, child, inside)
    )
  })
  return flow
}

const addCommandOutput = (walk: Walk, piece: Piece, part: WordPart, context: Context): void => {
  const script =
    part.type === "CommandExpansion" || part.type === "ProcessSubstitution" ? part.script : undefined
  if (script === undefined) walk.session.unread = true
  // `tee >(sh)`: the input goes on to the command inside.
  const stdin = part.type === "ProcessSubstitution" && part.operator === ">" ? context.stdin : noFlow
  const inside = { ...context, stdin, depth: context.depth + 1 }
  const flow =
    script === undefined ? noFlow : readApart(walk, (apart) => walk.readScript(apart, script, inside))
  piece.flow = joinFlows(piece.flow, part.type === "ProcessSubstitution" ? flow : withoutText(flow))
  const output = part.type === "CommandExpansion" ? outputOf(part.text, flow) : undefined
  if (output === undefined) addDynamic(piece, "$()")
  else piece.value += output
}

const addPart = (walk: Walk, piece: Piece, part: WordPart, context: Context): void => {
  switch (part.type) {
    case "Literal":
    case "Glob":
    case "SingleQuoted":
    case "AnsiCQuoted":
      piece.value += part.value
      return
    case "DoubleQuoted":
    case "LocaleString":
      for (const inner of part.parts) addPart(walk, piece, inner, context)
      return
    case "SimpleExpansion":
    case "ParameterExpansion": {
      const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter
      const values = walk.variables.get(name)
      const known = values?.[walk.choice % values.length]
      const operation = part.type === "ParameterExpansion" ? part.operation : undefined
      if (known !== undefined && operation === undefined) return addWord(walk, piece, known)
      if (operation?.type === "Default")
        return addWord(walk, piece, known ?? (expandWord(walk, operation.operand, context)[0] as CommandWord))
      if (wellKnown.test(part.text) && piece.value === "") piece.value += part.text
      else addDynamic(piece, part.text)
      piece.flow = joinFlows(piece.flow, readScriptsIn(walk, part, context))
      return
    }
    case "CommandExpansion":
    case "ProcessSubstitution":
      return addCommandOutput(walk, piece, part, context)
    case "BraceExpansion":
      piece.value += part.text
      readScriptsIn(walk, part, context)
      return
    default:
      piece.flow = joinFlows(piece.flow, readScriptsIn(walk, part, context))
      addDynamic(piece, part.text)
  }
}

/** `"${x[@]}"`: all words of an array. */
const wholeList = /^"?\$\{(\w+\[[@*]\])\}"?$/

export const expandWord = (walk: Walk, word: Word, context: Context): ReadonlyArray<CommandWord> => {
  const raw = withoutQuotes(word.text)
  if (word.parts === undefined) return [{ value: word.value, raw, dynamicFrom: undefined, flow: noFlow }]
  const list = walk.variables.get(wholeList.exec(word.text)?.[1] ?? "")
  if (list !== undefined) return list
  const piece: Piece = { value: "", dynamicFrom: undefined, flow: noFlow }
  for (const part of word.parts) addPart(walk, piece, part, context)
  const read = { value: piece.value, raw, dynamicFrom: piece.dynamicFrom, flow: piece.flow }
  // An unquoted `$X` or `$(…)` whose value has spaces is several words.
  const only = word.parts.length === 1 ? word.parts[0]?.type : undefined
  const isSplit = only === "SimpleExpansion" || only === "CommandExpansion"
  if (isSplit && read.dynamicFrom === undefined && /\s/.test(read.value.trim()))
    return read.value
      .trim()
      .split(/\s+/)
      .map((value) => ({ ...read, value, raw: value }))
  return word.parts.some(({ type }) => type === "BraceExpansion") ? expandBraces(read) : [read]
}

const references = /\$\{?([A-Za-z_]\w*)/g

/** How often a command is read: once for each value of the variables in it. */
export const choicesOf = (
  { choice }: Walk,
  given: ReadonlyArray<{ readonly text: string }>,
  variables: Variables
): number => {
  // A command that is read once for each value keeps that value for everything inside it.
  if (choice > 0 || variables.size === 0) return 1
  const used = given.flatMap(({ text }) => [...text.matchAll(references)])
  return Math.max(1, ...used.map(([, name = ""]) => variables.get(name)?.length ?? 1))
}
