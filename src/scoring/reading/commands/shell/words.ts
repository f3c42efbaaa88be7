/** The words of a shell text after expansion, using the variables that the text itself sets. */

import { type ArithmeticExpansionPart, forEachChild, type SyntaxNode, type Word, type WordPart } from "unbash"
import { addNamed, type Context, mayGoOn, nested } from "../Context.ts"
import {
  type CommandWord,
  expandBraces,
  type Flow,
  joinFlows,
  noFlow,
  outputOf,
  plainWord,
  withoutQuotes,
  withoutText
} from "../paths.ts"
import { arrayNamed, parameterValue, valueOf } from "./parameters.ts"

/** Reads commands that may or may not run. */
export const readPerhaps = (context: Context, read: (path: Context) => Flow): Flow => {
  const path = context.shell.copy()
  const flow = read({ ...context, shell: path })
  context.shell.merge(path)
  return flow
}

/** The context of a subshell, whose variables and folder do not outlive it. */
export const subshell = (context: Context): Context => ({ ...context, shell: context.shell.copy() })

interface Piece {
  value: string
  dynamicFrom: number | undefined
  flow: Flow
}

/** `$HOME`, `${HOME}` */
const plainExpansion = /^\$(?:(\w+)|\{(\w+)\})$/

const addDynamic = (piece: Piece, text: string): void => {
  piece.dynamicFrom ??= piece.value.length
  piece.value += text
}

const addWord = ({ commands }: Context, piece: Piece, word: CommandWord): void => {
  if (word.dynamicFrom !== undefined) piece.dynamicFrom ??= piece.value.length + word.dynamicFrom
  piece.flow = joinFlows(piece.flow, withoutText(word.flow))
  if (piece.value.length + word.value.length <= commands.limits.textMax) piece.value += word.value
  else addDynamic(piece, "")
}

/** Reads the scripts anywhere inside a node that nothing else reads. */
export const readScriptsIn = (context: Context, node: SyntaxNode): Flow => {
  let flow = noFlow
  if (context.depth > context.commands.limits.nestingMax) {
    mayGoOn(context)
    return flow
  }
  const inside = nested(context)
  const { script } = context.session.readers
  forEachChild(node, (child) => {
    flow = joinFlows(flow, child.type === "Script" ? script(inside, child) : readScriptsIn(inside, child))
  })
  return flow
}

const addCommandOutput = (context: Context, piece: Piece, part: WordPart): void => {
  const { session } = context
  const script =
    part.type === "CommandExpansion" || part.type === "ProcessSubstitution" ? part.script : undefined
  if (script === undefined) session.unread = true
  // `tee >(sh)`: the input is passed to the command inside.
  const stdin = part.type === "ProcessSubstitution" && part.operator === ">" ? context.stdin : noFlow
  const flow =
    script === undefined ? noFlow : session.readers.script(subshell(nested(context, stdin)), script)
  piece.flow = joinFlows(piece.flow, part.type === "ProcessSubstitution" ? flow : withoutText(flow))
  const output = part.type === "CommandExpansion" ? outputOf(part.text, flow) : undefined
  if (output === undefined) addDynamic(piece, "$()")
  else piece.value += output
}

const holdsCommands = ({ expression }: ArithmeticExpansionPart): boolean =>
  expression?.type === "ArithmeticWord" && expression.value.includes(";")

const addPart = (context: Context, piece: Piece, part: WordPart): void => {
  switch (part.type) {
    case "Literal":
    case "Glob":
    case "SingleQuoted":
    case "AnsiCQuoted":
      piece.value += part.value
      return
    case "DoubleQuoted":
    case "LocaleString":
      for (const inner of part.parts) addPart(context, piece, inner)
      return
    case "SimpleExpansion":
    case "ParameterExpansion": {
      const known =
        part.type === "SimpleExpansion"
          ? valueOf(context, part.text.slice(1))
          : parameterValue(context, part, (word) => expandWord(context, word)[0] ?? plainWord(""))
      if (known !== undefined) return addWord(context, piece, known)
      const [, bare, braced = bare] = plainExpansion.exec(part.text) ?? []
      const isPlace = braced !== undefined && context.commands.placeVariables.shell.has(braced)
      if (isPlace && piece.value === "") piece.value += part.text
      else addDynamic(piece, part.text)
      piece.flow = joinFlows(piece.flow, readScriptsIn(context, part))
      return
    }
    case "CommandExpansion":
    case "ProcessSubstitution":
      return addCommandOutput(context, piece, part)
    case "BraceExpansion":
      piece.value += part.text
      readScriptsIn(context, part)
      return
    default:
      // `$((a; b))` is not arithmetic: the shell runs the commands in it.
      if (part.type === "ArithmeticExpansion" && holdsCommands(part))
        addNamed(context, "unreadText", "unread")
      piece.flow = joinFlows(piece.flow, readScriptsIn(context, part))
      addDynamic(piece, part.text)
  }
}

/** `"${x[@]}"`, `"$@"`: all words of an array. */
const wholeList = /^"?\$(?:\{(\w+)\[[@*]\]\}|[@*]|\{[@*]\})"?$/

/** The characters at which the shell splits an unquoted value into words. */
const separatorOf = (context: Context): RegExp => {
  const set = valueOf(context, "IFS")
  const isKnown = set !== undefined && set.dynamicFrom === undefined && /^[^\s\\\]^-]{1,8}$/.test(set.value)
  return isKnown ? new RegExp(`[${set.value}]`) : /\s+/
}

/** Parts whose unquoted value is split into words. */
const splitting: ReadonlySet<WordPart["type"]> = new Set<WordPart["type"]>([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion"
])

export const expandWord = (context: Context, word: Word): ReadonlyArray<CommandWord> => {
  const raw = withoutQuotes(word.text)
  if (word.parts === undefined) return [{ value: word.value, raw, dynamicFrom: undefined, flow: noFlow }]
  const whole = wholeList.exec(word.text)
  const list = whole === null ? undefined : context.shell.variables.get(arrayNamed(whole[1] ?? "@"))
  if (list !== undefined) return list
  const piece: Piece = { value: "", dynamicFrom: undefined, flow: noFlow }
  for (const part of word.parts) addPart(context, piece, part)
  const read = { value: piece.value, raw, dynamicFrom: piece.dynamicFrom, flow: piece.flow }
  // An unquoted `$X` or `$(…)` whose value contains spaces becomes several words.
  const only = word.parts.length === 1 ? word.parts[0]?.type : undefined
  if (only !== undefined && splitting.has(only) && read.dynamicFrom === undefined) {
    const words = read.value.trim().split(separatorOf(context))
    if (words.length > 1) return words.map((value) => ({ ...read, value, raw: value }))
  }
  // `{npm,}` is one word, because the shell drops empty unquoted words.
  return word.parts.some(({ type }) => type === "BraceExpansion")
    ? expandBraces(read).filter(({ dynamicFrom, value }) => value !== "" || dynamicFrom !== undefined)
    : [read]
}

const references = /\$\{?([A-Za-z_]\w*)/g

/** How many times a command is read: once for each value of the variables in it. */
export const choicesOf = (
  { choice, shell: { variables } }: Context,
  given: ReadonlyArray<{ readonly text: string }>
): number => {
  // A command that is being read for one of several values keeps that value for everything nested in it.
  if (choice > 0 || variables.size === 0) return 1
  const used = given.flatMap(({ text }) => [...text.matchAll(references)])
  return Math.max(1, ...used.map(([, name = ""]) => variables.get(name)?.length ?? 1))
}
