/** A recorded request as an action: the wire's fields, each checked, because a history may come from anywhere. */

import { Result } from "effect"
import {
  type Action,
  dataClassifications,
  environments,
  type Json,
  type JsonObject,
  reversibilities
} from "../../domain/Action.ts"

interface Field {
  readonly name: keyof Action
  readonly accepts: (value: Json) => boolean
  readonly form: string
}

const text: Omit<Field, "name"> = { accepts: (value) => typeof value === "string", form: "a string" }
const flag: Omit<Field, "name"> = { accepts: (value) => typeof value === "boolean", form: "true or false" }
const count: Omit<Field, "name"> = {
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  form: "a whole number from 0"
}
const anything: Omit<Field, "name"> = {
  accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  form: "an object"
}

const oneOf = (...words: ReadonlyArray<string>): Omit<Field, "name"> => {
  const known: ReadonlySet<Json> = new Set(words)
  return { accepts: (value) => known.has(value), form: `one of ${words.join(", ")}` }
}

const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  [
    "action_type",
    {
      name: "actionType",
      accepts: (value) => typeof value === "string" && value.trim() !== "",
      form: "a string that is not blank"
    }
  ],
  ["environment", { name: "environment", ...oneOf(...environments) }],
  ["agent_id", { name: "agentId", ...text }],
  ["target_system", { name: "targetSystem", ...text }],
  ["target_resource", { name: "targetResource", ...text }],
  ["action_description", { name: "actionDescription", ...text }],
  ["entities_affected", { name: "entitiesAffected", ...count }],
  ["records_affected", { name: "recordsAffected", ...count }],
  [
    "financial_value",
    {
      name: "financialValue",
      accepts: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
      form: "a number from 0"
    }
  ],
  [
    "currency",
    {
      name: "currency",
      accepts: (value) => typeof value === "string" && /^[A-Za-z]{3}$/.test(value),
      form: "three letters"
    }
  ],
  ["destination", { name: "destination", ...text }],
  ["data_classification", { name: "dataClassification", ...oneOf(...dataClassifications, "unknown") }],
  ["reversibility", { name: "reversibility", ...oneOf(...reversibilities, "unknown") }],
  ["privilege_change", { name: "privilegeChange", ...flag }],
  ["production_impact", { name: "productionImpact", ...flag }],
  ["metadata", { name: "metadata", ...anything }],
  ["context", { name: "context", ...anything }]
])

/** What is wrong is said of the first field that is. */
export const readRequest = (request: JsonObject): Result.Result<Action, string> => {
  const action: Record<string, Json> = {}
  for (const key in request) {
    const value = request[key]
    const field = fields.get(key)
    if (field === undefined || value === undefined)
      return Result.fail(`input has \`${key}\`, which is no field of a request`)
    if (!field.accepts(value)) return Result.fail(`input.${key} is not ${field.form}`)
    // -0 is 0: no figure of an action has a sign.
    action[field.name] = value === 0 ? 0 : value
  }
  if (action["actionType"] === undefined) return Result.fail("input has no action_type")
  if (action["environment"] === undefined) return Result.fail("input has no environment")
  // Invariant: every key was found in `fields` and its value accepted, and the two required ones are there.
  return Result.succeed(action as unknown as Action)
}
