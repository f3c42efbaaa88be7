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
    action_category: "data",
    action_risk: { score: 56, level: "moderate", confidence: 0.75, range: { low: 50, high: 61 } },
    blast_radius: {
      score: 48,
      level: "moderate",
      dimensions: {
        financial_impact: 0,
        entity_impact: 9,
        data_impact: 40,
        operational_impact: 29,
        privilege_impact: 5,
        reversibility: 50
      }
    },
    risk_factors: [
      {
        code: "CUMULATIVE_VOLUME",
        category: "volume",
        severity: "high",
        message:
          "Together with the last 24 hours of the same agent, the action reaches many more entities than it states by itself."
      },
      {
        code: "NOVEL_DESTINATION",
        category: "destination",
        severity: "high",
        message: "The destination was not used before by the organization in the last 30 days."
      },
      {
        code: "HIGH_RECORD_COUNT",
        category: "volume",
        severity: "moderate",
        message: "The action touches an assumed 10,000 records."
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
      type: "HUMAN_CONFIRMATION_RECOMMENDED",
      priority: "moderate",
      because: [
        "Together with the last 24 hours of the same agent, the action reaches many more entities than it states by itself.",
        "The destination was not used before by the organization in the last 30 days."
      ]
    },
    recommendations: [
      "CHECK_AGENT_ACTIVITY",
      "CONFIRM_PRODUCTION_ENVIRONMENT",
      "PREPARE_ROLLBACK_PLAN",
      "USE_DRY_RUN",
      "VERIFY_DESTINATION",
      "VERIFY_SCOPE"
    ],
    policy_context: [],
    assumptions: [
      { field: "records_affected", assumed: 10_000 },
      { field: "financial_value", assumed: 0 }
    ],
    missing_information: [
      { field: "records_affected", could_raise_to: 61, could_lower_to: 50 },
      { field: "financial_value", could_raise_to: 56, could_lower_to: 56 }
    ],
    summary:
      "Action risk is moderate (56 of 100, between 50 and 61) for an export action in production. Blast radius is moderate (48), led by data impact (40). 5 risk factors apply, first CUMULATIVE_VOLUME, NOVEL_DESTINATION, HIGH_RECORD_COUNT. 2 fields were not stated and counted at a worst plausible reading; records_affected matters most. Recommended control: HUMAN_CONFIRMATION_RECOMMENDED, priority moderate."
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
