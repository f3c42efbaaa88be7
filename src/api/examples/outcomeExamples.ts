/** Worked examples of outcome events, for the OpenAPI document. */

import { disclaimer } from "../../domain/Opinion.ts"
import type {
  OutcomeEventItem,
  OutcomeEventList,
  OutcomeEventRequest,
  OutcomeEventResponse
} from "../Outcomes.ts"
import { exampleResponse } from "./examples.ts"

export const exampleOutcomeRequest = {
  type: "executed",
  observed: { records_affected: 1_204 }
} as const satisfies OutcomeEventRequest

const outcomeItem = {
  id: "019aa594-3c1e-7a11-8f52-6f1d1a3c9b77",
  assessment_id: exampleResponse.assessment_id,
  ...exampleOutcomeRequest,
  call_digest: null,
  independent: true,
  sums: "unchanged",
  created_at: "2026-11-23T09:31:10.482Z"
} as const satisfies OutcomeEventItem

export const exampleOutcome = {
  api_version: "v1",
  environment_mode: "test",
  ...outcomeItem,
  request_id: "req_01KAFT5V6W7X8Y9Z0A1B2C3D4E",
  disclaimer
} as const satisfies OutcomeEventResponse

export const exampleOutcomeList = {
  api_version: "v1",
  environment_mode: "test",
  assessment_id: exampleResponse.assessment_id,
  data: [outcomeItem],
  request_id: "req_01KAFT6F7G8H9J0K1M2N3P4Q5R"
} as const satisfies OutcomeEventList

/** The description of each operation's successful response, with its examples. */
export const outcomeOperations = {
  reportOutcome: {
    success: "The event as it is stored; at a second time the first one.",
    answer: exampleOutcome,
    request: exampleOutcomeRequest
  },
  listOutcomes: { success: "All events of the assessment, oldest first.", answer: exampleOutcomeList }
}
