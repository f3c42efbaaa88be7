/** The worked example of every operation, shown in the contract and the documents. */

import { disclaimer } from "../../domain/Opinion.ts"
import type { ActionList, AssessmentEvidence } from "../Actions.ts"
import type { AssessmentRequest } from "../AssessmentRequest.ts"
import type { AssessmentResponse } from "../AssessmentResponse.ts"
import type { CloseReviewRequest, ReviewItem, ReviewList, ReviewResponse } from "../Reviews.ts"
import type { ServiceStatus } from "../Status.ts"
import type { DeliveryQueued, WebhookDeliveryList } from "../Webhooks.ts"
import type {
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret
} from "../Webhooks.ts"

const testMode = { api_version: "v1", environment_mode: "test" } as const

export const exampleRequest = {
  action_type: "salesforce.contacts.export",
  environment: "production",
  agent_id: "support-copilot-7",
  target_system: "salesforce",
  target_resource: "contacts",
  entities_affected: 4200,
  destination: "https://files.partner.example/upload",
  data_classification: "regulated",
  reversibility: "irreversible",
  privilege_change: false,
  production_impact: false,
  metadata: { ticket: "OPS-1842" }
} as const satisfies AssessmentRequest

/** A tool call in the format of a host. */
export const exampleToolCall = {
  action_type: "mcp__stripe__create_refund",
  environment: "production",
  metadata: {
    tool_call: {
      name: "create_refund",
      server: "stripe",
      arguments: { charge: "ch_1", amount: 5_000_000, currency: "usd" }
    }
  }
} as const satisfies AssessmentRequest

export const exampleResponse = {
  api_version: "v1",
  risk_engine_version: "1.0.0+1.0.0.4b5ef739",
  policy_version: "starter@1.0.0+fc472173",
  assessment_id: "01a1f84a-95c0-71a1-b5c0-a48fe2106e44",
  action_id: "7f9c2a54-7f6e-4b0e-9d43-0a6f1f2f9f77",
  request_id: "req_01KAFS7XZ4M5Q9T2B8W3C6D1EF",
  status: "completed",
  assessment_status: "complete",
  environment_mode: "test",
  normalized_action_type: "contacts.export",
  reading: {
    by: "name",
    provider: "salesforce",
    verb: "export",
    object: "contact",
    class: "export",
    impact: "high"
  },
  action_category: "data",
  action_risk: {
    score: 90,
    level: "critical",
    confidence: 0.6,
    range: {
      low: 90,
      high: 90
    }
  },
  blast_radius: {
    score: 80,
    level: "high",
    dimensions: {
      financial_impact: 0,
      entity_impact: 23,
      data_impact: 69,
      operational_impact: 62,
      privilege_impact: 0,
      reversibility: 100
    }
  },
  risk_factors: [
    {
      code: "SENSITIVE_DATA_EXPORT",
      category: "data",
      severity: "critical",
      message: "Data of regulated classification leaves the system that holds it."
    },
    {
      code: "VOLUME_ABOVE_BASELINE",
      category: "volume",
      severity: "critical",
      message: "The action affects 14.19 times as many entities as the organization's usual action."
    },
    {
      code: "HIGH_ENTITY_COUNT",
      category: "volume",
      severity: "high",
      message: "The action affects 4,200 entities."
    },
    {
      code: "IRREVERSIBLE_ACTION",
      category: "reversibility",
      severity: "high",
      message: "The action cannot be undone."
    },
    {
      code: "NOVEL_DESTINATION",
      category: "destination",
      severity: "high",
      message: "The organization has not used the destination in the last 30 days before today."
    },
    {
      code: "REGULATED_DATA",
      category: "data",
      severity: "high",
      message: "Laws apply to data of this kind, and they ask for a reason to use it."
    },
    {
      code: "PRODUCTION_ENVIRONMENT",
      category: "environment",
      severity: "moderate",
      message: "The action runs in production."
    }
  ],
  recommended_control: {
    type: "SECONDARY_APPROVAL_RECOMMENDED",
    priority: "critical",
    because: [
      "Confidential data or worse goes in bulk to a destination that is not established.",
      "Data of regulated classification leaves the system that holds it.",
      "The action affects 14.19 times as many entities as the organization's usual action."
    ]
  },
  recommendations: [
    "CONFIRM_LEGAL_BASIS",
    "CONFIRM_PRODUCTION_ENVIRONMENT",
    "EXECUTE_IN_BATCHES",
    "MINIMIZE_DATA",
    "PREPARE_ROLLBACK_PLAN",
    "REQUEST_SECOND_APPROVER",
    "TAKE_BACKUP",
    "USE_DRY_RUN",
    "VERIFY_DESTINATION",
    "VERIFY_SCOPE"
  ],
  safer_alternatives: ["Export a sample, or only the fields that are needed, to a place of your own."],
  behavioral_context: {
    historical_comparison_available: true,
    baseline_scope: "organization",
    sample_size: 312,
    window_days: 30,
    entity_volume_multiplier: 14.19,
    financial_value_multiplier: null,
    velocity_multiplier: 0.33,
    destination_seen_before: false,
    action_type_seen_before: true
  },
  policy_context: [
    {
      policy: "starter",
      rule: "regulated-data-does-not-leave-unseen",
      effect: "raise_floor"
    }
  ],
  assumptions: [
    {
      field: "records_affected",
      assumed: 1000
    },
    {
      field: "financial_value",
      assumed: 0
    }
  ],
  missing_information: [
    {
      field: "financial_value",
      could_raise_to: 100,
      could_lower_to: 90
    },
    {
      field: "records_affected",
      could_raise_to: 92,
      could_lower_to: 90
    }
  ],
  summary:
    "“support-copilot-7” wants to export contacts (“contacts”) on “salesforce” in production, 4,200 at once, to “https://files.partner.example/upload”. Action risk is critical (90 of 100). Confidential data or worse goes in bulk to a destination that is not established.",
  timing: {
    total_ms: 6.412,
    validation_ms: 0.031,
    behavior_ms: 2.204,
    scoring_ms: 0.038,
    policy_ms: 0.009
  },
  processing_time_ms: 7,
  created_at: "2026-11-20T09:30:00.000Z",
  disclaimer
} as const satisfies AssessmentResponse

export const exampleEvidence = {
  ...exampleResponse,
  input: exampleRequest,
  evidence: {
    input_digest: "f5d68d017c0eee03a03c887c6ab615ec5f49c433bd10400fc960e48e8ca51bb3",
    result_digest: "db5d347f99d6e684225437ed07cff7353b7e9a7f08efa4cfd815dbae51c8f057",
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
      last_24_hours: { entities: 5100, usd_cents: 0 },
      other_sums: {
        destination: { entities: 0, usd_cents: 0 },
        organization: { entities: 5100, usd_cents: 0 }
      },
      usual_day: { days: 21, entities: 4900, usd_cents: 0 },
      today: { units: 0, action_type_seen: true, destination_seen: false }
    },
    rules_digest: "4b5ef739dcffef9e7268c4edef0665d82fabcdb7a29a0276efb10c18d54b27e0",
    policy_digest: "fc4721732b0a6c79a5809f1640b26feb395d7427cb33c1ea180d99ca55886a28",
    sequence: null,
    previous_digest: null,
    entry_digest: null,
    sealed_at: null
  }
} satisfies AssessmentEvidence

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

/** The page of a list with the worked example as its only item. */
export const exampleList = {
  ...testMode,
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
      action_risk: {
        score: exampleResponse.action_risk.score,
        level: exampleResponse.action_risk.level,
        confidence: exampleResponse.action_risk.confidence
      },
      blast_radius: { score: exampleResponse.blast_radius.score, level: exampleResponse.blast_radius.level },
      recommended_control: { type: "SECONDARY_APPROVAL_RECOMMENDED", priority: "critical" },
      created_at: exampleResponse.created_at
    }
  ],
  has_more: true,
  next_cursor: "2026-11-20T09:30:00.0004173873276617418632772Z",
  request_id: "req_01KAFSC2H3J4K5M6N7P8Q9R0ST"
} as const satisfies ActionList

// The review of the worked example after a person closed it, and a list page with that review.

const [assessed] = exampleList.data

const reviewItem = {
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
  closed_by: { key_id: "5d1c0a52-6c1f-4f4e-9a55-2f6a8f2f9f55", name: "Ada, risk desk" },
  links: { assessment: `/api/v1/assessments/${exampleResponse.assessment_id}` }
} as const satisfies ReviewItem

export const exampleClosing = {
  outcome: reviewItem.outcome,
  note: reviewItem.note
} as const satisfies CloseReviewRequest

export const exampleReview = {
  ...testMode,
  ...reviewItem,
  request_id: "req_01KAFT2M5N6P7Q8R9S0T1V2W3X",
  disclaimer
} as const satisfies ReviewResponse

export const exampleReviewList = {
  ...testMode,
  data: [reviewItem],
  has_more: true,
  next_cursor: exampleList.next_cursor,
  request_id: "req_01KAFT4C2D3E4F5G6H7J8K9M0N"
} as const satisfies ReviewList

// A webhook endpoint that receives an event about the worked example, and its delivery. The secret is 32 zero bytes.

export const exampleEndpointRequest = {
  url: "https://hooks.customer.example/action-risk",
  events: ["assessment.high", "assessment.critical", "review.opened"],
  min_level: "high",
  description: "Routes high risk to the reviewers on call"
} as const satisfies WebhookEndpointRequest

export const exampleChanges = { min_level: "critical", description: null } satisfies WebhookEndpointChanges

const endpointItem = {
  id: "01a1f84b-0d30-7000-9c1e-2f6d8a4b7c55",
  format: "standard",
  ...exampleEndpointRequest,
  enabled: true,
  created_at: "2026-11-20T09:30:30.000Z"
} as const

const exchangeFields = { request_id: "req_01KAFSD8M9N2P4Q6R8S0T1V3WX" } as const
const onlyPage = { has_more: false, next_cursor: null, ...exchangeFields } as const

export const exampleEndpoint = { ...testMode, ...endpointItem, ...exchangeFields } satisfies WebhookEndpoint

export const exampleEndpointWithSecret = {
  ...exampleEndpoint,
  secret: `whsec_${"A".repeat(43)}=`
} satisfies WebhookEndpointWithSecret

export const exampleEndpointList = {
  ...testMode,
  data: [endpointItem],
  ...onlyPage
} satisfies WebhookEndpointList

const deliveryItem = {
  id: "01a1f84b-4bb0-7312-8a5e-6b1c9d3e2f40",
  event_id: "evt_01a1f84a95c071a1b5c0a48fe2106e44_critical",
  type: "assessment.critical",
  status: "failed",
  attempts: 1,
  last_status: 503,
  next_attempt_at: "2026-11-20T09:30:51.204Z",
  created_at: "2026-11-20T09:30:46.000Z"
} as const

export const exampleDeliveryList = {
  ...testMode,
  data: [deliveryItem],
  ...onlyPage
} satisfies WebhookDeliveryList

export const exampleQueued = {
  ...testMode,
  delivery_id: "01a1f84b-8a18-7045-b2c3-d4e5f6071829",
  ...exchangeFields
} satisfies DeliveryQueued
