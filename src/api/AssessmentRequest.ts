/** The assessment request as it goes over the wire (specification 2.1): the contract's side of `ActionRequest.ts`. */

import { Schema } from "effect"
import { dataClassifications, environments, reversibilities } from "../domain/Action.ts"
import {
  actionDescriptionMax,
  actionTypeMax,
  agentIdMax,
  destinationMax,
  targetResourceMax,
  targetSystemMax
} from "../Limits.ts"
import { flag, oneOf, text } from "./requestFields.ts"

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
  action_type: text(
    actionTypeMax,
    "Provider-native or generic name of the action, such as s3:DeleteBucket."
  ).check(
    Schema.makeFilter((value: string) => value.trim() !== "", {
      message: "must not be blank",
      toJsonSchema: () => ({ minLength: 1, pattern: "\\S" })
    })
  ),
  environment: oneOf(environments),
  agent_id: optional(text(agentIdMax, "Your identifier of the acting agent; used for behavioral context.")),
  target_system: optional(text(targetSystemMax, "System of record that is targeted.")),
  target_resource: optional(text(targetResourceMax, "Object or resource that is targeted.")),
  action_description: optional(text(actionDescriptionMax, "What the action does, for people.")),
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
  destination: optional(text(destinationMax, "Where data or value goes.")),
  data_classification: optional(oneOf([...dataClassifications, "unknown"])),
  reversibility: optional(oneOf([...reversibilities, "unknown"])),
  privilege_change: optional(flag("True when permissions, roles or credentials change.")),
  production_impact: optional(flag("True when live operational dependencies are affected.")),
  metadata: optional(freeForm("Free-form context; echoed into the stored record, never scored.")),
  context: optional(freeForm("Workflow context; echoed into the stored record, never scored."))
}).annotate({ identifier: "AssessmentRequest" })
export type AssessmentRequest = typeof AssessmentRequest.Encoded
