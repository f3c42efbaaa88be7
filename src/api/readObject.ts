/** A request's body against its schema: what it says, or every problem of it at once. */

import { Exit, Result, Schema, SchemaIssue } from "effect"
import type { Json, JsonObject } from "../domain/Action.ts"
import type { Problem } from "./Failures.ts"

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return "is not a field of this request"
    return SchemaIssue.defaultLeafHook(issue)
  }
})

const problemsOf = (exit: Exit.Exit<unknown, Schema.SchemaError>): ReadonlyArray<Problem> => {
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return []
  return format(error.value.issue).issues.map((issue) => ({
    field: (issue.path ?? []).map(String).join("."),
    message: issue.message
  }))
}

const holdsNul = (value: Json): boolean => {
  if (typeof value === "string") return value.includes("\0")
  if (Array.isArray(value)) return value.some(holdsNul)
  return (
    isObject(value) && Object.entries(value).some(([key, inner]) => key.includes("\0") || holdsNul(inner))
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
    if (!isObject(value)) return Result.fail([{ field: "body", message: "must be a JSON object" }])
    const read = decode(value)
    const problems = [...problemsOf(read), ...(mayHoldNul ? nulProblems(value) : [])]
    return Exit.isSuccess(read) && problems.length === 0 ? Result.succeed(read.value) : Result.fail(problems)
  }
}
