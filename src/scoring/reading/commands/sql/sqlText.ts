/** Finds SQL in a tool's text: after comments and other statements, in a code fence, or in JSON. Also finds quoted texts. */

import { visibleText } from "../../../names/lookalike.ts"

/** Beginnings that only SQL statements have. */
const sqlOnly =
  /^\s*(?:select\b.*\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(?:table|database|schema)|truncate\s+\w|alter\s+(?:table|role|user)|create\s+(?:table|index|unique|user|role|database)|grant\s|revoke\s)/is

/** `select delete_user(1)` is not a read. */
const callsFunction = /^\s*select\s+[a-z_][\w.]*\s*\(/i

/** For a tool that takes SQL, the text counts from its first deletion, whatever comes before it: `{DROP TABLE users}`. */
const deletes =
  /\b(?:drop\s+(?:table|database|schema|user|role|view|owned)|delete\s+from|truncate\s+table|alter\s+(?:table|role|user|system)|grant\s+\w+\s+(?:on|to)|update\s+\S+\s+set)\b/i

const everyDeed = new RegExp(deletes.source, "gi")

/** A search such as `delete from cart` has neither punctuation nor capitals, unlike SQL. */
const marked = /[;=(*]|\b[A-Z]{4,}\s+[A-Z]{4}/

/** A text without its Markdown code fence. */
export const withoutFence = (text: string): string => {
  const begun = text.replace(/^```\w*\s*/, "")
  return begun.endsWith("```") ? begun.slice(0, -"```".length).trimEnd() : begun
}
const named = /^(?:sql|query|statement|command|q)\s*[=:]\s*/i
const quotes = /^(["'`])([^]*)\1$/
const escaped = /\\(?:n|r|t)/g

/** Decodes JSON escapes: `DR\u004fP` is `DROP`. `otherwise`: the result if the escapes are not valid JSON. */
export const spelledOut = (text: string, otherwise = text): string => {
  if (!text.includes("\\")) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return otherwise
  }
}

const withoutComments = (text: string): string =>
  text.replace(/^(?:\s|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[^]*?\*\/|[;(])+/, "")

const begins = (text: string, beginnings: ReadonlySet<string>): boolean =>
  beginnings.has(/^[a-z]+/i.exec(withoutComments(text))?.[0].toLowerCase() ?? "")

/** A JSON string may contain JSON again. */
const inner = (text: string, beginnings: ReadonlySet<string>, depth: number): string =>
  depth < depthMax && /^\s*[[{]/.test(text) ? unwrapped(text, beginnings, depth + 1) : text
const depthMax = 4

const loneReturn = /\r(?!\n)/

/** For JSON, the strings that begin like SQL; otherwise the text itself without its wrapping. */
const unwrapped = (resource: string, beginnings: ReadonlySet<string>, depth = 0): string => {
  const given = withoutFence(visibleText(resource).trim()).replace(named, "").trim()
  // A carriage return ends a comment in PostgreSQL but not in MySQL, so both versions are read.
  const plain = loneReturn.test(given) ? `${given}\n;\n${given.replace(/\r/g, "\n")}` : given
  if (!/^[[{]/.test(plain)) return plain.replace(quotes, "$2")
  const texts = quotedTexts(plain).map(({ spelled }) =>
    inner(spelledOut(spelled, spelled.replace(escaped, "\n")), beginnings, depth)
  )
  const found = texts.filter((text) => begins(text, beginnings))
  return found.length === 0 ? plain : found.join(";\n")
}

/** The SQL in a resource. `promised`: the tool's name says that it takes SQL; `executes`: the tool runs something. */
export const sqlIn = (
  resource: string,
  {
    beginnings,
    executes,
    promised
  }: {
    readonly promised: boolean
    readonly executes: boolean
    readonly beginnings: ReadonlySet<string>
  }
): string | undefined => {
  const text = unwrapped(resource, beginnings)
  if (!begins(text, beginnings)) {
    const at = promised && marked.test(text) ? text.search(deletes) : -1
    return at === -1 ? undefined : text.slice(at)
  }
  if (promised) return text
  const isStatement = text.split(";").some((one) => {
    const plain = withoutComments(one)
    return sqlOnly.test(plain) || callsFunction.test(plain)
  })
  return isStatement && (executes || marked.test(text)) ? text : undefined
}

/** The text without words that are deeds only in SQL, for a tool that does not run SQL. */
export const withoutDeeds = (text: string): string => text.replace(everyDeed, " ")

/**
 * These two patterns find quoted texts in linear time. A simpler pattern would scan from each unclosed quote to the end, which takes
 * quadratic time.
 */
const doubleQuoted = /"((?:[^"\\]|\\.)*)("?)(\s*:)?/g

interface QuotedText {
  /** As written, with its escapes. */
  readonly spelled: string
  /** Followed by a colon. */
  readonly isKey: boolean
}

/**
 * The texts in double quotes. If a quoted text is not closed, every later quote is escaped, so no text that begins there is closed either.
 * The search continues after all of them.
 */
export const quotedTexts = (text: string): ReadonlyArray<QuotedText> => {
  const found: Array<QuotedText> = []
  for (const [, spelled = "", end, colon] of text.matchAll(doubleQuoted))
    if (end !== "") found.push({ spelled, isKey: colon !== undefined })
  return found
}

/** A pattern whose first group is the closing quote (empty if missing), and the same pattern without quoted texts. */
export interface TokenPattern {
  readonly withTexts: RegExp
  readonly withoutTexts: RegExp
}

/** The tokens of a text from an offset on. The quotes of an unclosed text are ignored. */
export function* tokensOf(
  text: string,
  { withTexts, withoutTexts }: TokenPattern,
  from = 0
): Generator<{ readonly token: string; readonly end: number }> {
  let at = from
  let plainUntil = from
  while (at <= text.length) {
    const pattern = at < plainUntil ? withoutTexts : withTexts
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return
    const { 0: token, 1: end, index } = found
    if (pattern === withoutTexts && index >= plainUntil) at = plainUntil
    else if (end === "") {
      at = index
      plainUntil = index + token.length
    } else {
      at = index + token.length
      yield { token, end: at }
    }
  }
}
