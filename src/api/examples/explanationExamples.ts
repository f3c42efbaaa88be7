/** The worked examples of what-if, replay and explanation, about the assessment of the other examples, and of the rules behind it. */

import { disclaimer } from "../../domain/Opinion.ts"
import type { AssessmentExplanation, Replay, WhatIf, WhatIfRequest } from "../Explanations.ts"
import type { RuleComparison, RuleComparisonRequest, RuleDetails, RuleList } from "../Rules.ts"
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
        message: "This answer depends more on what was left out than on what was stated."
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

/** Shows one rule; a real answer lists all. */
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

/** The installed release. */
const newest = {
  version: "1.0.0",
  digest: "4b5ef739dcffef9e7268c4edef0665d82fabcdb7a29a0276efb10c18d54b27e0"
}

const entityRule = {
  kind: "factor",
  code: "HIGH_ENTITY_COUNT",
  category: "volume",
  title: null,
  why: "An error that touches many people or things at once is seen late and is expensive to undo one by one.",
  digest: "37dd38a4a740b8e0744b9c21f45c6266e38e007f9634b6e5fe005a9fc21cee52"
} as const

/** Shows one rule; a real answer lists all. */
export const exampleRuleList = {
  api_version: "v1",
  environment_mode,
  releases: [newest],
  served: newest.version,
  release: newest,
  rules: [entityRule],
  policies: null,
  request_id
} satisfies RuleList

/** Shows one condition; a real answer has one per severity. */
export const exampleRule = {
  api_version: "v1",
  environment_mode,
  of: newest,
  rule: {
    ...entityRule,
    lifecycle: "stable",
    owner: null,
    misses:
      "Few entities that matter much, such as one account that holds all the money; indirect effects on entities that the caller did not count.",
    expects: "Make sure that so many are meant, and begin with a few of them.",
    message: "The action affects {entities_affected} entities.",
    recommendations: ["VERIFY_SCOPE", "EXECUTE_IN_BATCHES"],
    conditions: [
      {
        name: "HIGH_ENTITY_COUNT.high",
        gives: "high",
        when: "entities_affected is at least 1,000",
        condition: {
          all: [{ fact: "entities_affected", operator: "greaterThanInclusive", value: 1000 }]
        }
      }
    ]
  },
  history: [{ version: newest.version, digest: entityRule.digest }],
  request_id
} satisfies RuleDetails

export const exampleRuleComparisonRequest = {
  from: "1.0.0",
  to: "1.1.0"
} as const satisfies typeof RuleComparisonRequest.Encoded

/** Shows one change; a real answer lists all. */
export const exampleRuleComparison = {
  api_version: "v1",
  environment_mode,
  comparison_id: "1.0.0...1.1.0",
  from: "1.0.0",
  to: "1.1.0",
  state: "done",
  problem: null,
  changes: [
    {
      code: "ruleset.classes.communicate.weight_bp.high",
      kind: "stricter",
      summary: "classes.communicate.weight_bp.high 66 %, was 60 %",
      details: [],
      witness: {
        request: { action_type: "newsletter.send", environment: "staging" },
        from: { score: 37, control: "CONTEXT_COMPLETION_RECOMMENDED" },
        to: { score: 39, control: "CONTEXT_COMPLETION_RECOMMENDED" }
      },
      rising_witness: null
    }
  ],
  own_history: {
    state: "done",
    problem: null,
    days: 30,
    scored: 8_214,
    complete: true,
    unreadable: 0,
    falls: 0,
    rises: 14,
    lowered: 0,
    raised: 31,
    weakened: 0,
    strengthened: 14,
    transitions: {
      low: { low: 7_900, moderate: 14, high: 0, critical: 0 },
      moderate: { low: 0, moderate: 280, high: 0, critical: 0 },
      high: { low: 0, moderate: 0, high: 19, critical: 0 },
      critical: { low: 0, moderate: 0, high: 0, critical: 1 }
    },
    actions: [
      {
        action_type: "newsletter.send",
        environment: "production",
        records: 14,
        assessment_id: "01a1f84a-95c0-71a1-b5c0-a48fe2106e44",
        from: { score: 38, level: "low", control: "CONTEXT_COMPLETION_RECOMMENDED" },
        to: { score: 42, level: "moderate", control: "HUMAN_CONFIRMATION_RECOMMENDED" }
      }
    ]
  },
  request_id
} satisfies RuleComparison

/** By operation: the description of its successful response, and the examples of its response and request. */
export const consideredExamples = {
  askWhatIf: { success: "The opinion on it.", answer: exampleWhatIf, request: exampleWhatIfRequest },
  replayAssessment: { success: "Whether the digests are equal.", answer: exampleReplay },
  explainAssessment: { success: "Every rule with what it saw.", answer: exampleExplanation },
  listRules: { success: "The rules of the release and of the policies.", answer: exampleRuleList },
  getRule: { success: "The rule.", answer: exampleRule },
  compareRules: {
    success: "How far the comparison is; what it found, where it is done.",
    answer: { ...exampleRuleComparison, state: "running", changes: [], own_history: null },
    request: exampleRuleComparisonRequest
  },
  getRuleComparison: { success: "Its progress and its result.", answer: exampleRuleComparison }
}

export const ruleParameters = {
  code: exampleRule.rule.code,
  version: exampleRule.of.version,
  comparison_id: exampleRuleComparison.comparison_id
}
