/** A recorded behaviour snapshot, back from the form in which evidence shows it. */

import { Result } from "effect"
import type { Json } from "../../domain/Action.ts"
import type { BehaviorSnapshot } from "../../domain/Behavior.ts"

class Wrong extends Error {}

type Members = Readonly<Record<string, Json>>

const members = (of: Members, key: string): Members => {
  const value = of[key]
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Wrong(`${key} is no object`)
  // Invariant: an object that is neither null nor an array.
  return value as Members
}

const count = (of: Members, key: string): number => {
  const value = of[key]
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  throw new Wrong(`${key} is not a whole number from 0`)
}

const countOrNull = (of: Members, key: string): number | null => (of[key] === null ? null : count(of, key))

const flag = (of: Members, key: string): boolean => {
  const value = of[key]
  if (typeof value === "boolean") return value
  throw new Wrong(`${key} is neither true nor false`)
}

const textOf = (of: Members, key: string): string => {
  const value = of[key]
  if (typeof value === "string") return value
  throw new Wrong(`${key} is no string`)
}

const destinationOf = (snapshot: Members): BehaviorSnapshot["destination"] => {
  if (snapshot["destination"] === null) return null
  const destination = members(snapshot, "destination")
  return {
    days: count(destination, "days"),
    firstSeenHours: count(destination, "first_seen_hours"),
    largestEntities: count(destination, "largest_entities"),
    largestUsdCents: count(destination, "largest_usd_cents"),
    lookalike: flag(destination, "lookalike")
  }
}

const snapshotOf = (snapshot: Members): BehaviorSnapshot => {
  const entityVolume = members(snapshot, "entity_volume")
  const financialValue = members(snapshot, "financial_value")
  const velocity = members(snapshot, "velocity")
  const last24Hours = members(snapshot, "last_24_hours")
  return {
    takenAt: textOf(snapshot, "taken_at"),
    windowDays: count(snapshot, "window_days"),
    sampleSize: count(snapshot, "sample_size"),
    entityVolume: { units: count(entityVolume, "units"), median: countOrNull(entityVolume, "median") },
    financialValue: {
      units: count(financialValue, "units"),
      medianUsdCents: countOrNull(financialValue, "median_usd_cents")
    },
    velocity: {
      lastHour: count(velocity, "last_hour"),
      p95PerHour: countOrNull(velocity, "p95_per_hour"),
      days: count(velocity, "days"),
      hours: count(velocity, "hours")
    },
    destination: destinationOf(snapshot),
    actionTypeSeen: flag(snapshot, "action_type_seen"),
    agentSeen: flag(snapshot, "agent_seen"),
    last24Hours: { entities: count(last24Hours, "entities"), usdCents: count(last24Hours, "usd_cents") }
  }
}

/** What is wrong is said of the first member that is. */
export const readSnapshot = (snapshot: Json): Result.Result<BehaviorSnapshot, string> => {
  try {
    return Result.succeed(snapshotOf(members({ snapshot }, "snapshot")))
  } catch (cause) {
    if (cause instanceof Wrong) return Result.fail(`evidence.behavior_snapshot: ${cause.message}`)
    throw cause
  }
}
