/** The results of storing assessments, by definition (contract 4): the reviews, the events and their receivers. */

import { actionRiskLevels } from "../../src/domain/Opinion.ts"
import type { WebhookEventType } from "../../src/domain/WebhookEvent.ts"
import type { AssessmentRecord } from "../../src/storage/assessments/AssessmentRecord.ts"

export interface EndpointRow {
  readonly organizationId: string
  readonly endpointId: string
  readonly events: ReadonlyArray<WebhookEventType>
  readonly leastRank: number
  readonly enabled: boolean
}

export interface Kept {
  readonly organizationId: string
  readonly record: Pick<AssessmentRecord, "assessmentId" | "complete" | "level">
}

export const opensReview = ({ record: { complete, level } }: Kept): boolean =>
  !complete || level === "high" || level === "critical"

const eventsOf = (kept: Kept): ReadonlyArray<WebhookEventType> => [
  kept.record.complete ? "assessment.completed" : "assessment.incomplete",
  ...(kept.record.level === "high" ? ["assessment.high" as const] : []),
  ...(kept.record.level === "critical" ? ["assessment.critical" as const] : []),
  ...(opensReview(kept) ? ["review.opened" as const] : [])
]

/** `organization event type endpoint` of every delivery, sorted. */
export const definedDeliveries = (
  kept: ReadonlyArray<Kept>,
  endpoints: ReadonlyArray<EndpointRow>,
  of: (kept: Kept) => ReadonlyArray<WebhookEventType> = eventsOf
): ReadonlyArray<string> =>
  kept
    .flatMap((one) =>
      of(one).flatMap((type) =>
        endpoints
          .filter(
            (endpoint) =>
              endpoint.enabled &&
              endpoint.organizationId === one.organizationId &&
              endpoint.events.includes(type) &&
              actionRiskLevels.indexOf(one.record.level) >= endpoint.leastRank
          )
          .map(({ endpointId, organizationId }) => {
            const event = `evt_${one.record.assessmentId.replaceAll("-", "")}_${type.split(".")[1]}`
            return `${organizationId} ${event} ${type} ${endpointId}`
          })
      )
    )
    .toSorted()
