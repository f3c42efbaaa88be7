/** The review of the worked example, once a person has closed it, and the page of a list that it stands on. */

import { disclaimer } from "../../domain/Disclaimer.ts"
import { exampleRequest, exampleResponse } from "../examples.ts"
import type { CloseReviewRequest, ReviewItem, ReviewList, ReviewResponse } from "../Review.ts"
import { exampleList } from "./exampleList.ts"

const [assessed] = exampleList.data

const exampleItem = {
  id: exampleResponse.assessment_id,
  assessment_id: exampleResponse.assessment_id,
  state: "closed",
  reasons: ["level"],
  action_type: exampleRequest.action_type,
  normalized_action_type: exampleResponse.normalized_action_type,
  action_category: exampleResponse.action_category,
  environment: exampleRequest.environment,
  agent_id: exampleRequest.agent_id,
  target_system: exampleRequest.target_system,
  target_resource: exampleRequest.target_resource,
  destination: exampleRequest.destination,
  assessment_status: exampleResponse.assessment_status,
  action_risk: assessed.action_risk,
  blast_radius: assessed.blast_radius,
  recommended_control: assessed.recommended_control,
  outcome: "risk_rejected",
  note: "The partner never asked for this export.",
  created_at: "2026-11-20T09:30:00.007Z",
  closed_at: "2026-11-20T09:42:11.318Z",
  links: { assessment: `/api/v1/assessments/${exampleResponse.assessment_id}` }
} as const satisfies ReviewItem

export const exampleClosing = {
  outcome: exampleItem.outcome,
  note: exampleItem.note
} as const satisfies CloseReviewRequest

export const exampleReview = {
  api_version: "v1",
  environment_mode: "test",
  ...exampleItem,
  request_id: "req_01KAFT2M5N6P7Q8R9S0T1V2W3X",
  disclaimer
} as const satisfies ReviewResponse

export const exampleReviewList = {
  api_version: "v1",
  environment_mode: "test",
  data: [exampleItem],
  has_more: true,
  next_cursor: exampleList.next_cursor,
  request_id: "req_01KAFT4C2D3E4F5G6H7J8K9M0N"
} as const satisfies ReviewList
