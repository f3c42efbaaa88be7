/** Reads the request and the snapshot of a recorded assessment; checks each field, because an export may be edited. */

import { Result } from "effect"
import type { Json, JsonObject } from "../../json/json.ts"
import { type Action, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import type { BehaviorSnapshot, Sum } from "../../domain/Behavior.ts"

interface RequestField {
  readonly name: keyof Action
  readonly accepts: (value: Json) => boolean
  readonly form: string
}

const textField: Omit<RequestField, "name"> = {
  accepts: (value) => typeof value === "string",
  form: "a string"
}
const flagField: Omit<RequestField, "name"> = {
  accepts: (value) => typeof value === "boolean",
  form: "true or false"
}
const countField: Omit<RequestField, "name"> = {
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  form: "a whole number from 0"
}
const objectField: Omit<RequestField, "name"> = {
  accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  form: "an object"
}

const oneOfField = (...words: ReadonlyArray<string>): Omit<RequestField, "name"> => {
  const known: ReadonlySet<Json> = new Set(words)
  return { accepts: (value) => known.has(value), form: `one of ${words.join(", ")}` }
}

const fields: ReadonlyMap<string, RequestField> = new Map<string, RequestField>([
  [
    "action_type",
    {
      name: "actionType",
      accepts: (value) => typeof value === "string" && value.trim() !== "",
      form: "a string that is not blank"
    }
  ],
  ["environment", { name: "environment", ...oneOfField(...environments) }],
  ["agent_id", { name: "agentId", ...textField }],
  ["target_system", { name: "targetSystem", ...textField }],
  ["target_resource", { name: "targetResource", ...textField }],
  ["action_description", { name: "actionDescription", ...textField }],
  ["entities_affected", { name: "entitiesAffected", ...countField }],
  ["records_affected", { name: "recordsAffected", ...countField }],
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
  ["destination", { name: "destination", ...textField }],
  ["data_classification", { name: "dataClassification", ...oneOfField(...dataClassifications, "unknown") }],
  ["reversibility", { name: "reversibility", ...oneOfField(...reversibilities, "unknown") }],
  ["privilege_change", { name: "privilegeChange", ...flagField }],
  ["production_impact", { name: "productionImpact", ...flagField }],
  ["metadata", { name: "metadata", ...objectField }],
  ["context", { name: "context", ...objectField }]
])

/** Fails with the problem of the first invalid field. */
export const readRecordedRequest = (request: JsonObject): Result.Result<Action, string> => {
  const action: Record<string, Json> = {}
  for (const key in request) {
    const value = request[key]
    const field = fields.get(key)
    if (field === undefined || value === undefined)
      return Result.fail(`input has \`${key}\`, which is no field of a request`)
    if (!field.accepts(value)) return Result.fail(`input.${key} is not ${field.form}`)
    // Turns -0 into 0: no figure of an action has a sign.
    action[field.name] = value === 0 ? 0 : value
  }
  if (action["actionType"] === undefined) return Result.fail("input has no action_type")
  if (action["environment"] === undefined) return Result.fail("input has no environment")
  // Invariant: `fields` has every key and accepted its value, and both required keys are present.
  return Result.succeed(action as unknown as Action)
}

class InvalidSnapshot extends Error {}

type Members = Readonly<Record<string, Json>>

const objectAt = (of: Members, key: string): Members => {
  const value = of[key]
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidSnapshot(`${key} is no object`)
  // Invariant: an object that is neither null nor an array.
  return value as Members
}

const countAt = (of: Members, key: string): number => {
  const value = of[key]
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  throw new InvalidSnapshot(`${key} is not a whole number from 0`)
}

const countOrNullAt = (of: Members, key: string): number | null =>
  of[key] === null ? null : countAt(of, key)

const flagAt = (of: Members, key: string): boolean => {
  const value = of[key]
  if (typeof value === "boolean") return value
  throw new InvalidSnapshot(`${key} is neither true nor false`)
}

const textAt = (of: Members, key: string): string => {
  const value = of[key]
  if (typeof value === "string") return value
  throw new InvalidSnapshot(`${key} is no string`)
}

const destinationOf = (snapshot: Members): BehaviorSnapshot["destination"] => {
  if (snapshot["destination"] === null) return null
  const destination = objectAt(snapshot, "destination")
  return {
    days: countAt(destination, "days"),
    firstSeenHours: countAt(destination, "first_seen_hours"),
    largestEntities: countAt(destination, "largest_entities"),
    largestUsdCents: countAt(destination, "largest_usd_cents"),
    lookalike: flagAt(destination, "lookalike")
  }
}

const sumAt = (of: Members, key: string): Sum => {
  const sum = objectAt(of, key)
  return { entities: countAt(sum, "entities"), usdCents: countAt(sum, "usd_cents") }
}

const toSnapshot = (snapshot: Members): BehaviorSnapshot => {
  const entityVolume = objectAt(snapshot, "entity_volume")
  const financialValue = objectAt(snapshot, "financial_value")
  const velocity = objectAt(snapshot, "velocity")
  const otherSums = objectAt(snapshot, "other_sums")
  const today = objectAt(snapshot, "today")
  return {
    takenAt: textAt(snapshot, "taken_at"),
    windowDays: countAt(snapshot, "window_days"),
    sampleSize: countAt(snapshot, "sample_size"),
    entityVolume: { units: countAt(entityVolume, "units"), median: countOrNullAt(entityVolume, "median") },
    financialValue: {
      units: countAt(financialValue, "units"),
      medianUsdCents: countOrNullAt(financialValue, "median_usd_cents")
    },
    velocity: {
      lastHour: countAt(velocity, "last_hour"),
      p95PerHour: countOrNullAt(velocity, "p95_per_hour"),
      days: countAt(velocity, "days"),
      hours: countAt(velocity, "hours")
    },
    destination: destinationOf(snapshot),
    actionTypeSeen: flagAt(snapshot, "action_type_seen"),
    agentSeen: flagAt(snapshot, "agent_seen"),
    last24Hours: sumAt(snapshot, "last_24_hours"),
    otherSums: {
      destination: otherSums["destination"] === null ? null : sumAt(otherSums, "destination"),
      organization: sumAt(otherSums, "organization")
    },
    usualDay: { days: countAt(objectAt(snapshot, "usual_day"), "days"), ...sumAt(snapshot, "usual_day") },
    today: {
      units: countAt(today, "units"),
      actionTypeSeen: flagAt(today, "action_type_seen"),
      destinationSeen: flagAt(today, "destination_seen")
    }
  }
}

/** Reads the snapshot in the form that evidence has. Fails with the problem of the first invalid member. */
export const readRecordedSnapshot = (snapshot: Json): Result.Result<BehaviorSnapshot, string> => {
  try {
    return Result.succeed(toSnapshot(objectAt({ snapshot }, "snapshot")))
  } catch (cause) {
    if (cause instanceof InvalidSnapshot) return Result.fail(`evidence.behavior_snapshot: ${cause.message}`)
    throw cause
  }
}
