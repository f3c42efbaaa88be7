/** Decodes one rule file by its schema: rejects unknown keys, and explains every problem in a sentence. */

import { Result, Schema, type SchemaAST, type SchemaIssue } from "effect"
import { asCode } from "../../foreignText.ts"
import { problemsShownMax } from "../../limits.ts"
import { type FileProblem, inFile, type LintId, type Read } from "../Finding.ts"
import { didYouMean } from "../nearestName.ts"
import type { SourceFile } from "./readTree.ts"
import { snakeCase } from "./vocabulary.ts"

export const decodeFile = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  { file, json }: SourceFile
): Read<S["Type"]> =>
  decodedOnce(json, schema, () =>
    Schema.decodeUnknownResult(schema)(json, { errors: "all", onExcessProperty: "error" }).pipe(
      Result.mapError(({ issue }) => inFile(file, explainIssue(issue, json)))
    )
  )

const decoded = new WeakMap<object, Map<object, unknown>>()

/** The values decoded so far from this content, one per schema. */
export const decodedFrom = (json: unknown): ReadonlyArray<unknown> =>
  typeof json === "object" && json !== null ? [...(decoded.get(json)?.values() ?? [])] : []

/**
 * A changed rulebook shares unchanged content with the rulebook that it was made from, so each content is decoded only once per `schema`.
 */
export const decodedOnce = <A>(json: unknown, schema: object, decode: () => Read<A>): Read<A> => {
  if (typeof json !== "object" || json === null) return decode()
  const known = decoded.get(json) ?? new Map<object, unknown>()
  // The cast is safe: a schema decodes to one type.
  if (known.has(schema)) return Result.succeed(known.get(schema) as A)
  return Result.map(decode(), (value) => {
    decoded.set(json, known.set(schema, value))
    return value
  })
}

type Path = FileProblem["path"]

/** Keys whose absence is reported by a lint of its own. */
const missing: Readonly<Record<string, LintId>> = {
  why: "missing-why",
  misses: "missing-misses",
  owner: "missing-owner"
}

/** Further keys that json-rules-engine reads in a rule. */
const engineKeys = new Set(["priority", "onSuccess", "onFailure"])

const valueAt = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    json
  )

/** Checks of a whole object report the camelCase keys of the code. Returns the keys as written in the file. */
const asWritten = (json: unknown, path: Path): Path => {
  const written: Array<PropertyKey> = []
  for (const key of path) {
    const exists = (name: PropertyKey) => valueAt(json, [...written, name]) !== undefined
    const spelled = typeof key === "string" && !exists(key) ? snakeCase(key) : key
    written.push(exists(spelled) ? spelled : key)
  }
  return written
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const annotated = (annotations: object | undefined, key: "message" | "expected"): string | undefined => {
  const text: unknown = annotations === undefined ? undefined : Reflect.get(annotations, key)
  return typeof text === "string" ? text : undefined
}

const sentenceOf = ({ filter, issue }: SchemaIssue.Filter): string | undefined => {
  const own = annotated(filter.annotations, "message")
  if (own !== undefined) return own
  if (issue._tag === "InvalidValue" && annotated(issue.annotations, "message") !== undefined) return undefined
  const expected = annotated(filter.annotations, "expected")
  return expected === undefined ? undefined : `expected ${expected}`
}

const missingKey = (path: Path): FileProblem => {
  const key = String(path.at(-1))
  return { rule: missing[key] ?? "missing-key", path, message: `\`${key}\` is missing` }
}

const unknownKey = (path: Path, ast: SchemaAST.AST): FileProblem => {
  const key = path.at(-1)
  if (typeof key === "number") {
    return { rule: "wrong-value", path, message: "the list is too long: this item is not expected" }
  }
  const name = String(key)
  if (engineKeys.has(name)) {
    const message = `\`${name}\` is not part of the dialect: rules have no order and run no code`
    return { rule: "not-in-dialect", path, at: "key", message }
  }
  const pattern = keyPattern(ast)
  if (pattern !== undefined) {
    return { rule: "wrong-value", path, at: "key", message: `${pattern}, not \`${name}\`` }
  }
  const { hint, suggested } = didYouMean(name, keysOf(ast))
  return { rule: "unknown-key", path, at: "key", message: `unknown key \`${name}\`${hint}`, ...suggested }
}

/** A misspelled required key also shows up as a missing key: keeps the first problem and drops the second. */
const withoutMisspelt = (problems: ReadonlyArray<FileProblem>): ReadonlyArray<FileProblem> => {
  const place = (path: Path, key: unknown) => JSON.stringify([...path.slice(0, -1), key])
  const meant = new Set(
    problems.flatMap(({ path, rule, suggestion }) =>
      rule === "unknown-key" && suggestion !== undefined ? [place(path, suggestion)] : []
    )
  )
  return problems.filter(
    ({ message, path }) => !(message.endsWith("is missing") && meant.has(place(path, path.at(-1))))
  )
}

const invalidValue = (path: Path, json: unknown, sentence: string | undefined): FileProblem => {
  const value = valueAt(json, path)
  const key = String(path.at(-1))
  const rule = missing[key]
  if (rule !== undefined && value === "") return { rule, path, message: `\`${key}\` says nothing` }
  const message = lowerFirst(sentence ?? "is not expected here")
  const shown = typeof value === "object" || !message.startsWith("expected") ? "" : `, not ${quote(value)}`
  return { rule: "wrong-value", path, message: `${message}${shown}` }
}

const explain = (
  issue: SchemaIssue.Issue,
  json: unknown,
  path: Path,
  sentence?: string
): ReadonlyArray<FileProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return explain(issue.issue, json, asWritten(json, [...path, ...issue.path]), sentence)
    case "Encoding":
      return explain(issue.issue, json, path, sentence)
    case "Filter":
      return explain(issue.issue, json, path, sentence ?? sentenceOf(issue))
    case "Composite":
      return withoutMisspelt(
        issue.issues.slice(0, problemsShownMax).flatMap((inner) => explain(inner, json, path, sentence))
      )
    case "AnyOf": {
      const union = explainUnion(issue, valueAt(json, path), path)
      return union ?? issue.issues.flatMap((inner) => explain(inner, json, path, sentence))
    }
    case "MissingKey":
      return [missingKey(path)]
    case "UnexpectedKey":
      return [unknownKey(path, issue.ast)]
    case "InvalidType":
      return [explainType(issue.ast, valueAt(json, path), path)]
    default: {
      const own = "annotations" in issue ? annotated(issue.annotations, "message") : undefined
      return [invalidValue(path, json, own ?? sentence)]
    }
  }
}

const explainIssue = (issue: SchemaIssue.Issue, json: unknown): ReadonlyArray<FileProblem> =>
  explain(issue, json, [])

/** A longer list of names would not help the reader. */
const listedMax = 12

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Union") return ast.types.flatMap(literalsOf)
  return ast._tag === "Literal" ? [String(ast.literal)] : []
}

/** Explains that a value is not one of the allowed names. Null if the union has no names, or if the value is a list. */
const explainUnion = (
  { ast }: SchemaIssue.AnyOf,
  value: unknown,
  path: FileProblem["path"]
): ReadonlyArray<FileProblem> | null => {
  const names = literalsOf(ast)
  if (names.length === 0 || Array.isArray(value)) return null
  const list =
    names.length > listedMax ? "" : `, expected one of ${names.map((name) => `\`${name}\``).join(", ")}`
  if (typeof value !== "string") {
    return [{ rule: "wrong-type", path, message: `expected a name, not ${quote(value)}${list}` }]
  }
  const { hint, suggested } = didYouMean(value, names)
  return [
    { rule: "unknown-code", path, message: `unknown name ${asCode(value)}${hint || list}`, ...suggested }
  ]
}

/** A value as written in the file, shortened if it is long. */
const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return asCode(text.length > quoteMax ? `${text.slice(0, quoteMax)}…` : text)
}

const quoteMax = 60

const typeNames: Readonly<Record<string, string>> = {
  String: "a text",
  Number: "a number",
  Boolean: "true or false",
  Objects: "an object",
  Arrays: "a list"
}

/** The content of a string, if it would have the expected type without its quotes. */
const unquoted = (ast: SchemaAST.AST, value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined
  if (ast._tag === "Number" && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(value)) return value
  return ast._tag === "Boolean" && (value === "true" || value === "false") ? value : undefined
}

const explainType = (ast: SchemaAST.AST, value: unknown, path: FileProblem["path"]): FileProblem => {
  const suggestion = unquoted(ast, value)
  const expected = ast._tag === "Literal" ? quote(ast.literal) : (typeNames[ast._tag] ?? "another type")
  return {
    rule: "wrong-type",
    path,
    message: `expected ${expected}, not ${quote(value)}`,
    ...(suggestion === undefined ? {} : { suggestion })
  }
}

/** The rule for the keys of a record, in the words of its schema; undefined if every key is allowed. */
const keyPattern = (ast: SchemaAST.AST): string | undefined => {
  if (ast._tag !== "Objects") return undefined
  const [signature] = ast.indexSignatures
  return signature?.parameter.checks
    ?.map(({ annotations }) => annotations?.["message"])
    .find((message) => typeof message === "string")
}

/** The keys that the schema allows, as written in files. */
const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
