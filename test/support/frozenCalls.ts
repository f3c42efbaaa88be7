/** Calls that never change, for comparing what the first edition says of them with what it once said. */

import { type Action, dataClassifications, environments, reversibilities } from "../../src/domain/Action.ts"
import type { Behavior } from "../../src/domain/Behavior.ts"

export interface FrozenCall {
  readonly action: Action
  readonly behavior: Behavior
}

/** Mulberry32. No library draws these calls, so that no upgrade of one changes them. */
const dice = (seed: number) => (sides: number) => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % sides
}

const counts = [0, 1, 2, 40, 100, 999, 1_000, 25_000, 1_000_000]
const resources = ["prod-db", "*", "audit_logs/2026", "customers", "backups", "admin-role", "staging/api_key"]
const systems = ["stripe", "aws", "PRODdb", "okta", "internal", "github"]
const destinations = [
  "s3://backup/x",
  "https://Evil.example/?q=1",
  "mailto:a@example.com",
  "",
  "vendor.example"
]

const behaviorOf = (one: <A>(list: ReadonlyArray<A>) => A, destination: string | undefined): Behavior => {
  const flag = () => one([true, false])
  if (one([true, false, false, false])) return "unavailable"
  const sampleSize = one([0, 1, 4, 60])
  return {
    takenAt: "2026-11-22T12:00:00.000Z",
    windowDays: 30,
    sampleSize,
    entityVolume: { units: sampleSize, median: sampleSize === 0 ? null : one(counts) },
    financialValue: { units: sampleSize, medianUsdCents: sampleSize === 0 ? null : one(counts) },
    velocity: {
      lastHour: one([1, 5, 300]),
      p95PerHour: one([null, 1, 20]),
      days: one([0, 3, 9]),
      hours: one([0, 30])
    },
    destination:
      destination === undefined
        ? null
        : {
            days: one([0, 1, 5]),
            firstSeenHours: one([0, 10, 200]),
            largestEntities: one(counts),
            largestUsdCents: one(counts),
            lookalike: flag()
          },
    actionTypeSeen: flag(),
    agentSeen: flag(),
    last24Hours: { entities: one(counts), usdCents: one(counts) * 100 }
  }
}

/** One call for each action type, with other fields at random: about half of them are stated. */
export const frozenCalls = (actionTypes: ReadonlyArray<string>, seed: number): ReadonlyArray<FrozenCall> => {
  const roll = dice(seed)
  const one = <A>(list: ReadonlyArray<A>): A => {
    const found = list[roll(list.length)]
    if (found === undefined && list.length === 0) throw new Error("nothing to choose from")
    return found as A
  }
  const perhaps = <A>(name: string, values: ReadonlyArray<A>) =>
    one([true, false]) ? { [name]: one(values) } : {}
  return actionTypes.map((actionType) => {
    const action: Action = {
      actionType,
      environment: one(environments),
      ...perhaps("agentId", ["agent-7", " ", "crew"]),
      ...perhaps("targetSystem", systems),
      ...perhaps("targetResource", resources),
      ...perhaps("entitiesAffected", counts),
      ...perhaps("recordsAffected", counts),
      ...perhaps("financialValue", [0, 12.5, 900, 48_000, 3_000_000]),
      ...perhaps("currency", ["USD", "eur", "JPY", "XYZ"]),
      ...perhaps("destination", destinations),
      ...perhaps("dataClassification", [...dataClassifications, "unknown"]),
      ...perhaps("reversibility", [...reversibilities, "unknown"]),
      ...perhaps("privilegeChange", [true, false]),
      ...perhaps("productionImpact", [true, false])
    }
    return { action, behavior: behaviorOf(one, action.destination) }
  })
}
