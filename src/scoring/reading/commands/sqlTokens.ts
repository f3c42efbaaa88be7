/** Cuts SQL of any dialect into tokens and statements. One pass, no backtracking. */

export interface SqlToken {
  readonly kind: "word" | "name" | "string" | "number" | "mark"
  /** A word in upper case, a name without its quotes, a string without its quotes, any other as written. */
  readonly text: string
}

export type SqlTokens = ReadonlyArray<SqlToken>

export const isWord = (token: SqlToken | undefined, ...words: ReadonlyArray<string>): boolean =>
  token?.kind === "word" && words.includes(token.text)

export const isMark = (token: SqlToken | undefined, mark: string): boolean =>
  token?.kind === "mark" && token.text === mark

const closers: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "[": "]" }

const spaces = /\s+/y
const word = /[\p{L}_@#][\p{L}\p{N}_$#@]*/uy
/** The same where no other letter follows, in a third of the time. */
const asciiWord = /[A-Za-z_@#][\w$#@]*(?![\w$#@]|[^\0-\x7F])/y
const number = /\d[\w.]*|\.\d+/y
const marks = /<=|>=|<>|!=|::|\|\||:=|->>?|[^\s\w]/uy
const dollar = /\$\w*\$/y
const parameter = /\$\d+|[:%]\(?\w+\)?s?|\?/y

/** `pattern` is sticky. */
const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
}

/** The place behind a quoted text, where a doubled quote is none; undefined if it is not closed. */
const endOfQuoted = (text: string, at: number, escapes: boolean): number | undefined => {
  const closer = closers[text[at] ?? ""] ?? "'"
  for (let i = at + 1; i < text.length; i++)
    if (escapes && text[i] === "\\" && closer === "'") i++
    else if (text[i] === closer) {
      if (text[i + 1] !== closer || closer === "]") return i + 1
      i++
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
  // MySQL runs what stands in `/*! … */`.
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

/** The first signs of each kind: a token begins with one of them, and other patterns need not be tried. */
const mayBeginWord = /[A-Za-z_@#\u0080-\uffff]/
const mayBeginNumber = /[\d.]/
const mayBeginParameter = /[$:%?]/

const plain = (text: string, at: number): Piece => {
  const first = text.charAt(at)
  const found = mayBeginWord.test(first)
    ? (matchAt(asciiWord, text, at) ?? matchAt(word, text, at))
    : undefined
  if (found !== undefined)
    return { end: at + found.length, token: { kind: "word", text: found.toUpperCase() } }
  const digits = mayBeginNumber.test(first) ? matchAt(number, text, at) : undefined
  if (digits !== undefined) return { end: at + digits.length, token: { kind: "number", text: digits } }
  const placeholder = mayBeginParameter.test(first) ? matchAt(parameter, text, at) : undefined
  if (placeholder !== undefined && !placeholder.startsWith("::"))
    return { end: at + placeholder.length, token: { kind: "string", text: placeholder } }
  const mark = matchAt(marks, text, at) ?? text[at] ?? ""
  return { end: at + mark.length, token: { kind: "mark", text: mark } }
}

/** Undefined if a quote is not closed, parentheses do not match, or there are too many tokens. */
export const tokenizeSql = (text: string, tokensMax: number, escapes: boolean): SqlTokens | undefined => {
  const tokens: Array<SqlToken> = []
  let depth = 0
  for (let at = 0; at < text.length;) {
    const first = text[at] ?? ""
    const space = matchAt(spaces, text, at)
    if (space !== undefined) {
      at += space.length
      continue
    }
    const skipped = "-#/*".includes(first) ? comment(text, at) : undefined
    if (skipped !== undefined) {
      at = skipped.end
      continue
    }
    const opensQuote =
      "'\"`".includes(first) ||
      (first === "[" && matchAt(bracketName, text, at) !== undefined && tokens.at(-1)?.text !== "ARRAY") ||
      (first === "$" && matchAt(dollar, text, at) !== undefined)
    const piece = opensQuote ? quoted(text, at, escapes) : plain(text, at)
    if (piece?.token === undefined || tokens.length >= tokensMax) return undefined
    tokens.push(piece.token)
    at = piece.end
    if (isMark(piece.token, "(")) depth++
    if (isMark(piece.token, ")") && --depth < 0) return undefined
  }
  return depth === 0 ? tokens : undefined
}

/** The parts between the marks or words that `separates` names, outside of parentheses. */
export const splitTokens = (
  tokens: SqlTokens,
  separates: (token: SqlToken, index: number) => boolean
): ReadonlyArray<SqlTokens> => {
  const parts: Array<SqlTokens> = []
  let depth = 0
  let from = 0
  tokens.forEach((token, i) => {
    if (isMark(token, "(")) depth++
    else if (isMark(token, ")")) depth--
    else if (depth === 0 && separates(token, i)) {
      parts.push(tokens.slice(from, i))
      from = i + 1
    }
  })
  parts.push(tokens.slice(from))
  return parts
}

/** The place of the first such word outside of parentheses, or -1. */
export const findWord = (tokens: SqlTokens, ...words: ReadonlyArray<string>): number => {
  let depth = 0
  // By hand, because a statement can have thousands of tokens.
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token?.kind === "mark") {
      if (token.text === "(") depth++
      else if (token.text === ")") depth--
    } else if (depth === 0 && token?.kind === "word" && words.includes(token.text)) return i
  }
  return -1
}

/** The place of the parenthesis that closes the one at `open`. */
export const closeOf = (tokens: SqlTokens, open: number): number => {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    if (isMark(tokens[i], "(")) depth++
    if (isMark(tokens[i], ")") && --depth === 0) return i
  }
  return tokens.length - 1
}

const followed = new Set(["SELECT", "USE", "SET", "PRINT", "EXEC", "EXECUTE", "UPDATE", "INSERT", "DELETE"])
const dropped = "TABLE DATABASE SCHEMA VIEW INDEX USER LOGIN ROLE PROCEDURE FUNCTION TRIGGER COLUMN".split(
  " "
)

/** Where a second statement begins without a semicolon, as T-SQL allows: `SELECT 1 DROP TABLE users`. Or -1. */
export const secondStatement = (tokens: SqlTokens): number => {
  if (!followed.has(tokens[0]?.text ?? "")) return -1
  let depth = 0
  for (let i = 1; i < tokens.length; i++) {
    const [before, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]]
    if (isMark(token, "(")) depth++
    else if (isMark(token, ")")) depth--
    if (depth > 0 || isMark(before, ".") || isMark(before, ",") || isWord(before, "AS")) continue
    if (isWord(token, "DROP") && isWord(next, ...dropped)) return i
    if (isWord(token, "TRUNCATE") && isWord(next, "TABLE")) return i
    if (!isWord(token, "DELETE") || isWord(before, "SELECT")) continue
    // `SET NOCOUNT ON DELETE users`; a query can have a column of that name.
    if (isWord(next, "FROM") || (isWord(tokens[0], "SET", "USE", "PRINT") && next?.kind === "word")) return i
  }
  return -1
}
