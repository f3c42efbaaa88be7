/** A payload depends only on stored rows, contains what the contract lists, and stays small whatever was assessed. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AssessmentResponse } from "../../src/api/AssessmentResponse.ts"
import { disclaimer, severities } from "../../src/domain/Opinion.ts"
import { type WebhookEventType, webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import { actionTypeMax, ruleNameMax, rulesPerSetMax } from "../../src/limits.ts"
import type { DeliveredEvent } from "../../src/storage/webhooks/ClaimedDelivery.ts"
import { webhookPayload } from "../../src/webhooks/deliver.ts"

const canary = "canary-7f3a"

/** Full of data that a payload must not contain. */
const response = (overrides: Partial<AssessmentResponse> = {}): AssessmentResponse => ({
  api_version: "v1",
  risk_engine_version: "1.0.0+1.0.0.00000000",
  policy_version: "starter@1.0.0+00000000",
  assessment_id: "01928c5e-0000-7000-8000-000000000001",
  action_id: "5f0c1d2e-0000-4000-8000-000000000002",
  request_id: "req_01JD0000000000000000000000",
  status: "completed",
  assessment_status: "complete",
  environment_mode: "live",
  normalized_action_type: "customer.export",
  reading: { by: "name", verb: canary, class: "export", impact: "high" },
  action_category: "data",
  action_risk: { score: 71, level: "high", confidence: 0.8, range: { low: 66, high: 80 } },
  blast_radius: {
    score: 60,
    level: "high",
    dimensions: {
      financial_impact: 1,
      entity_impact: 2,
      data_impact: 3,
      operational_impact: 4,
      privilege_impact: 5,
      reversibility: 6
    }
  },
  risk_factors: [{ code: "BULK_EXPORT", category: "volume", severity: "high", message: canary }],
  recommended_control: { type: "HUMAN_REVIEW_RECOMMENDED", priority: "high", because: [canary] },
  recommendations: [canary],
  safer_alternatives: [canary],
  behavioral_context: {
    historical_comparison_available: false,
    baseline_scope: "organization",
    sample_size: 0,
    window_days: 30,
    entity_volume_multiplier: null,
    financial_value_multiplier: null,
    velocity_multiplier: null,
    destination_seen_before: false,
    action_type_seen_before: false
  },
  policy_context: [{ policy: canary, rule: canary, effect: "raise_floor" }],
  assumptions: [{ field: canary, assumed: canary }],
  missing_information: [{ field: canary, could_raise_to: 1, could_lower_to: 1 }],
  summary: canary,
  timing: { total_ms: 1, validation_ms: 1, behavior_ms: 1, scoring_ms: 1, policy_ms: 1 },
  processing_time_ms: 1,
  created_at: "2026-11-22T01:02:03.004Z",
  disclaimer,
  ...overrides
})

const event = (
  type: WebhookEventType,
  stored: AssessmentResponse = response(),
  outcome: "false_positive" | null = null
): DeliveredEvent => ({
  id: "evt_01928c5e000070008000000000000001_high",
  type,
  createdAt: new Date("2026-11-22T01:02:03.456Z"),
  content: {
    of: "assessment",
    assessmentId: stored.assessment_id,
    response: Buffer.from(JSON.stringify(stored)),
    environment: "production",
    actionType: canary,
    outcome
  }
})

const parsed = (one: DeliveredEvent) => JSON.parse(webhookPayload("live", one))

describe("a payload", () => {
  it("says of an assessment what the contract lists, and nothing else", () => {
    expect(parsed(event("assessment.high"))).toEqual({
      id: "evt_01928c5e000070008000000000000001_high",
      type: "assessment.high",
      timestamp: "2026-11-22T01:02:03.456Z",
      api_version: "v1",
      environment_mode: "live",
      data: {
        assessment_id: "01928c5e-0000-7000-8000-000000000001",
        action_id: "5f0c1d2e-0000-4000-8000-000000000002",
        request_id: "req_01JD0000000000000000000000",
        normalized_action_type: "customer.export",
        action_category: "data",
        environment: "production",
        action_risk: { score: 71, level: "high", confidence: 0.8, range: { low: 66, high: 80 } },
        blast_radius: { score: 60, level: "high" },
        risk_factors: [{ code: "BULK_EXPORT", severity: "high" }],
        recommended_control: { type: "HUMAN_REVIEW_RECOMMENDED", priority: "high" },
        links: { assessment: "/api/v1/assessments/01928c5e-0000-7000-8000-000000000001" }
      },
      disclaimer
    })
  })

  it("names the review where it reports one, and its outcome where that cannot change any more", () => {
    const id = "01928c5e-0000-7000-8000-000000000001"
    expect(parsed(event("review.opened", response(), "false_positive")).data).toMatchObject({ review_id: id })
    expect(parsed(event("review.opened", response(), "false_positive")).data).not.toHaveProperty("outcome")
    expect(parsed(event("review.closed", response(), "false_positive")).data).toMatchObject({
      review_id: id,
      outcome: "false_positive"
    })
    expect(parsed(event("assessment.completed")).data).not.toHaveProperty("review_id")
  })

  it("says of itself what an event without an assessment says", () => {
    const ping: DeliveredEvent = {
      ...event("ping"),
      content: { of: "data", data: { endpoint_id: "e" } }
    }
    expect(parsed(ping)).toMatchObject({ type: "ping", data: { endpoint_id: "e" }, disclaimer })
  })

  it("is the same bytes every time", () => {
    for (const type of webhookEventTypes)
      expect(webhookPayload("test", event(type))).toBe(webhookPayload("test", event(type)))
  })

  it("holds no text that a caller or a policy wrote", () => {
    for (const type of webhookEventTypes) expect(webhookPayload("test", event(type))).not.toContain(canary)
  })

  it("stays under 20 KB for the longest names and the most factors that there can be, strongest first", () => {
    const factor = fc.record({
      code: fc.integer({ min: 1, max: ruleNameMax }).map((length) => "X".repeat(length)),
      category: fc.constant("data" as const),
      severity: fc.constantFrom(...severities),
      message: fc.constant(canary)
    })
    const widest = "\u{1F600}".repeat(actionTypeMax)
    fc.assert(
      fc.property(fc.array(factor, { maxLength: 2 * rulesPerSetMax }), (factors) => {
        const stored = response({ risk_factors: factors, normalized_action_type: widest })
        const body = webhookPayload("test", event("review.closed", stored, "false_positive"))
        expect(Buffer.byteLength(body)).toBeLessThan(20_000)
        const named: ReadonlyArray<{ readonly code: string }> = JSON.parse(body).data.risk_factors
        expect(named.map(({ code }) => code)).toEqual(factors.slice(0, 100).map(({ code }) => code))
      }),
      { numRuns: 50 }
    )
    const most = Array.from({ length: 2 * rulesPerSetMax }, () => ({
      code: "X".repeat(ruleNameMax),
      category: "data" as const,
      severity: "moderate" as const,
      message: ""
    }))
    const bytes = Buffer.byteLength(
      webhookPayload(
        "test",
        event("review.closed", response({ risk_factors: most, normalized_action_type: widest }))
      )
    )
    console.info(`the largest payload: ${bytes} bytes`)
    expect(bytes).toBeLessThan(20_000)
  })
})
