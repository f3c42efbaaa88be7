/** Splits SQL of any dialect into tokens and statements. One pass, no backtracking. */

import type { SqlWords } from "./sqlWords.ts"

export interface SqlToken {
  readonly kind: "word" | "name" | "string" | "number" | "mark"
  /** Words in upper case, names and strings without their quotes, anything else as written. */
  readonly text: string
}

export type SqlTokens = ReadonlyArray<SqlToken>

export const isWord = (token: SqlToken | undefined, ...words: ReadonlyArray<string>): boolean =>
  token?.kind === "word" && words.includes(token.text)

export const isAmong = (token: SqlToken | undefined, words: ReadonlySet<string>): boolean =>
  token?.kind === "word" && words.has(token.text)

export const isMark = (token: SqlToken | undefined, mark: string): boolean =>
  token?.kind === "mark" && token.text === mark

const closers: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "[": "]" }

/** The general pattern for a word, which also allows letters outside ASCII. */
const word = /[\p{L}_@#][\p{L}\p{N}_$#@]*/uy
const number = /\d[\w.]*|\.\d+/y
/** Operators of several characters. Any other character is a token by itself. */
const longMark = /<=|>=|<>|!=|::|\|\||:=|->>?/y
const dollar = /\$\w*\$/y
const parameter = /\$\d+|[:%]\(?\w+\)?s?|\?/y

/** `pattern` is sticky. */
const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
}

/** Character classes of ASCII. A lookup table, because a text has thousands of characters. */
const space = 1
const beginsWord = 2
const continuesWord = 4
const beginsNumber = 8
const beginsParameter = 16
const beginsLongMark = 32
const beginsComment = 64
const kinds = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const sign = String.fromCharCode(unit)
  const among = (pattern: RegExp, kind: number): number => (pattern.test(sign) ? kind : 0)
  return (
    among(/\s/, space) |
    among(/[A-Za-z_@#]/, beginsWord) |
    among(/[\w$#@]/, continuesWord) |
    among(/[\d.]/, beginsNumber) |
    among(/[$:%?]/, beginsParameter) |
    among(/[<>!:|-]/, beginsLongMark) |
    among(/[-#/*]/, beginsComment)
  )
})

const isSpace = (unit: number): boolean =>
  unit < 0x80 ? ((kinds[unit] ?? 0) & space) !== 0 : /\s/.test(String.fromCharCode(unit))

/** The index after a quoted text, in which doubled quotes are escapes; undefined if it is not closed. */
const endOfQuoted = (text: string, at: number, escapes: boolean): number | undefined => {
  const closer = closers[text[at] ?? ""] ?? "'"
  const isEscaping = escapes && closer === "'"
  for (let i = at + 1; i < text.length; i++) {
    const sign = text[i]
    if (isEscaping && sign === "\\") i++
    else if (sign === closer) {
      if (text[i + 1] !== closer || closer === "]") return i + 1
      i++
    }
  }
  return undefined
}

interface Piece {
  readonly end: number
  readonly token?: SqlToken
}

const bracketName = /\[\w[\w .$-]*\]/y

const comment = (text: string, at: number): Piece | undefined => {
  const lineStart = at === 0 || text[at - 1] === "\n"
  if (text.startsWith("--", at) || (lineStart && text.startsWith("# ", at))) {
    const end = text.indexOf("\n", at)
    return { end: end === -1 ? text.length : end + 1 }
  }
  // MySQL executes the text in `/*! … */`.
  if (text.startsWith("/*!", at)) return { end: at + (matchAt(/\/\*!\d*/y, text, at)?.length ?? 3) }
  if (text.startsWith("*/", at)) return { end: at + 2 }
  if (!text.startsWith("/*", at)) return undefined
  const end = text.indexOf("*/", at + 2)
  return { end: end === -1 ? text.length : end + 2 }
}

const quoted = (text: string, at: number, escapes: boolean): Piece | undefined => {
  const first = text[at] ?? ""
  const tag = first === "$" ? matchAt(dollar, text, at) : undefined
  if (tag !== undefined) {
    const close = text.indexOf(tag, at + tag.length)
    if (close === -1) return undefined
    return { end: close + tag.length, token: { kind: "string", text: text.slice(at + tag.length, close) } }
  }
  const end = endOfQuoted(text, at, escapes)
  if (end === undefined) return undefined
  const inner = text.slice(at + 1, end - 1)
  return { end, token: { kind: first === "'" ? "string" : "name", text: inner } }
}

/** The word that begins at an index; undefined if none does. */
const wordAt = (text: string, at: number): string | undefined => {
  let end = at
  while (end < text.length && ((kinds[text.charCodeAt(end)] ?? 0) & continuesWord) !== 0) end++
  return end < text.length && text.charCodeAt(end) >= 0x80 ? matchAt(word, text, at) : text.slice(at, end)
}

const plain = (text: string, at: number): Piece => {
  const unit = text.charCodeAt(at)
  const kind = kinds[unit] ?? beginsWord
  const found = (kind & beginsWord) === 0 ? undefined : wordAt(text, at)
  if (found !== undefined)
    return { end: at + found.length, token: { kind: "word", text: found.toUpperCase() } }
  const digits = (kind & beginsNumber) === 0 ? undefined : matchAt(number, text, at)
  if (digits !== undefined) return { end: at + digits.length, token: { kind: "number", text: digits } }
  const placeholder = (kind & beginsParameter) === 0 ? undefined : matchAt(parameter, text, at)
  if (placeholder !== undefined)
    return { end: at + placeholder.length, token: { kind: "string", text: placeholder } }
  const several = (kind & beginsLongMark) === 0 ? undefined : matchAt(longMark, text, at)
  const mark = several ?? String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { end: at + mark.length, token: { kind: "mark", text: mark } }
}

const opensQuote = (text: string, at: number, before: SqlToken | undefined): boolean => {
  switch (text[at]) {
    case "'":
    case '"':
    case "`":
      return true
    case "[":
      return matchAt(bracketName, text, at) !== undefined && before?.text !== "ARRAY"
    case "$":
      return matchAt(dollar, text, at) !== undefined
    default:
      return false
  }
}

/** Undefined if a quote is not closed, parentheses do not match, or there are too many tokens. */
export const tokenizeSql = (text: string, tokensMax: number, escapes: boolean): SqlTokens | undefined => {
  const tokens: Array<SqlToken> = []
  let depth = 0
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at)
    if (isSpace(unit)) {
      at++
      continue
    }
    const mayComment = ((kinds[unit] ?? 0) & beginsComment) !== 0
    const skipped = mayComment ? comment(text, at) : undefined
    if (skipped !== undefined) {
      at = skipped.end
      continue
    }
    const piece = opensQuote(text, at, tokens.at(-1)) ? quoted(text, at, escapes) : plain(text, at)
    if (piece?.token === undefined || tokens.length >= tokensMax) return undefined
    tokens.push(piece.token)
    at = piece.end
    if (isMark(piece.token, "(")) depth++
    if (isMark(piece.token, ")") && --depth < 0) return undefined
  }
  return depth === 0 ? tokens : undefined
}

/** Splits tokens at each one that `separates` accepts, outside of parentheses. */
export const splitTokens = (
  tokens: SqlTokens,
  separates: (token: SqlToken, index: number) => boolean
): ReadonlyArray<SqlTokens> => {
  const parts: Array<SqlTokens> = []
  let depth = 0
  let from = 0
  for (const [i, token] of tokens.entries())
    if (isMark(token, "(")) depth++
    else if (isMark(token, ")")) depth--
    else if (depth === 0 && separates(token, i)) {
      parts.push(tokens.slice(from, i))
      from = i + 1
    }
  parts.push(tokens.slice(from))
  return parts
}

/** The index of the first wanted word outside of parentheses, or -1. */
const placeOf = (tokens: SqlTokens, isWanted: (word: string) => boolean): number => {
  let depth = 0
  // A plain loop, because a statement can have thousands of tokens.
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token?.kind === "mark") {
      if (token.text === "(") depth++
      else if (token.text === ")") depth--
    } else if (depth === 0 && token?.kind === "word" && isWanted(token.text)) return i
  }
  return -1
}

export const findAmong = (tokens: SqlTokens, words: ReadonlySet<string>): number =>
  placeOf(tokens, (word) => words.has(word))

export const findWord = (tokens: SqlTokens, ...words: ReadonlyArray<string>): number =>
  placeOf(tokens, (word) => words.includes(word))

/** The index of the parenthesis that closes the one at `open`. */
export const closeOf = (tokens: SqlTokens, open: number): number => {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    if (isMark(tokens[i], "(")) depth++
    if (isMark(tokens[i], ")") && --depth === 0) return i
  }
  return tokens.length - 1
}

/** Where a second statement begins without a semicolon, as T-SQL allows: `SELECT 1 DROP TABLE users`. -1 if none does. */
export const secondStatement = (tokens: SqlTokens, { dropped, followed }: SqlWords): number => {
  if (!followed.has(tokens[0]?.text ?? "")) return -1
  let depth = 0
  for (let i = 1; i < tokens.length; i++) {
    const [before, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]]
    if (isMark(token, "(")) depth++
    else if (isMark(token, ")")) depth--
    if (depth > 0 || isMark(before, ".") || isMark(before, ",") || isWord(before, "AS")) continue
    if (isWord(token, "DROP") && isAmong(next, dropped)) return i
    if (isWord(token, "TRUNCATE") && isWord(next, "TABLE")) return i
    if (!isWord(token, "DELETE") || isWord(before, "SELECT")) continue
    // `SET NOCOUNT ON DELETE users`; in a query, the word may also be a column's name.
    if (isWord(next, "FROM") || (isWord(tokens[0], "SET", "USE", "PRINT") && next?.kind === "word")) return i
  }
  return -1
}
