/** Finds SQL in the text that a tool is given: after comments and other statements, in a fence, in JSON. Also finds texts in quotes. */

import { visibleText } from "../../../names/lookalike.ts"

/** A statement of SQL that no other text begins with. */
const sqlOnly =
  /^\s*(?:select\b.*\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(?:table|database|schema)|truncate\s+\w|alter\s+(?:table|role|user)|create\s+(?:table|index|unique|user|role|database)|grant\s|revoke\s)/is

/** `select delete_user(1)` reads nothing. */
const callsFunction = /^\s*select\s+[a-z_][\w.]*\s*\(/i

/** The text for a tool that takes SQL counts from its first deletion on, whatever is before it: `{DROP TABLE users}`. */
const deletes =
  /\b(?:drop\s+(?:table|database|schema|user|role|view|owned)|delete\s+from|truncate\s+table|alter\s+(?:table|role|user|system)|grant\s+\w+\s+(?:on|to)|update\s+\S+\s+set)\b/i

const everyDeed = new RegExp(deletes.source, "gi")

/** A search in a tool that reads, such as `delete from cart`, has no marks and no capitals. */
const marked = /[;=(*]|\b[A-Z]{4,}\s+[A-Z]{4}/

/** A text without the fence of Markdown around it. */
export const withoutFence = (text: string): string => {
  const begun = text.replace(/^```\w*\s*/, "")
  return begun.endsWith("```") ? begun.slice(0, -"```".length).trimEnd() : begun
}
const named = /^(?:sql|query|statement|command|q)\s*[=:]\s*/i
const quotes = /^(["'`])([^]*)\1$/
const escaped = /\\(?:n|r|t)/g

/** A text as JSON spells it: `DR\u004fP` is `DROP`. `otherwise`: where JSON has no such escapes. */
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

/** A text in JSON can be JSON again. */
const inner = (text: string, beginnings: ReadonlySet<string>, depth: number): string =>
  depth < depthMax && /^\s*[[{]/.test(text) ? unwrapped(text, beginnings, depth + 1) : text
const depthMax = 4

const loneReturn = /\r(?!\n)/

/** For JSON, the texts that begin as SQL does; else the text itself, without what is around it. */
const unwrapped = (resource: string, beginnings: ReadonlySet<string>, depth = 0): string => {
  const given = withoutFence(visibleText(resource).trim()).replace(named, "").trim()
  // PostgreSQL ends a comment at a return, MySQL does not: both texts are read.
  const plain = loneReturn.test(given) ? `${given}\n;\n${given.replace(/\r/g, "\n")}` : given
  if (!/^[[{]/.test(plain)) return plain.replace(quotes, "$2")
  const texts = quotedTexts(plain).map(({ spelled }) =>
    inner(spelledOut(spelled, spelled.replace(escaped, "\n")), beginnings, depth)
  )
  const found = texts.filter((text) => begins(text, beginnings))
  return found.length === 0 ? plain : found.join(";\n")
}

/** The SQL of a resource. `promised`: the tool's name says that it takes SQL; `executes`: the tool runs something. */
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

/** A text for a tool that does not run SQL, without the words that are deeds only in SQL. The rest stays. */
export const withoutDeeds = (text: string): string => text.replace(everyDeed, " ")

/**
 * These two search a text with quotes in linear time. A pattern by itself searches from each quote without an end to the end of the
 * text, which takes quadratic time.
 */
const doubleQuoted = /"((?:[^"\\]|\\.)*)("?)(\s*:)?/g

interface QuotedText {
  /** As it is spelled, with its escapes. */
  readonly spelled: string
  /** A colon follows. */
  readonly isKey: boolean
}

/**
 * The texts in double quotes. If a text has no end, every quote after its beginning is escaped, so a text that begins there has no end
 * either: the search goes on after all of them.
 */
export const quotedTexts = (text: string): ReadonlyArray<QuotedText> => {
  const found: Array<QuotedText> = []
  for (const [, spelled = "", end, colon] of text.matchAll(doubleQuoted))
    if (end !== "") found.push({ spelled, isKey: colon !== undefined })
  return found
}

/** A pattern whose first group is the end of a quoted text, empty if it has none, and the same pattern without quoted texts. */
export interface TokenPattern {
  readonly withTexts: RegExp
  readonly withoutTexts: RegExp
}

/** The tokens of a text from a place on. The quotes of a text that never ends stand for nothing. */
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
