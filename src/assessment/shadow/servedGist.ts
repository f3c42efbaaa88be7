/** The gist of a stored answer, to be compared with what the shadow release said. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import type { Gist } from "../../scoring/gist.ts"

/** `actionClass` is no part of an answer. */
export const servedGist = (response: Uint8Array, actionClass: Gist["class"]): Gist => {
  // Invariant: these are the bytes that this service encoded and stored, and rows never change.
  const answer = JSON.parse(Buffer.from(response).toString("utf8")) as AssessmentResponse
  return {
    complete: answer.assessment_status === "complete",
    score: answer.action_risk.score,
    level: answer.action_risk.level,
    category: answer.action_category,
    class: actionClass,
    factors: answer.risk_factors,
    control: answer.recommended_control.type
  }
}
