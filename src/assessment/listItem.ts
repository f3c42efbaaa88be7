/** The row of an assessment that lists show (contract 3.3), made once and kept beside it. */

import type { ActionItem } from "../api/ActionList.ts"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { Action } from "../domain/Action.ts"

export const listItem = (action: Action, response: AssessmentResponse): ActionItem => ({
  assessment_id: response.assessment_id,
  action_id: response.action_id,
  request_id: response.request_id,
  action_type: action.actionType,
  normalized_action_type: response.normalized_action_type,
  action_category: response.action_category,
  environment: action.environment,
  agent_id: action.agentId ?? null,
  target_system: action.targetSystem ?? null,
  target_resource: action.targetResource ?? null,
  destination: action.destination ?? null,
  status: response.status,
  assessment_status: response.assessment_status,
  action_risk: {
    score: response.action_risk.score,
    level: response.action_risk.level,
    confidence: response.action_risk.confidence
  },
  blast_radius: { score: response.blast_radius.score, level: response.blast_radius.level },
  recommended_control: {
    type: response.recommended_control.type,
    priority: response.recommended_control.priority
  },
  created_at: response.created_at
})
