/** What a schema has against a file, in sentences that say what to write instead. */

import type { SchemaAST, SchemaIssue } from "effect"
import { problemsToldMax } from "../../Limits.ts"
import type { LintId } from "../Lint.ts"
import { didYouMean } from "../nearestName.ts"
import type { Problem } from "../Problem.ts"
import { snakeCase } from "../files/fileStruct.ts"
import { explainUnion } from "./explainUnion.ts"
import { keyPattern, keysOf } from "./keysOf.ts"
import { explainType, quote } from "./explainType.ts"

type Path = Problem["path"]

/** Keys whose absence has a page of its own. */
const missing: Readonly<Record<string, LintId>> = {
  why: "missing-why",
  misses: "missing-misses",
  owner: "missing-owner"
}

/** What json-rules-engine reads of a rule beside its name, conditions and event. */
const engineKeys = new Set(["priority", "onSuccess", "onFailure"])

const valueAt = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    json
  )

/** A check of a whole object is told by the names that code has for its keys; files spell them in snake_case. */
const asWritten = (json: unknown, path: Path): Path => {
  const written: Array<PropertyKey> = []
  for (const key of path) {
    const there = (name: PropertyKey) => valueAt(json, [...written, name]) !== undefined
    const spelled = typeof key === "string" && !there(key) ? snakeCase(key) : key
    written.push(there(spelled) ? spelled : key)
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

const missingKey = (path: Path): Problem => {
  const key = String(path.at(-1))
  return { rule: missing[key] ?? "missing-key", path, message: `\`${key}\` is missing` }
}

const unknownKey = (path: Path, ast: SchemaAST.AST): Problem => {
  const key = path.at(-1)
  if (typeof key === "number") {
    return { rule: "wrong-value", path, message: "the list is too long: this one is not expected" }
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

/** A misspelt key is one mistake, although another key is missing for it. */
const withoutMisspelt = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
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

const invalidValue = (path: Path, json: unknown, sentence: string | undefined): Problem => {
  const value = valueAt(json, path)
  const key = String(path.at(-1))
  const rule = missing[key]
  if (rule !== undefined && value === "") return { rule, path, message: `\`${key}\` says nothing` }
  const message = lowerFirst(sentence ?? "is not what is expected here")
  const shown = typeof value === "object" || !message.startsWith("expected") ? "" : `, not ${quote(value)}`
  return { rule: "wrong-value", path, message: `${message}${shown}` }
}

const explain = (
  issue: SchemaIssue.Issue,
  json: unknown,
  path: Path,
  sentence?: string
): ReadonlyArray<Problem> => {
  switch (issue._tag) {
    case "Pointer":
      return explain(issue.issue, json, asWritten(json, [...path, ...issue.path]), sentence)
    case "Encoding":
      return explain(issue.issue, json, path, sentence)
    case "Filter":
      return explain(issue.issue, json, path, sentence ?? sentenceOf(issue))
    case "Composite":
      return withoutMisspelt(
        issue.issues.slice(0, problemsToldMax).flatMap((inner) => explain(inner, json, path, sentence))
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

export const explainIssue = (issue: SchemaIssue.Issue, json: unknown): ReadonlyArray<Problem> =>
  explain(issue, json, [])
