/** The worked example on the page of a list that asked for one action. */

import type { ActionList } from "../ActionList.ts"
import { exampleRequest, exampleResponse } from "../examples.ts"

export const exampleList = {
  api_version: "v1",
  environment_mode: "test",
  data: [
    {
      assessment_id: exampleResponse.assessment_id,
      action_id: exampleResponse.action_id,
      request_id: exampleResponse.request_id,
      action_type: exampleRequest.action_type,
      normalized_action_type: exampleResponse.normalized_action_type,
      action_category: exampleResponse.action_category,
      environment: exampleRequest.environment,
      agent_id: exampleRequest.agent_id,
      target_system: exampleRequest.target_system,
      target_resource: exampleRequest.target_resource,
      destination: exampleRequest.destination,
      status: exampleResponse.status,
      assessment_status: exampleResponse.assessment_status,
      action_risk: { score: 90, level: "critical", confidence: 0.99 },
      blast_radius: { score: 95, level: "critical" },
      recommended_control: { type: "SECONDARY_APPROVAL_RECOMMENDED", priority: "critical" },
      created_at: exampleResponse.created_at
    }
  ],
  has_more: true,
  next_cursor: "2026-11-20T09:30:00.0004173873276617418632772Z",
  request_id: "req_01KAFSC2H3J4K5M6N7P8Q9R0ST"
} as const satisfies ActionList
