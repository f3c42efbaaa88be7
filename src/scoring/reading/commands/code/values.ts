/** Values of expressions in code, and the strings that the code contains. */

import type { SyntaxNode } from "@lezer/common"
import { type CommandWord, type Flow, joinFlows, noFlow, plainWord, withoutText } from "../paths.ts"
import { childrenOf } from "./parseCode.ts"

export interface Value {
  readonly word: CommandWord
  readonly items?: ReadonlyArray<CommandWord>
  /** The possible values, for a loop variable. */
  readonly choices?: ReadonlyArray<CommandWord>
  /** The members of an object literal, which serve as named arguments of many functions. */
  readonly members?: ReadonlyMap<string, Value>
  /** The name that it refers to: `os.path`. */
  readonly path?: string
  /** The value from which it was created: `x` in `Path("x")`. */
  readonly from?: CommandWord | undefined
  readonly isFunction?: boolean
  /** The unlisted function that made it. */
  readonly foreign?: string | undefined
}

/** The arguments of a call. */
export interface Given {
  readonly values: ReadonlyArray<Value>
  readonly named: ReadonlyMap<string, Value>
  /** Some of them are known only at run time: `f(*x)`. */
  readonly isOpen: boolean
  /** The members of unknown objects among them: `run` in `map(x.run, y)`. */
  readonly members: ReadonlyArray<string>
}

export const nothingGiven: Given = { values: [], named: new Map(), isOpen: true, members: [] }

/** A word that is known only at run time. In a text for a shell it looks like a variable. */
export const laterWord = (flow: Flow = noFlow): CommandWord => ({
  value: "$x",
  raw: "$x",
  dynamicFrom: 0,
  flow: withoutText(flow)
})

export const laterValue = (flow: Flow = noFlow): Value => ({ word: laterWord(flow) })

/** Concatenates two words. */
export const joinWords = (a: CommandWord, b: CommandWord): CommandWord => {
  const value = a.value + b.value
  const later = b.dynamicFrom === undefined ? undefined : a.value.length + b.dynamicFrom
  return { value, raw: value, dynamicFrom: a.dynamicFrom ?? later, flow: joinFlows(a.flow, b.flow) }
}

/** Joins the parts of a path. */
export const joinPath = (parts: ReadonlyArray<CommandWord>): CommandWord =>
  parts.reduce((path, part) => joinWords(joinWords(path, plainWord("/")), part))

/** `"rm %s" % x`, `"rm {}".format(x)`: the inserted value is known only at run time. */
export const wordOfFormat = (word: CommandWord, flow: Flow): CommandWord => {
  const at = word.value.search(/[%{]/)
  const value = word.value.replace(/%[-+ #0]*[\d.]*[a-z]|\{[^{}]*\}/gi, "$$x")
  return {
    value,
    raw: value,
    dynamicFrom: word.dynamicFrom ?? (at === -1 ? undefined : at),
    flow: joinFlows(word.flow, withoutText(flow))
  }
}

/** Reads the expressions in a piece of code. */
export interface ExpressionReader {
  /** Reads an expression, including its effects. */
  readonly read: (node: SyntaxNode) => Value
  /** The same, but without the effect of using a name. */
  readonly resolve: (node: SyntaxNode) => Value
  readonly readAll: (nodes: ReadonlyArray<SyntaxNode>) => Flow
  /** The effect of using a name without calling it. */
  readonly named: (value: Value) => Value
}

const literal = /^([A-Za-z]{0,2})("""|'''|["'`])([^]*)\2$/
const escapes = /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|\r?\n|([^]))/g
const meanings: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
  "/": "/"
}
/** Escapes whose meaning depends on the language: `\N{…}`, `\101`, `\u{…}`. */
const rareEscape = /\\(?:[\dNU]|u\{)/

/** A text with its escapes decoded. A text with rare escapes counts as known only at run time. */
const unescaped = (text: string): CommandWord => {
  if (!text.includes("\\")) return plainWord(text)
  if (rareEscape.test(text)) return laterWord()
  return plainWord(
    text.replace(
      escapes,
      (whole, hex: string | undefined, unit: string | undefined, letter: string | undefined) => {
        const code = hex ?? unit
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
        return letter === undefined ? "" : (meanings[letter] ?? whole)
      }
    )
  )
}

/** The text of a string literal, without its quotes. */
export const wordOfLiteral = (source: string): CommandWord => {
  const [, prefix = "", , body] = literal.exec(source) ?? []
  if (body === undefined) return laterWord()
  return /r/i.test(prefix) ? plainWord(body) : unescaped(body)
}

/** A string with embedded values: `f"{a}/b"`. */
export const wordOfText = (node: SyntaxNode, text: string, reader: ExpressionReader): CommandWord => {
  const children = childrenOf(node)
  const source = text.slice(node.from, node.to)
  if (node.name === "String") return wordOfLiteral(source)
  if (node.name === "ContinuedString")
    return children.map((child) => wordOfText(child, text, reader)).reduce(joinWords)
  const [, opening = "", quotes = ""] = /^([A-Za-z]*("""|'''|["'`]))/.exec(source) ?? []
  let word = plainWord("")
  let from = node.from + opening.length
  for (const child of children) {
    if (!/^(?:FormatReplacement|Interpolation)$/.test(child.name)) continue
    const inner = childrenOf(child).filter(({ name }) => !/^(?:[{}]|Interpolation(?:Start|End))$/.test(name))
    const [first] = inner
    const isOne = inner.length === 1 && first !== undefined
    const value = isOne ? reader.read(first).word : laterWord(reader.readAll(inner))
    word = joinWords(joinWords(word, unescaped(text.slice(from, child.from))), value)
    from = child.to
  }
  return joinWords(word, unescaped(text.slice(from, node.to - quotes.length)))
}
