/** What the history of an organization says before its first assessment: nothing. */

import type { Action } from "../../../domain/Action.ts"
import type { BehaviorSnapshot } from "../../../domain/Behavior.ts"

export const noHistory = (action: Action, windowDays: number, takenAt: string): BehaviorSnapshot => ({
  takenAt,
  windowDays,
  sampleSize: 0,
  entityVolume: { units: 0, median: null },
  financialValue: { units: 0, medianUsdCents: null },
  // The action itself is the only assessment of the last hour.
  velocity: { lastHour: 1, p95PerHour: null, days: 0, hours: 0 },
  destination:
    action.destination === undefined
      ? null
      : { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false },
  actionTypeSeen: false,
  agentSeen: false,
  last24Hours: { entities: 0, usdCents: 0 }
})
