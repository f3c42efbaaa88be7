/** The worked example is correct: scoring its request with its release gives its response. */

import { expect, layer } from "@effect/vitest"
import canonicalize from "canonicalize"
import { Effect, Layer, Result, Schema } from "effect"
import { exampleStatistics, Statistics } from "../../src/api/Statistics.ts"
import { ActionList } from "../../src/api/Actions.ts"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import { AssessmentEvidence } from "../../src/api/Actions.ts"
import { ReviewList, ReviewResponse } from "../../src/api/Reviews.ts"
import {
  exampleEvidence,
  exampleList,
  exampleRequest,
  exampleResponse,
  exampleReview,
  exampleReviewList
} from "../../src/api/examples/examples.ts"
import { encodeReview } from "../../src/assessment/Reviews.ts"
import { Scorer } from "../../src/assessment/Scorer.ts"
import { encodeAssessment, encodeListItem, encodeSnapshot } from "../../src/assessment/encode.ts"
import { AppConfig } from "../../src/config.ts"
import type { BehaviorSnapshot } from "../../src/domain/Behavior.ts"
import { sha256 } from "../../src/storage/sha256.ts"
import { cursorOf } from "../../src/storage/timeOrderedId.ts"
import { openedRules } from "../support/openedRules.ts"

/** A frozen release never changes, so neither does its answer to the example. */
const [, rulesVersion = ""] = /\+(\d+\.\d+\.\d+)\.\w+$/.exec(exampleResponse.risk_engine_version) ?? []
const [policySet = ""] = exampleResponse.policy_version.split("@")

const scorer = Scorer.layer.pipe(
  Layer.provide([AppConfig.layerFrom({ RULES_VERSION: rulesVersion }), openedRules])
)

const { action } = Result.getOrThrowWith(
  readActionRequest(exampleRequest, false),
  (problems) => new Error(JSON.stringify(problems))
)

const history: BehaviorSnapshot = {
  takenAt: exampleResponse.created_at,
  windowDays: 30,
  sampleSize: 312,
  entityVolume: { units: 240, median: 296 },
  financialValue: { units: 0, medianUsdCents: null },
  velocity: { lastHour: 3, p95PerHour: 9, days: 21, hours: 118 },
  destination: { days: 0, firstSeenHours: 0, largestEntities: 0, largestUsdCents: 0, lookalike: false },
  actionTypeSeen: true,
  agentSeen: true,
  last24Hours: { entities: 5_100, usdCents: 0 },
  otherSums: { destination: { entities: 0, usdCents: 0 }, organization: { entities: 5_100, usdCents: 0 } },
  usualDay: { days: 21, entities: 4_900, usdCents: 0 },
  today: { units: 0, actionTypeSeen: true, destinationSeen: false }
}

const hexOf = (text = "") => Buffer.from(sha256(text)).toString("hex")

layer(scorer)("the worked example", (it) => {
  it.effect("is the opinion of its release on its request and its history", () =>
    Effect.gen(function* () {
      const { riskEngineVersion, rulesDigest, score } = yield* Scorer
      const { opinion, policyDigest, policyVersion } = yield* score(action, history, policySet)
      const { action_id, assessment_id, created_at, request_id, timing } = exampleResponse
      const answer = encodeAssessment(opinion, {
        riskEngineVersion,
        policyVersion,
        assessmentId: assessment_id,
        actionId: action_id,
        requestId: request_id,
        mode: "test",
        createdAtMicros: Date.parse(created_at) * 1_000,
        timing: {
          total: timing.total_ms,
          validation: timing.validation_ms,
          behavior: timing.behavior_ms,
          scoring: timing.scoring_ms,
          policy: timing.policy_ms
        }
      })
      expect(exampleResponse).toEqual(answer)
      expect(exampleEvidence).toEqual({
        ...answer,
        input: exampleRequest,
        evidence: {
          input_digest: hexOf(canonicalize(exampleRequest)),
          result_digest: hexOf(JSON.stringify(answer)),
          behavior_snapshot: encodeSnapshot(history),
          rules_digest: rulesDigest,
          policy_digest: policyDigest,
          // Until something seals entries.
          sequence: null,
          previous_digest: null,
          entry_digest: null,
          sealed_at: null
        }
      })
      expect(exampleList.data).toEqual([encodeListItem(action, answer)])
      const { closed_at, closed_by, created_at: opened_at, note, outcome } = exampleReview
      const stored = { assessmentId: assessment_id, item: encodeListItem(action, answer), outcome, note }
      expect(exampleReviewList.data).toEqual([
        encodeReview({
          ...stored,
          openedAt: new Date(opened_at),
          closedAt: new Date(closed_at),
          closedBy: closed_by.key_id,
          closedByName: closed_by.name
        })
      ])
    })
  )

  it("is listed with the cursor of the page after it", () => {
    expect(exampleList.next_cursor).toBe(cursorOf(exampleResponse.assessment_id))
    expect(exampleList.next_cursor.slice(0, 23)).toBe(exampleResponse.created_at.slice(0, 23))
  })

  it("keeps the contract's schemas", () => {
    expect(Schema.is(Schema.toEncoded(AssessmentEvidence))(exampleEvidence)).toBe(true)
    expect(Schema.is(Schema.toEncoded(ActionList))(exampleList)).toBe(true)
    expect(Schema.is(Schema.toEncoded(ReviewResponse))(exampleReview)).toBe(true)
    expect(Schema.is(Schema.toEncoded(ReviewList))(exampleReviewList)).toBe(true)
    expect(Schema.is(Schema.toEncoded(Statistics))(exampleStatistics)).toBe(true)
  })
})
