/** The worked examples of what if, replay and explanation, on the assessment of the other examples. */

import { disclaimer } from "../domain/Opinion.ts"
import type { AssessmentExplanation, Replay, WhatIf, WhatIfRequest } from "./Explanations.ts"
import { exampleEvidence, exampleRequest, exampleResponse } from "./examples.ts"

const { assessment_id, environment_mode, policy_version, request_id, risk_engine_version } = exampleResponse

const head = {
  api_version: "v1",
  environment_mode,
  assessment_id,
  risk_engine_version,
  policy_version
} as const

const changes = {
  entities_affected: 40,
  data_classification: "internal",
  reversibility: "mostly_reversible"
} as const

export const exampleWhatIfRequest = { changes } as const satisfies typeof WhatIfRequest.Encoded

export const exampleWhatIf = {
  ...head,
  input: { ...exampleRequest, ...changes },
  recorded: { action_risk: exampleResponse.action_risk, blast_radius: exampleResponse.blast_radius },
  opinion: {
    assessment_status: "complete",
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
      score: 70,
      level: "high",
      confidence: 0.42,
      range: {
        low: 69,
        high: 70
      }
    },
    blast_radius: {
      score: 67,
      level: "moderate",
      dimensions: {
        financial_impact: 0,
        entity_impact: 7,
        data_impact: 28,
        operational_impact: 62,
        privilege_impact: 0,
        reversibility: 45
      }
    },
    risk_factors: [
      {
        code: "CUMULATIVE_VOLUME",
        category: "volume",
        severity: "high",
        message:
          "Together with the last 24 hours, many more entities are reached than by this action alone: by this agent, at this destination, or in all."
      },
      {
        code: "NOVEL_DESTINATION",
        category: "destination",
        severity: "high",
        message: "The organization has not used the destination in the last 30 days before today."
      },
      {
        code: "INSUFFICIENT_CONTEXT",
        category: "completeness",
        severity: "moderate",
        message: "What was left out decides this answer, more than what was stated."
      },
      {
        code: "PRODUCTION_ENVIRONMENT",
        category: "environment",
        severity: "moderate",
        message: "The action runs in production."
      },
      {
        code: "REVERSIBILITY_CLAIM_INCONSISTENT",
        category: "reversibility",
        severity: "moderate",
        message: "The action is stated to be easier to undo than its kind can be."
      }
    ],
    recommended_control: {
      type: "HUMAN_REVIEW_RECOMMENDED",
      priority: "high",
      because: [
        "Together with the last 24 hours, many more entities are reached than by this action alone: by this agent, at this destination, or in all.",
        "The organization has not used the destination in the last 30 days before today."
      ]
    },
    recommendations: [
      "CHECK_AGENT_ACTIVITY",
      "CONFIRM_PRODUCTION_ENVIRONMENT",
      "PREPARE_ROLLBACK_PLAN",
      "PROVIDE_MISSING_CONTEXT",
      "VERIFY_DESTINATION",
      "VERIFY_SCOPE"
    ],
    policy_context: [],
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
        could_raise_to: 99,
        could_lower_to: 70,
        higher: {
          level: "critical",
          from: 30000
        }
      },
      {
        field: "records_affected",
        could_raise_to: 71,
        could_lower_to: 69
      }
    ],
    summary:
      "“support-copilot-7” wants to export contacts (“contacts”) on “salesforce” in production, 40 at once, to “https://files.partner.example/upload”. Action risk is high (70 of 100). Together with the last 24 hours, many more entities are reached than by this action alone: by this agent, at this destination, or in all."
  },
  request_id,
  disclaimer
} as const satisfies WhatIf

export const exampleReplay = {
  ...head,
  equal: true,
  result_digest: exampleEvidence.evidence.result_digest,
  recomputed_digest: exampleEvidence.evidence.result_digest,
  problem: null,
  request_id,
  disclaimer
} satisfies Replay

/** One of its rules: an answer names all. */
export const exampleExplanation = {
  ...head,
  rules: [
    {
      kind: "factor",
      code: "HIGH_ENTITY_COUNT",
      name: "HIGH_ENTITY_COUNT.high",
      gives: "high",
      result: true,
      near: false,
      conditions: [
        { depth: 0, group: "all", result: true, text: "all of" },
        {
          depth: 1,
          fact: "entities_affected",
          operator: "greaterThanInclusive",
          value: 1000,
          actual: 4200,
          result: true,
          text: "entities_affected is at least 1,000"
        }
      ]
    }
  ],
  request_id,
  disclaimer
} satisfies typeof AssessmentExplanation.Encoded
