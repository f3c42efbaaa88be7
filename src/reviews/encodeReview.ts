/** A stored review as it goes over the wire. */

import type { ActionItem } from "../api/ActionList.ts"
import type { ReviewItem } from "../api/Review.ts"
import type { StoredReview } from "../storage/reviewRecords/read.ts"

export const encodeReview = (review: StoredReview): ReviewItem => {
  // Invariant: the assessment's row of the list, as it was answered.
  const item = review.item as ActionItem
  const { level } = item.action_risk
  return {
    id: review.assessmentId,
    assessment_id: review.assessmentId,
    state: review.outcome === null ? "open" : "closed",
    reasons: [
      ...(level === "high" || level === "critical" ? (["level"] as const) : []),
      ...(item.assessment_status === "incomplete" ? (["incomplete"] as const) : [])
    ],
    action_type: item.action_type,
    normalized_action_type: item.normalized_action_type,
    action_category: item.action_category,
    environment: item.environment,
    agent_id: item.agent_id,
    target_system: item.target_system,
    target_resource: item.target_resource,
    destination: item.destination,
    assessment_status: item.assessment_status,
    action_risk: item.action_risk,
    blast_radius: item.blast_radius,
    recommended_control: item.recommended_control,
    outcome: review.outcome,
    note: review.note,
    created_at: review.openedAt.toISOString(),
    closed_at: review.closedAt?.toISOString() ?? null,
    links: { assessment: `/api/v1/assessments/${review.assessmentId}` }
  }
}
