/** The assessment request on the wire (specification 2.1), and its reader, which returns the domain's `Action` or every problem. */

import { Result, Schema } from "effect"
import { type Action, dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import { isRecord, type Json, type JsonObject } from "../json/json.ts"
import {
  actionDescriptionMax,
  actionTypeMax,
  agentIdMax,
  destinationMax,
  targetResourceMax,
  targetSystemMax
} from "../limits.ts"
import type { Problem } from "./Failures.ts"
import { flagField, objectReader, oneOfField, textField } from "./validation.ts"

const countMessage = { message: "must be an integer from 0 to 9,007,199,254,740,991" }

const count = (description: string) =>
  Schema.Number.annotate({ message: "must be an integer" })
    // Uses Effect's own check, because otherwise the JSON Schema of the number would also allow "Infinity" and "NaN". It aborts, so that
    // one wrong number gives one problem.
    .check(Schema.isInt(countMessage).abort(), Schema.isGreaterThanOrEqualTo(0, countMessage))
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
  target_resource: optional(
    textField(
      targetResourceMax,
      "Object or resource that is targeted: an id, a path, the command or statement of a tool that takes one, or the tool's arguments as JSON, cut off where they are longer."
    )
  ),
  action_description: optional(textField(actionDescriptionMax, "A description of the action, for people.")),
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
  metadata: optional(
    freeForm(
      "Free-form context, stored with the answer. Two members of it are read. `tool_call` is the call as the host has it, `{name, arguments, server, left_out, annotations, input_schema}`: `arguments` is an object, `server` the name of the tool's server if it is known, and `left_out` the paths of arguments that were left out or cut (`$.sql`). `annotations` and `input_schema` are those of the tool as MCP has them; what a server says of its tool only raises. An argument fills a field that is not stated, and the larger of two figures counts. Another shape is no error, and counts as arguments that were not read. `command` is a whole command whose beginning is in `target_resource`; otherwise it only raises the score."
    )
  ),
  context: optional(
    freeForm(
      "Workflow context, stored with the answer. One member of it is read: `instruction_source` says who asked for the action, `user`, `agent` or `untrusted_content` (a page, a mail, the result of a tool). The last of them only raises. `session`, 16 hexadecimal digits, names the run of the agent, by which questions to people are counted; it moves no score."
    )
  )
}).annotate({ identifier: "AssessmentRequest" })
export type AssessmentRequest = typeof AssessmentRequest.Encoded

/** A free-form object is parsed JSON already, so its content is not walked again. */
const FreeForm = Schema.optionalKey(Schema.declare(isRecord).annotate({ message: "must be an object" }))

const read = objectReader(
  Schema.Struct({ ...AssessmentRequest.fields, metadata: FreeForm, context: FreeForm })
)

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const names = Object.keys(AssessmentRequest.fields).map((field) => [field, camel(field)] as const)

/** Contains only the fields that the request states. `metadata` and `context` stay the caller's own objects. */
const toAction = (body: JsonObject): Action => {
  const action: Record<string, Json> = {}
  for (const [field, name] of names) {
    const value = body[field]
    // Turns -0 into 0: no number of an action is signed.
    if (value !== undefined) action[name] = value === 0 ? 0 : value
  }
  // Invariant: `read` accepted the body, and `names` maps its fields one to one.
  return action as unknown as Action
}

export interface AcceptedAction {
  readonly action: Action
  /** The accepted JSON body. Idempotency compares it, and the evidence stores it. */
  readonly body: JsonObject
}

/** `mayHoldNul`: whether some string in the body contains U+0000. Problems are unsorted. */
export const readActionRequest = (
  value: Json,
  mayHoldNul: boolean
): Result.Result<AcceptedAction, ReadonlyArray<Problem>> =>
  Result.map(read(value, mayHoldNul), () => ({
    // Invariant: `read` accepts only an object.
    action: toAction(value as JsonObject),
    body: value as JsonObject
  }))

/** Outcomes that a caller with a test key can request by name, to test how it fails safe (contract 3.1). */
export const drills = ["incomplete", "unavailable", "rate-limited", "slow"] as const
export type Drill = (typeof drills)[number]
