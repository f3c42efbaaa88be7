/** Wire JSON to the domain's `Action`, or every problem of it at once. */

import { Exit, Result, Schema, SchemaIssue } from "effect"
import type { Action, Json, JsonObject } from "../domain/Action.ts"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import type { Problem } from "./Failures.ts"

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Strict JSON has been read: what free-form objects hold is JSON, and is not walked a second time. */
const FreeForm = Schema.optionalKey(Schema.declare(isObject).annotate({ message: "must be an object" }))

const decode = Schema.decodeUnknownExit(
  Schema.Struct({ ...AssessmentRequest.fields, metadata: FreeForm, context: FreeForm }),
  { errors: "all", onExcessProperty: "error" }
)

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

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const names = Object.keys(AssessmentRequest.fields).map((field) => [field, camel(field)] as const)

/** Only the fields that were stated; metadata and context stay the caller's own objects. */
const toAction = (body: JsonObject): Action => {
  const action: Record<string, Json> = {}
  for (const [field, name] of names) {
    const value = body[field]
    // -0 is 0: no figure of an action has a sign.
    if (value !== undefined) action[name] = value === 0 ? 0 : value
  }
  // Invariant: `decode` accepted the body, and `names` maps its fields one to one.
  return action as unknown as Action
}

export interface AcceptedAction {
  readonly action: Action
  /** The wire JSON that was accepted: what equality and evidence are about. */
  readonly body: JsonObject
}

/** `mayHoldNul`: whether the text was seen to spell U+0000 anywhere. Problems come unsorted. */
export const readActionRequest = (
  value: Json,
  mayHoldNul: boolean
): Result.Result<AcceptedAction, ReadonlyArray<Problem>> => {
  if (!isObject(value)) return Result.fail([{ field: "body", message: "must be a JSON object" }])
  const problems = [...problemsOf(decode(value)), ...(mayHoldNul ? nulProblems(value) : [])]
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({ action: toAction(value), body: value })
}
