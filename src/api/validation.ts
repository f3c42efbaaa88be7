/** Validation of requests: the kinds of fields with their messages, the readers that report every problem at once, and the failure that lists them. */

import { Exit, Result, Schema, SchemaIssue } from "effect"
import type { Json, JsonObject } from "../json/json.ts"
import { errorDetailsMax, idempotencyKeyMax } from "../limits.ts"
import { type Problem, ValidationFailed } from "./Failures.ts"

/** `isMaxLength` counts UTF-16 units, the service counts code points as JSON Schema does: hence the own check. */
export const textField = (max: number, description: string) =>
  Schema.String.annotate({ message: "must be a string" })
    .check(
      Schema.makeFilter((value: string) => value.length <= max || [...value].length <= max, {
        message: `must have at most ${max.toLocaleString("en-US")} characters`,
        toJsonSchema: () => ({ maxLength: max })
      })
    )
    .annotate({ description })

export const oneOfField = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Schema.Literals(names).annotate({ message: `must be one of ${names.join(", ")}` })

export const flagField = (description: string) =>
  Schema.Boolean.annotate({ message: "must be true or false", description })

/** A request's body against its schema: what it says, or every problem of it at once. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return "is not a field of this request"
    return SchemaIssue.defaultLeafHook(issue)
  }
})

const problemsOf = (exit: Exit.Exit<unknown, Schema.SchemaError>): ReadonlyArray<Problem> => {
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return []
  return formatIssues(error.value.issue).issues.map((issue) => ({
    field: (issue.path ?? []).map(String).join("."),
    message: issue.message
  }))
}

const holdsNul = (value: Json): boolean => {
  if (typeof value === "string") return value.includes("\0")
  if (Array.isArray(value)) return value.some(holdsNul)
  return (
    isJsonObject(value) && Object.entries(value).some(([key, inner]) => key.includes("\0") || holdsNul(inner))
  )
}

/** U+0000 cannot be stored as text; the problem is told of the top-level field that holds it. */
const nulProblems = (body: JsonObject): ReadonlyArray<Problem> =>
  Object.entries(body)
    .filter(([key, value]) => key.includes("\0") || holdsNul(value))
    .map(([field]) => ({ field, message: "must not contain the character U+0000" }))

/** `mayHoldNul`: whether the text was seen to spell U+0000 anywhere. Problems come unsorted. */
export const objectReader = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownExit(schema, { errors: "all", onExcessProperty: "error" })
  return (value: Json, mayHoldNul: boolean): Result.Result<A, ReadonlyArray<Problem>> => {
    if (!isJsonObject(value)) return Result.fail([{ field: "body", message: "must be a JSON object" }])
    const read = decode(value)
    const problems = [...problemsOf(read), ...(mayHoldNul ? nulProblems(value) : [])]
    return Exit.isSuccess(read) && problems.length === 0 ? Result.succeed(read.value) : Result.fail(problems)
  }
}

/**
 * All problems of a request as one failure: sorted by code points, cut at the limit.
 * UTF-8 sorts like code points; JavaScript's own order is that of UTF-16 units.
 */
const compareCodePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

export const validationFailed = (problems: ReadonlyArray<Problem>): ValidationFailed =>
  new ValidationFailed({
    details: problems
      .toSorted((a, b) => compareCodePoints(a.field, b.field) || compareCodePoints(a.message, b.message))
      .slice(0, errorDetailsMax)
  })

/**
 * The header that makes sending a request again harmless.
 * `promise`: what the same key and body give, a sentence.
 */
export const idempotencyKeyHeader = (promise: string) => ({
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,200}$/u)).annotate({
      description: `Unique per logical request, 1 to 200 visible ASCII characters. ${promise}`
    })
  )
})

/** The Idempotency-Key of a request; null without one. */
const visibleAscii = /^[\x21-\x7e]+$/

/** Node joins a repeated header with `, `: the space makes two keys as invalid as they are. */
export const readIdempotencyKey = (
  header: string | ReadonlyArray<string> | undefined
): Result.Result<string | null, ReadonlyArray<Problem>> => {
  if (header === undefined) return Result.succeed(null)
  const key = String(header)
  if (key.length <= idempotencyKeyMax && visibleAscii.test(key)) return Result.succeed(key)
  return Result.fail([
    { field: "idempotency-key", message: `must be 1 to ${idempotencyKeyMax} visible ASCII characters` }
  ])
}
