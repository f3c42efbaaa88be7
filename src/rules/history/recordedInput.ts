/** Reads the request and the snapshot of a recorded assessment. Checks each field, because an export may have been edited. */

import { Result } from "effect"
import { isRecord, type Json, type JsonObject } from "../../json/json.ts"
import { type Action, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import { snakeCase } from "../files/vocabulary.ts"

interface Field {
  readonly accepts: (value: Json) => boolean
  readonly form: string
}

const text: Field = { accepts: (value) => typeof value === "string", form: "a string" }
const flag: Field = { accepts: (value) => typeof value === "boolean", form: "true or false" }
const count: Field = {
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  form: "a whole number from 0"
}
const object: Field = { accepts: isRecord, form: "an object" }

const oneOf = (...words: ReadonlyArray<string>): Field => {
  const known: ReadonlySet<Json> = new Set(words)
  return { accepts: (value) => known.has(value), form: `one of ${words.join(", ")}` }
}

const requestFields: Readonly<Record<keyof Action, Field>> = {
  actionType: {
    accepts: (value) => typeof value === "string" && value.trim() !== "",
    form: "a string that is not blank"
  },
  environment: oneOf(...environments),
  agentId: text,
  targetSystem: text,
  targetResource: text,
  actionDescription: text,
  entitiesAffected: count,
  recordsAffected: count,
  financialValue: {
    accepts: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
    form: "a number from 0"
  },
  currency: {
    accepts: (value) => typeof value === "string" && /^[A-Za-z]{3}$/.test(value),
    form: "three letters"
  },
  destination: text,
  dataClassification: oneOf(...dataClassifications, "unknown"),
  reversibility: oneOf(...reversibilities, "unknown"),
  privilegeChange: flag,
  productionImpact: flag,
  metadata: object,
  context: object
}

/** Keyed by the names in a request. */
const fields = new Map(
  Object.entries(requestFields).map(([name, field]) => [snakeCase(name), { name, ...field }])
)

/** Fails with the problem of the first invalid field. */
export const readRecordedRequest = (request: JsonObject): Result.Result<Action, string> => {
  const action: Record<string, Json> = {}
  for (const key in request) {
    const value = request[key]
    const field = fields.get(key)
    if (field === undefined || value === undefined)
      return Result.fail(`input has \`${key}\`, which is not a field of a request`)
    if (!field.accepts(value)) return Result.fail(`input.${key} is not ${field.form}`)
    // Turns -0 into 0: no figure of an action is signed.
    action[field.name] = value === 0 ? 0 : value
  }
  if (action["actionType"] === undefined) return Result.fail("input lacks action_type")
  if (action["environment"] === undefined) return Result.fail("input lacks environment")
  // Invariant: `fields` has every key and accepted its value, and both required keys are present.
  return Result.succeed(action as unknown as Action)
}

class InvalidSnapshot extends Error {}

/** Reads the member `key` of a snapshot. */
type Reader<A> = (value: Json | undefined, key: string) => A

const countOf: Reader<number> = (value, key) => {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  throw new InvalidSnapshot(`${key} is not a whole number from 0`)
}

const flagOf: Reader<boolean> = (value, key) => {
  if (typeof value === "boolean") return value
  throw new InvalidSnapshot(`${key} is neither true nor false`)
}

const textOf: Reader<string> = (value, key) => {
  if (typeof value === "string") return value
  throw new InvalidSnapshot(`${key} is not a string`)
}

const orNull =
  <A>(read: Reader<A>): Reader<A | null> =>
  (value, key) =>
    value === null ? null : read(value, key)

type CamelCase<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : S

/** Reads an object with these members, and gives them camelCase names. */
const objectOf = <Shape extends Readonly<Record<string, Reader<unknown>>>>(
  shape: Shape
): Reader<{ readonly [K in keyof Shape as CamelCase<K>]: ReturnType<Shape[K]> }> => {
  const members = Object.entries(shape).map(
    ([key, read]) => [key, key.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()), read] as const
  )
  return (value, key) => {
    if (!isRecord(value)) throw new InvalidSnapshot(`${key} is not an object`)
    const made: Record<string, unknown> = {}
    // Invariant: parsed JSON contains only JSON.
    for (const [name, camel, read] of members) made[camel] = read(value[name] as Json, name)
    return made as ReturnType<ReturnType<typeof objectOf<Shape>>>
  }
}

const sum = { entities: countOf, usd_cents: countOf }

const readSnapshot: Reader<BehaviorSnapshot> = objectOf({
  taken_at: textOf,
  window_days: countOf,
  sample_size: countOf,
  entity_volume: objectOf({ units: countOf, median: orNull(countOf) }),
  financial_value: objectOf({ units: countOf, median_usd_cents: orNull(countOf) }),
  velocity: objectOf({ last_hour: countOf, p95_per_hour: orNull(countOf), days: countOf, hours: countOf }),
  destination: orNull(
    objectOf({
      days: countOf,
      first_seen_hours: countOf,
      largest_entities: countOf,
      largest_usd_cents: countOf,
      lookalike: flagOf
    })
  ),
  action_type_seen: flagOf,
  agent_seen: flagOf,
  last_24_hours: objectOf(sum),
  other_sums: objectOf({ destination: orNull(objectOf(sum)), organization: objectOf(sum) }),
  usual_day: objectOf({ days: countOf, ...sum }),
  today: objectOf({ units: countOf, action_type_seen: flagOf, destination_seen: flagOf })
})

/** Reads a snapshot in the format of the evidence. Fails with the problem of the first invalid member. */
export const readRecordedSnapshot = (snapshot: Json): Result.Result<BehaviorSnapshot, string> => {
  try {
    return Result.succeed(readSnapshot(snapshot, "snapshot"))
  } catch (cause) {
    if (cause instanceof InvalidSnapshot) return Result.fail(`evidence.behavior_snapshot: ${cause.message}`)
    throw cause
  }
}
