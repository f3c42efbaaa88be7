/** Reads the history of actions of today and lately, and whether their idempotency keys were answered, in one call of the database. */

import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import type { BaselineSettings } from "../../scoring/Numbers.ts"
import { type ArrayColumn, arrayParameters } from "../sql/rows.ts"
import { type BaselineWindow, noFigures } from "./BaselineWindow.ts"

export interface TodayQuery {
  readonly organizationId: string
  readonly baseline: BaselineSettings
  readonly record: HistoryRecord
  /** SHA-256 of the record's canonical form. */
  readonly fingerprint: Uint8Array
  /** Where the evidence of the past that is held ends. It is kept for a while after midnight (see `schema/behavior.sql`). */
  readonly heldUntil?: string
  /** The idempotency key of the request, where it has one. */
  readonly key?: string | null
}

/** Gives a row for each query, in their order: `read_behavior` is in `schema/behavior.sql`. */
export const todayStatement = `
SELECT * FROM read_behavior($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::boolean[], $9::int[],
  $10::boolean[], $11::text[]::date[], $12::text[], $13::text[])`

export interface TodayRow {
  readonly until: string
  readonly at_micros: number
  /** How many rejected reviews have taken something out of the organization's past. */
  readonly revision: number
  readonly units_lately: number
  readonly last_hour: number
  readonly destination_days: number
  readonly destination_hours: number
  readonly largest_entities: number
  readonly largest_usd_cents: number
  readonly agent_entities: number
  readonly agent_usd_cents: number
  readonly destination_entities: number
  readonly destination_usd_cents: number
  readonly organization_entities: number
  readonly organization_usd_cents: number
  readonly action_type_seen: boolean
  readonly action_type_seen_lately: boolean
  readonly agent_seen: boolean
  readonly destination_seen_lately: boolean
  /** Whether the idempotency key was answered and has not expired. */
  readonly answered: boolean
}

const parameters: ReadonlyArray<ArrayColumn<TodayQuery>> = [
  ["text", ({ organizationId }) => organizationId],
  ["bytea", ({ fingerprint }) => fingerprint],
  ["text", ({ record }) => record.normalizedActionType],
  ["text", ({ record }) => record.agentId],
  ["text", ({ record }) => record.destinationKey],
  ["int4", ({ baseline }) => baseline.windowDays],
  ["text", ({ record }) => record.summedUnder],
  ["bool", ({ record }) => record.production],
  ["int4", ({ baseline }) => baseline.evidenceHoursMin],
  ["bool", ({ record }) => record.changes],
  ["text", ({ heldUntil = null }) => heldUntil],
  ["text", ({ key = null }) => key],
  ["text", ({ record }) => record.destinationSummedUnder]
]

export const todayParameters = (queries: ReadonlyArray<TodayQuery>): ReadonlyArray<unknown> =>
  arrayParameters(queries, parameters)

/** Joins a window and an activity of the same day. */
export const assembleSnapshot = (
  window: BaselineWindow,
  today: TodayRow,
  { actionCategory, destinationKey, summedUnder }: HistoryRecord,
  windowDays: number
): BehaviorSnapshot => {
  const amounts = window.medians.get(actionCategory) ?? noFigures
  return {
    takenAt: new Date(Math.floor(today.at_micros / 1_000)).toISOString(),
    windowDays,
    sampleSize: window.units,
    entityVolume: window.medians.get("entities") ?? noFigures,
    financialValue: { units: amounts.units, medianUsdCents: amounts.median },
    // The assessment that is being made counts too. It is not in the history yet.
    velocity: { lastHour: today.last_hour + 1, ...(window.agentPaces.get(summedUnder) ?? window.pace) },
    destination:
      destinationKey === null
        ? null
        : {
            days: today.destination_days,
            firstSeenHours: today.destination_hours,
            largestEntities: today.largest_entities,
            largestUsdCents: today.largest_usd_cents,
            lookalike: window.isLookalikeOfEstablished(destinationKey)
          },
    actionTypeSeen: today.action_type_seen,
    agentSeen: today.agent_seen,
    last24Hours: { entities: today.agent_entities, usdCents: today.agent_usd_cents },
    otherSums: {
      destination:
        destinationKey === null
          ? null
          : { entities: today.destination_entities, usdCents: today.destination_usd_cents },
      organization: { entities: today.organization_entities, usdCents: today.organization_usd_cents }
    },
    usualDay: window.usualDay,
    today: {
      units: today.units_lately,
      actionTypeSeen: today.action_type_seen_lately,
      destinationSeen: today.destination_seen_lately
    }
  }
}
