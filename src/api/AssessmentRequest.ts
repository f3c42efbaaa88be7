/** The assessment request on the wire (specification 2.1), and how it becomes the domain's `Action` or every problem of it at once. */

import { Result, Schema } from "effect"
import type { Json, JsonObject } from "../json/json.ts"
import { type Action, dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import {
  actionDescriptionMax,
  actionTypeMax,
  agentIdMax,
  destinationMax,
  targetResourceMax,
  targetSystemMax
} from "../limits.ts"
import type { Problem } from "./Failures.ts"
import { flagField, isJsonObject, objectReader, oneOfField, textField } from "./validation.ts"

const count = (description: string) =>
  Schema.Number.annotate({ message: "must be an integer" })
    // One check, because one fault is one problem: a number beyond the range is an integer all the same.
    .check(
      Schema.makeFilter((value: number) => Number.isSafeInteger(value) && value >= 0, {
        message: "must be an integer from 0 to 9,007,199,254,740,991",
        toJsonSchema: () => ({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
      })
    )
    .annotate({ description })

const freeForm = (description: string) =>
  Schema.Record(Schema.String, Schema.Json).annotate({ message: "must be an object", description })

const optional = Schema.optionalKey

export const AssessmentRequest = Schema.Struct({
  action_type: textField(
    actionTypeMax,
    "Provider-native or generic name of the action, such as s3:DeleteBucket."
  ).check(
    Schema.makeFilter((value: string) => value.trim() !== "", {
      message: "must not be blank",
      toJsonSchema: () => ({ minLength: 1, pattern: "\\S" })
    })
  ),
  environment: oneOfField(environments),
  agent_id: optional(
    textField(agentIdMax, "Your identifier of the acting agent; used for behavioral context.")
  ),
  target_system: optional(textField(targetSystemMax, "System of record that is targeted.")),
  target_resource: optional(textField(targetResourceMax, "Object or resource that is targeted.")),
  action_description: optional(textField(actionDescriptionMax, "What the action does, for people.")),
  entities_affected: optional(count("Number of distinct entities in scope.")),
  records_affected: optional(count("Number of records in scope.")),
  financial_value: optional(
    Schema.Number.annotate({ message: "must be a number" })
      .check(
        Schema.isFinite({ message: "must be a finite number" }),
        Schema.isGreaterThanOrEqualTo(0, { message: "must be a number from 0 upwards" })
      )
      .annotate({ description: "Monetary exposure in units of `currency`." })
  ),
  currency: optional(
    Schema.String.annotate({ message: "must be a string" })
      .check(Schema.isPattern(/^[A-Za-z]{3}$/u, { message: "must be three ASCII letters, such as USD" }))
      .annotate({ description: "ISO 4217 code, in any case." })
  ),
  destination: optional(textField(destinationMax, "Where data or value goes.")),
  data_classification: optional(oneOfField([...dataClassifications, "unknown"])),
  reversibility: optional(oneOfField([...reversibilities, "unknown"])),
  privilege_change: optional(flagField("True when permissions, roles or credentials change.")),
  production_impact: optional(flagField("True when live operational dependencies are affected.")),
  metadata: optional(freeForm("Free-form context; echoed into the stored record, never scored.")),
  context: optional(freeForm("Workflow context; echoed into the stored record, never scored."))
}).annotate({ identifier: "AssessmentRequest" })
export type AssessmentRequest = typeof AssessmentRequest.Encoded

/**
 * Wire JSON to the domain's `Action`, or every problem of it at once.
 * Strict JSON has been read: what free-form objects hold is JSON, and is not walked a second time.
 */
const FreeForm = Schema.optionalKey(Schema.declare(isJsonObject).annotate({ message: "must be an object" }))

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

interface AcceptedAction {
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
