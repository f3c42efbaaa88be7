/** Validates requests: the kinds of fields, a reader that reports every problem at once, and the failure that lists them. */

import { Exit, Result, Schema, SchemaIssue } from "effect"
import { isRecord, type Json } from "../json/json.ts"
import { errorDetailsMax, idempotencyKeyMax } from "../limits.ts"
import { type Problem, ValidationFailed } from "./Failures.ts"

/** Counts code points, as JSON Schema does; Effect's `isMaxLength` counts UTF-16 units. */
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

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return "is not a field of this request"
    return SchemaIssue.defaultLeafHook(issue)
  }
})

const schemaProblems = (exit: Exit.Exit<unknown, Schema.SchemaError>): ReadonlyArray<Problem> => {
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
    isRecord(value) && Object.entries(value).some(([key, inner]) => key.includes("\0") || holdsNul(inner))
  )
}

/** PostgreSQL cannot store U+0000 in text. The problem names the top-level field that contains the character. */
const nulProblems = (body: Readonly<Record<string, Json>>): ReadonlyArray<Problem> =>
  Object.entries(body)
    .filter(([key, value]) => key.includes("\0") || holdsNul(value))
    .map(([field]) => ({ field, message: "must not contain the character U+0000" }))

/** Reads a JSON object by its schema. `mayHoldNul`: whether some string in the body contains U+0000. Problems are unsorted. */
export const objectReader = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownExit(schema, { errors: "all", onExcessProperty: "error" })
  return (value: Json, mayHoldNul: boolean): Result.Result<A, ReadonlyArray<Problem>> => {
    if (!isRecord(value)) return Result.fail([{ field: "body", message: "must be a JSON object" }])
    const read = decode(value)
    const problems = [...schemaProblems(read), ...(mayHoldNul ? nulProblems(value) : [])]
    return Exit.isSuccess(read) && problems.length === 0 ? Result.succeed(read.value) : Result.fail(problems)
  }
}

/** The problems of all failed readings, in the order of the readings. */
export const problemsOf = (
  ...readings: ReadonlyArray<Result.Result<unknown, ReadonlyArray<Problem>>>
): ReadonlyArray<Problem> => readings.flatMap((reading) => (Result.isFailure(reading) ? reading.failure : []))

/** JavaScript's default order compares UTF-16 units, which puts U+E000 to U+FFFF after the characters beyond U+FFFF. */
const compareCodePoints = (a: string, b: string): number => {
  const left = [...a]
  const right = [...b]
  const at = left.findIndex((char, index) => char !== right[index])
  if (at === -1) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1)
}

/** All problems of a request as one failure, sorted by code point and limited to `errorDetailsMax`. */
export const validationFailed = (problems: ReadonlyArray<Problem>): ValidationFailed =>
  new ValidationFailed({
    details: problems
      .toSorted((a, b) => compareCodePoints(a.field, b.field) || compareCodePoints(a.message, b.message))
      .slice(0, errorDetailsMax)
  })

/** The header that makes it safe for a client to repeat a request. `promise`: a sentence that says what a repeat returns. */
export const idempotencyKeyHeader = (promise: string) => ({
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyMax}}$`, "u"))
    ).annotate({
      description: `Unique per logical request, 1 to ${idempotencyKeyMax} visible ASCII characters. ${promise}`
    })
  )
})

const visibleAscii = /^[\x21-\x7e]+$/

/** The Idempotency-Key of a request; null without one. Node joins repeated headers with `, `, whose space fails the check. */
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
