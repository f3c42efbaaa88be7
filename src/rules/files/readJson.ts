/** Reads one rule file as JSON, strictly: what another reader could take for something else is refused. */

import { Result } from "effect"
import { type Node, parse, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import { encodingProblem, readBytes, scanJsonText } from "../../json/jsonText.ts"
import { problemsShownMax, ruleFileBytesMax } from "../../limits.ts"
import type { FileProblem } from "../Finding.ts"
import { nearestName } from "../nearestName.ts"

type JsonResult = Result.Result<unknown, ReadonlyArray<FileProblem>>

const refuse = (message: string, offset = 0): JsonResult =>
  Result.fail([{ rule: "unreadable-file", path: [], offset, message }])

const parseText = (text: string): Result.Result<unknown, FileProblem> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => explainSyntax(text) })

export const parseRuleJson = (bytes: Buffer): JsonResult => {
  const text = bytes.toString("utf8")
  const encoding = encodingProblem(bytes, text)
  if (encoding !== null) return refuse(encoding.message, encoding.offset)
  // Invariant: nothing that recurses over the value or the text runs before its depth is known to be small.
  const { keys, tooDeepAt } = scanJsonText(text)
  if (tooDeepAt !== null) return refuse("is nested deeper than any rule file needs to be", tooDeepAt)
  const json = parseText(text)
  if (Result.isFailure(json)) return Result.fail([json.failure])
  const problems = [
    ...refuseKeys(json.success, text, keys),
    ...refuseValues(json.success).slice(0, problemsShownMax)
  ]
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(json.success)
}

export const readRuleJson = (path: string): JsonResult => {
  const bytes = readBytes(path, ruleFileBytesMax)
  return typeof bytes === "string" ? refuse(bytes) : parseRuleJson(bytes)
}

/** Why a text is not JSON, in one sentence and with its place. */
const messages: Readonly<Record<string, string>> = {
  ColonExpected: "a colon is missing between key and value",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a closing `}` is missing: the file ends too early",
  CloseBracketExpected: "a closing `]` is missing: the file ends too early",
  EndOfFileExpected: "something stands after the end of the document",
  InvalidCommentToken: "comments are not part of JSON: put the reason into `why`",
  UnexpectedEndOfComment: "comments are not part of JSON: put the reason into `why`",
  UnexpectedEndOfString: "a text does not end on its line",
  UnexpectedEndOfNumber: "a number is not finished",
  InvalidUnicode: "`\\u` takes four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash escapes nothing here: write it twice",
  InvalidCharacter: "a control character stands in a text: escape it",
  PropertyNameExpected: "a key in double quotes is missing",
  ValueExpected: "a value is missing"
}

type Explained = Pick<FileProblem, "message" | "suggestion"> & { readonly offset: number }

const lastBefore = (text: string, offset: number): number => text.slice(0, offset).trimEnd().length - 1

/** A word that is no value: a key or a text without its quotes, or another language's constant. */
const explainWord = (text: string, { length, offset }: ParseError): Explained => {
  const word = text.slice(offset, offset + length).replaceAll(/\p{C}/gu, "")
  if (word.startsWith("'")) return { offset, message: "texts stand in double quotes, not in single ones" }
  if (
    text
      .slice(offset + length)
      .trimStart()
      .startsWith(":")
  ) {
    return { offset, message: `the key \`${word}\` must stand in double quotes`, suggestion: `"${word}"` }
  }
  const constant = nearestName(word.toLowerCase(), ["true", "false", "null"])
  return constant === undefined
    ? { offset, message: `\`${word}\` is no value in JSON` }
    : {
        offset,
        message: `\`${word}\` is no value in JSON, did you mean \`${constant}\`?`,
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
      message: `a comma stands before the closing \`${text.charAt(offset)}\`: remove it`
    }
  }
  if (name === "CommaExpected" && /\d/.test(text.charAt(offset)) && text.charAt(before) === "0") {
    return { offset: before, message: "a number does not start with 0" }
  }
  return { offset, message: messages[name] ?? "is not JSON here" }
}

/** Of a text that does not parse. */
const explainSyntax = (text: string): FileProblem => {
  const errors: Array<ParseError> = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors.toSorted((a, b) => a.offset - b.offset)
  // A control character in a text is the one thing that the engine refuses and the parser may forgive.
  const explained = first === undefined ? { offset: 0, message: "is not JSON" } : explain(text, first)
  return { rule: "not-json", path: [], ...explained }
}

/** Refuses keys that JSON permits and that change what a reader sees: repeated ones, and names of every object's own. */
type Path = FileProblem["path"]

const inherited = new Set(["__proto__", "constructor", "prototype"])

interface Keys {
  readonly count: number
  readonly inherited: ReadonlyArray<Path>
}

const none: Keys = { count: 0, inherited: [] }

const keysOf = (json: unknown, path: Path = []): Keys => {
  if (typeof json !== "object" || json === null) return none
  const entries: ReadonlyArray<readonly [PropertyKey, unknown]> = Array.isArray(json)
    ? json.map((value: unknown, i) => [i, value] as const)
    : Object.entries(json)
  let count = Array.isArray(json) ? 0 : entries.length
  const found: Array<Path> = []
  for (const [key, value] of entries) {
    if (inherited.has(String(key))) found.push([...path, key])
    if (typeof value !== "object") continue
    const inner = keysOf(value, [...path, key])
    count += inner.count
    found.push(...inner.inherited)
  }
  return { count, inherited: found }
}

/** The second and every further key of one name in one object. */
const repeatedKeys = (node: Node): ReadonlyArray<FileProblem> => {
  const seen = new Set<string>()
  const own = node.type === "object" ? (node.children ?? []) : []
  const repeated = own.flatMap(({ children: [key] = [] }): ReadonlyArray<FileProblem> => {
    if (key === undefined) return []
    const name = String(key.value)
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    const message = `\`${name}\` stands twice in one object, and only the last would count`
    return [{ rule: "duplicate-key", path: [], offset: key.offset, message }]
  })
  return [...repeated, ...(node.children ?? []).flatMap(repeatedKeys)]
}

/** `keysWritten` is how many keys the text has; the value has fewer where one is repeated. */
const refuseKeys = (json: unknown, text: string, keysWritten: number): ReadonlyArray<FileProblem> => {
  const { count, inherited: names } = keysOf(json)
  const tree = count === keysWritten ? undefined : parseTree(text)
  return [
    ...names.map((path): FileProblem => {
      const message = `\`${String(path.at(-1))}\` is a name that every object has already: choose another`
      return { rule: "prototype-key", path, at: "key", message }
    }),
    ...(tree === undefined ? [] : repeatedKeys(tree).slice(0, problemsShownMax))
  ]
}

/** Refuses values that the engine reads and no other reader agrees on: numbers that overflow, halves of characters. */
const problem = (path: Path, message: string, at?: "key"): ReadonlyArray<FileProblem> => [
  { rule: "not-json", path, message, ...(at === undefined ? {} : { at }) }
]

/** The value must be known not to nest deep. */
const refuseValues = (json: unknown, path: Path = []): ReadonlyArray<FileProblem> => {
  if (typeof json === "number") {
    return Number.isFinite(json) ? [] : problem(path, "a number is too large to be read")
  }
  if (typeof json === "string") {
    return json.isWellFormed() ? [] : problem(path, "a text holds half of a surrogate pair")
  }
  if (Array.isArray(json)) return json.flatMap((value: unknown, i) => refuseValues(value, [...path, i]))
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([key, value]: [string, unknown]) => [
    ...(key.isWellFormed() ? [] : problem([...path, key], "a key holds half of a surrogate pair", "key")),
    ...refuseValues(value, [...path, key])
  ])
}
