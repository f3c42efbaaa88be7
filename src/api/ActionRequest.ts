/** Wire JSON to the domain's `Action`, or every problem of it at once. */

import { Result, Schema } from "effect"
import type { Action, Json, JsonObject } from "../domain/Action.ts"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import type { Problem } from "./Failures.ts"
import { isObject, objectReader } from "./readObject.ts"

/** Strict JSON has been read: what free-form objects hold is JSON, and is not walked a second time. */
const FreeForm = Schema.optionalKey(Schema.declare(isObject).annotate({ message: "must be an object" }))

const read = objectReader(
  Schema.Struct({ ...AssessmentRequest.fields, metadata: FreeForm, context: FreeForm })
)

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
  // Invariant: `read` accepted the body, and `names` maps its fields one to one.
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
): Result.Result<AcceptedAction, ReadonlyArray<Problem>> =>
  Result.map(read(value, mayHoldNul), () => ({
    action: toAction(value as JsonObject),
    // Invariant: only an object is accepted.
    body: value as JsonObject
  }))
