/** One worked example: a request and everything the service says of it; the contract and the documents show it. */

import type { ActionList } from "./ActionList.ts"
import type { AssessmentEvidence } from "./AssessmentEvidence.ts"
import type { AssessmentRequest } from "./AssessmentRequest.ts"
import type { AssessmentResponse } from "./AssessmentResponse.ts"
import { disclaimer } from "../domain/Disclaimer.ts"
import type { ServiceStatus } from "./ServiceStatus.ts"

export const exampleRequest = {
  action_type: "salesforce.contacts.bulk_export",
  environment: "production",
  agent_id: "support-copilot-7",
  target_system: "salesforce",
  target_resource: "contacts",
  entities_affected: 4200,
  destination: "https://files.partner.example/upload",
  data_classification: "restricted",
  reversibility: "irreversible",
  metadata: { ticket: "OPS-1842" }
} as const satisfies AssessmentRequest

export const exampleResponse = {
  api_version: "v1",
  risk_engine_version: "1.0.0+1.0.0.5f0c9a2e",
  policy_version: "starter@1.0.0+c0ffee12",
  assessment_id: "019b0c7e-53f1-7c3a-9a51-2f6f0f6f7a10",
  action_id: "7f9c2a54-7f6e-4b0e-9d43-0a6f1f2f9f77",
  request_id: "req_01KAFS7XZ4M5Q9T2B8W3C6D1EF",
  status: "completed",
  assessment_status: "complete",
  environment_mode: "test",
  normalized_action_type: "contacts.export",
  action_category: "data",
  action_risk: { score: 84, level: "critical", confidence: 0.82, range: { low: 79, high: 92 } },
  blast_radius: {
    score: 78,
    level: "high",
    dimensions: {
      financial_impact: 22,
      entity_impact: 71,
      data_impact: 88,
      operational_impact: 30,
      privilege_impact: 0,
      reversibility: 100
    }
  },
  risk_factors: [
    {
      code: "SENSITIVE_DATA_EXPORT",
      category: "data",
      severity: "critical",
      message: "Restricted data of 4,200 entities leaves the system."
    },
    {
      code: "NOVEL_DESTINATION",
      category: "destination",
      severity: "high",
      message: "The organization has not used this destination before."
    }
  ],
  recommended_control: {
    type: "SECONDARY_APPROVAL_RECOMMENDED",
    priority: "critical",
    because: [
      "Restricted data of 4,200 entities leaves the system.",
      "The organization has not used this destination before."
    ]
  },
  recommendations: ["VERIFY_DESTINATION", "VERIFY_SCOPE"],
  behavioral_context: {
    historical_comparison_available: true,
    baseline_scope: "organization",
    sample_size: 312,
    window_days: 30,
    entity_volume_multiplier: 14.2,
    financial_value_multiplier: null,
    velocity_multiplier: 1.1,
    destination_seen_before: false,
    action_type_seen_before: true
  },
  policy_context: [{ policy: "starter", rule: "sensitive-export", effect: "raise_floor" }],
  assumptions: [{ field: "records_affected", assumed: 4200 }],
  missing_information: [{ field: "records_affected", could_raise_to: 92, could_lower_to: 79 }],
  summary:
    "Critical action risk of 84 with a high blast radius of 78. The strongest factor is SENSITIVE_DATA_EXPORT. A secondary approval is recommended.",
  timing: { total_ms: 6.412, validation_ms: 0.031, behavior_ms: 2.204, scoring_ms: 0.038, policy_ms: 0.009 },
  processing_time_ms: 7,
  created_at: "2026-11-20T09:30:00.000Z",
  disclaimer
} as const satisfies AssessmentResponse

const digest = (hex: string) => hex.repeat(64)

export const exampleEvidence = {
  ...exampleResponse,
  input: exampleRequest,
  evidence: {
    input_digest: digest("a"),
    result_digest: digest("b"),
    behavior_snapshot: {
      taken_at: "2026-11-20T09:30:00.000Z",
      window_days: 30,
      sample_size: 312,
      entity_volume: { units: 240, median: 296 },
      financial_value: { units: 0, median_usd_cents: null },
      velocity: { last_hour: 3, p95_per_hour: 9, days: 21, hours: 118 },
      destination: {
        days: 0,
        first_seen_hours: 0,
        largest_entities: 0,
        largest_usd_cents: 0,
        lookalike: false
      },
      action_type_seen: true,
      agent_seen: true,
      last_24_hours: { entities: 5100, usd_cents: 0 }
    },
    rules_digest: digest("c"),
    policy_digest: digest("d"),
    sequence: 1,
    previous_digest: digest("0"),
    entry_digest: digest("e"),
    sealed_at: "2026-11-20T09:30:01.000Z"
  }
} satisfies AssessmentEvidence

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
      action_risk: { score: 84, level: "critical", confidence: 0.82 },
      blast_radius: { score: 78, level: "high" },
      recommended_control: { type: "SECONDARY_APPROVAL_RECOMMENDED", priority: "critical" },
      created_at: exampleResponse.created_at
    }
  ],
  has_more: true,
  next_cursor: "2026-11-20T09:30:00.0000000000000000000000001Z",
  request_id: "req_01KAFSC2H3J4K5M6N7P8Q9R0ST"
} as const satisfies ActionList

export const exampleStatus = {
  status: "operational",
  components: [
    { name: "api", status: "operational" },
    { name: "risk_engine", status: "operational" },
    { name: "database", status: "operational" },
    { name: "webhooks", status: "operational" }
  ],
  api_version: "v1",
  risk_engine_version: exampleResponse.risk_engine_version,
  updated_at: exampleResponse.created_at
} as const satisfies ServiceStatus
