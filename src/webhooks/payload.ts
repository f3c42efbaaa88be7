/** The body of a webhook, a pure function of stored rows: every attempt of an event sends the same bytes. */

import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { Json } from "../domain/Action.ts"
import { disclaimer } from "../domain/Disclaimer.ts"
import type { Mode } from "../domain/Mode.ts"
import { webhookFactorsMax } from "../Limits.ts"
import type { DeliveredEvent, ToldAssessment } from "../storage/webhookOutbox/ClaimedDelivery.ts"

/**
 * Thin: under 20 KB however long the list of factors, and nothing that a caller wrote freely. Who wants more follows the
 * link, with a key.
 */
export const payloadOf = (mode: Mode, event: DeliveredEvent): string => {
  const { createdAt, id, tells, type } = event
  return JSON.stringify({
    id,
    type,
    timestamp: createdAt.toISOString(),
    api_version: "v1",
    environment_mode: mode,
    data: tells.of === "data" ? tells.data : assessmentData(type, tells),
    disclaimer
  })
}

const assessmentData = (type: DeliveredEvent["type"], tells: ToldAssessment): Json => {
  // Invariant: these are the bytes that this service encoded and stored, and rows never change.
  const answer = JSON.parse(Buffer.from(tells.response).toString("utf8")) as AssessmentResponse
  const { action_risk, blast_radius, recommended_control } = answer
  return {
    assessment_id: answer.assessment_id,
    action_id: answer.action_id,
    request_id: answer.request_id,
    normalized_action_type: answer.normalized_action_type,
    action_category: answer.action_category,
    environment: tells.environment,
    action_risk: {
      score: action_risk.score,
      level: action_risk.level,
      confidence: action_risk.confidence,
      range: { low: action_risk.range.low, high: action_risk.range.high }
    },
    blast_radius: { score: blast_radius.score, level: blast_radius.level },
    risk_factors: answer.risk_factors
      .slice(0, webhookFactorsMax)
      .map(({ code, severity }) => ({ code, severity })),
    recommended_control: { type: recommended_control.type, priority: recommended_control.priority },
    ...reviewData(type, tells),
    // A path, to be read below the base URL that the receiver knows: no payload says where to send a key.
    links: { assessment: `/api/v1/assessments/${answer.assessment_id}` }
  }
}

/** A review has the id of its assessment. Only the event of its closing tells the outcome, which cannot change any more. */
const reviewData = (type: DeliveredEvent["type"], { assessmentId, outcome }: ToldAssessment) => {
  if (type === "review.opened") return { review_id: assessmentId }
  return type === "review.closed" ? { review_id: assessmentId, outcome } : {}
}
