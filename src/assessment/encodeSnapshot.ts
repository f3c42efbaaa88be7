/** The behaviour snapshot as evidence shows it: everything the score knew of history, so that it can be recomputed. */

import type { BehaviorSnapshot } from "../domain/Behavior.ts"

export const encodeSnapshot = (snapshot: BehaviorSnapshot) => ({
  taken_at: snapshot.takenAt,
  window_days: snapshot.windowDays,
  sample_size: snapshot.sampleSize,
  entity_volume: { units: snapshot.entityVolume.units, median: snapshot.entityVolume.median },
  financial_value: {
    units: snapshot.financialValue.units,
    median_usd_cents: snapshot.financialValue.medianUsdCents
  },
  velocity: {
    last_hour: snapshot.velocity.lastHour,
    p95_per_hour: snapshot.velocity.p95PerHour,
    days: snapshot.velocity.days,
    hours: snapshot.velocity.hours
  },
  destination:
    snapshot.destination === null
      ? null
      : {
          days: snapshot.destination.days,
          first_seen_hours: snapshot.destination.firstSeenHours,
          largest_entities: snapshot.destination.largestEntities,
          largest_usd_cents: snapshot.destination.largestUsdCents,
          lookalike: snapshot.destination.lookalike
        },
  action_type_seen: snapshot.actionTypeSeen,
  agent_seen: snapshot.agentSeen,
  last_24_hours: {
    entities: snapshot.last24Hours.entities,
    usd_cents: snapshot.last24Hours.usdCents
  }
})
