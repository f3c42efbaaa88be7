/** A snapshot from what the days before today and today itself say. */

import type { BehaviorSnapshot } from "../../domain/Behavior.ts"
import { firstTwoDigits } from "../../scoring/firstTwoDigits.ts"
import type { HistoryRecord } from "../../scoring/HistoryRecord.ts"
import { type Figures, middleOf, noFigures } from "./figures.ts"
import type { Past } from "./past.ts"
import type { TodayRow } from "./today.ts"

const roundedOrNull = (figure: number | null): number | null =>
  figure === null ? null : firstTwoDigits(figure)

export const assemble = (
  past: Past,
  today: TodayRow,
  { actionCategory, destinationKey }: HistoryRecord,
  windowDays: number
): BehaviorSnapshot => {
  const pastOf = (measure: string): Figures => past.figures.get(measure) ?? noFigures
  const volumes = middleOf(pastOf("entities"), today.volumes, roundedOrNull(today.own_entities))
  const ownAmount = today.own_category === true ? roundedOrNull(today.own_usd_cents) : null
  const amounts = middleOf(pastOf(actionCategory), today.amounts, ownAmount)
  return {
    takenAt: new Date(Math.floor(today.at_micros / 1_000)).toISOString(),
    windowDays,
    sampleSize: past.units + today.units - (today.has_own ? 1 : 0),
    entityVolume: volumes,
    financialValue: { units: amounts.units, medianUsdCents: amounts.median },
    // This assessment is not yet in history, and counts.
    velocity: { lastHour: today.last_hour + 1, ...past.velocity },
    destination:
      destinationKey === null
        ? null
        : {
            days: today.destination_days,
            firstSeenHours: today.destination_hours,
            largestEntities: today.destination_entities,
            largestUsdCents: today.destination_usd_cents,
            lookalike: past.imitatesEstablished(destinationKey)
          },
    actionTypeSeen: today.action_type_seen,
    agentSeen: today.agent_seen,
    last24Hours: { entities: today.recent_entities, usdCents: today.recent_usd_cents }
  }
}
