/** Reads one rule file as JSON: rejects texts that another parser could read differently. */

import { Result } from "effect"
import { getLocation, parse, type ParseError, printParseErrorCode } from "jsonc-parser"
import { asCode, onOneLine } from "../../foreignText.ts"
import { encodingProblem, readBytes, tooDeepAt } from "../../json/jsonText.ts"
import { type JsonFlaw, readFlawedJson } from "../../json/jsonReader.ts"
import { problemsShownMax, ruleFileBytesMax } from "../../limits.ts"
import type { FileProblem } from "../Finding.ts"
import { nearestName } from "../nearestName.ts"

type JsonResult = Result.Result<unknown, ReadonlyArray<FileProblem>>

const refuse = (message: string, offset = 0): Result.Result<never, ReadonlyArray<FileProblem>> =>
  Result.fail([{ rule: "unreadable-file", path: [], offset, message }])

export const parseRuleJson = (bytes: Buffer): JsonResult => {
  const text = bytes.toString("utf8")
  const encoding = encodingProblem(bytes, text)
  if (encoding !== null) return refuse(encoding.message, encoding.offset)
  const json = readFlawedJson(text)
  if (json === null) return explainUnreadable(text)
  const problems = [
    ...inheritedKeys(json.value),
    ...json.flaws
      .filter(({ kind }) => kind === "repeated key")
      .slice(0, problemsShownMax)
      .map(({ offset }) => repeatedKey(text, offset)),
    ...json.flaws
      .filter(({ kind }) => kind !== "repeated key")
      .slice(0, problemsShownMax)
      .map((flaw) => brokenValue(text, flaw))
  ]
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(json.value)
}

export const readRuleBytes = (path: string): Result.Result<Buffer, ReadonlyArray<FileProblem>> => {
  const bytes = readBytes(path, ruleFileBytesMax)
  return typeof bytes === "string" ? refuse(bytes) : Result.succeed(bytes)
}

const explainUnreadable = (text: string): JsonResult => {
  // Invariant: the parser that explains mistakes is recursive, so it must not see deeply nested texts.
  const deepAt = tooDeepAt(text)
  return deepAt === null
    ? Result.fail([explainSyntax(text)])
    : refuse("is nested too deep for a rule file", deepAt)
}

/** The message for each error of the parser. */
const messages: Readonly<Record<string, string>> = {
  ColonExpected: "a colon is missing between key and value",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a closing `}` is missing: the file ends too early",
  CloseBracketExpected: "a closing `]` is missing: the file ends too early",
  EndOfFileExpected: "something follows the end of the document",
  InvalidCommentToken: "comments are not JSON: put the reason into `why`",
  UnexpectedEndOfComment: "comments are not JSON: put the reason into `why`",
  UnexpectedEndOfString: "a string does not end on its line",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidUnicode: "`\\u` takes four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash does not escape anything here: write it twice",
  InvalidCharacter: "a string contains a control character: escape it",
  PropertyNameExpected: "a key in double quotes is missing",
  ValueExpected: "a value is missing"
}

type Explained = Pick<FileProblem, "message" | "suggestion"> & { readonly offset: number }

const lastBefore = (text: string, offset: number): number => text.slice(0, offset).trimEnd().length - 1

/** Explains a word that is not valid JSON: a key or a string without quotes, or a constant of another language. */
const explainWord = (text: string, { length, offset }: ParseError): Explained => {
  const word = onOneLine(text.slice(offset, offset + length))
  if (word.startsWith("'")) return { offset, message: "strings take double quotes, not single ones" }
  if (
    text
      .slice(offset + length)
      .trimStart()
      .startsWith(":")
  ) {
    return { offset, message: `the key ${asCode(word)} must be in double quotes`, suggestion: `"${word}"` }
  }
  const constant = nearestName(word.toLowerCase(), ["true", "false", "null"])
  return constant === undefined
    ? { offset, message: `${asCode(word)} is not a JSON value` }
    : {
        offset,
        message: `\`${word}\` is not a JSON value, did you mean \`${constant}\`?`,
        suggestion: constant
      }
}

const explain = (text: string, error: ParseError): Explained => {
  const { offset } = error
  const name = printParseErrorCode(error.error)
  if (text.trim() === "") return { offset: 0, message: "the file is empty" }
  if (name === "InvalidSymbol") return explainWord(text, error)
  const before = lastBefore(text, offset)
  if (/[}\]]/.test(text.charAt(offset)) && text.charAt(before) === ",") {
    return {
      offset: before,
      message: `a comma comes before the closing \`${text.charAt(offset)}\`: remove it`
    }
  }
  if (name === "CommaExpected" && /\d/.test(text.charAt(offset)) && text.charAt(before) === "0") {
    return { offset: before, message: "a number does not start with 0" }
  }
  return { offset, message: messages[name] ?? "is not JSON here" }
}

/** The first mistake in a text that is not JSON, with its offset. */
const explainSyntax = (text: string): FileProblem => {
  const errors: Array<ParseError> = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors.toSorted((a, b) => a.offset - b.offset)
  // The parser may accept a control character in a string, which is not valid JSON either.
  const explained = first === undefined ? { offset: 0, message: "is not JSON" } : explain(text, first)
  return { rule: "not-json", path: [], ...explained }
}

type Path = FileProblem["path"]

const inherited = new Set(["__proto__", "constructor", "prototype"])

/** Keys that every JavaScript object inherits: assigning them in some parsers would change the object itself. */
const inheritedKeys = (json: unknown, path: Path = []): ReadonlyArray<FileProblem> => {
  if (Array.isArray(json)) return json.flatMap((item: unknown, i) => inheritedKeys(item, [...path, i]))
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([key, value]: [string, unknown]): ReadonlyArray<FileProblem> => {
    const inner = inheritedKeys(value, [...path, key])
    if (!inherited.has(key)) return inner
    const message = `\`${key}\` is a name that every object already has: choose another`
    return [{ rule: "prototype-key", path: [...path, key], at: "key", message }, ...inner]
  })
}

/** `offset`: the position of a repeated key in an object. */
const repeatedKey = (text: string, offset: number): FileProblem => {
  const name = String(getLocation(text, offset).path.at(-1))
  const message = `\`${name}\` occurs twice in one object, and only the last would count`
  return { rule: "duplicate-key", path: [], offset, message }
}

const brokenValue = (text: string, { isKey, kind, offset }: JsonFlaw): FileProblem => {
  const message =
    kind === "overflow"
      ? "a number is too large to be read"
      : `a ${isKey ? "key" : "string"} contains half of a surrogate pair`
  const { path } = getLocation(text, offset)
  return { rule: "not-json", path, offset, message, ...(isKey ? { at: "key" } : {}) }
}
