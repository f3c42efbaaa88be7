/** Reads the recent history of actions, including today, and whether their idempotency keys have been answered, in one database call. */

import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import type { BaselineSettings } from "../../scoring/Numbers.ts"
import { arrayColumns } from "../sql/rows.ts"
import { type BaselineWindow, noFigures } from "./BaselineWindow.ts"

export interface TodayQuery {
  readonly organizationId: string
  readonly baseline: BaselineSettings
  readonly record: HistoryRecord
  /** SHA-256 of the record's canonical form. */
  readonly fingerprint: Uint8Array
  /** Where the evidence in the held window ends. After midnight the old window is kept for a while (see `schema/behavior.sql`). */
  readonly heldUntil?: string
  /** The request's idempotency key, if it has one. */
  readonly key?: string | null
}

export interface TodayRow {
  readonly until: string
  readonly at_micros: number
  /** How many rejected reviews have removed something from the organization's past. */
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
  /** Whether the idempotency key has been answered and has not expired. */
  readonly answered: boolean
}

const columns = arrayColumns<TodayQuery>({
  organization_id: ["uuid", ({ organizationId }) => organizationId],
  fingerprint: ["bytea", ({ fingerprint }) => fingerprint],
  action_type: ["text", ({ record }) => record.normalizedActionType],
  agent: ["text", ({ record }) => record.agentId],
  destination: ["text", ({ record }) => record.destinationKey],
  window_days: ["int", ({ baseline }) => baseline.windowDays],
  summed_under: ["text", ({ record }) => record.summedUnder],
  production: ["boolean", ({ record }) => record.production],
  evidence_hours: ["int", ({ baseline }) => baseline.evidenceHoursMin],
  changes_only: ["boolean", ({ record }) => record.changes],
  held_until: ["date", ({ heldUntil = null }) => heldUntil],
  key: ["text", ({ key = null }) => key],
  destination_summed_under: ["text", ({ record }) => record.destinationSummedUnder]
})

/** Returns a row for each query, in order. `read_behavior` is defined in `schema/behavior.sql`. */
export const todayStatement = `SELECT * FROM read_behavior(${columns.parameters})`

export const todayParameters = columns.values

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
    // The current assessment counts too, although it is not in the history yet.
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
