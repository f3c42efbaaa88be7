/** The console's view of an assessment that was scored here, without a database: a fixed one, or one of given statements. */

import { Result } from "effect"
import { createHash } from "node:crypto"
import { readActionRequest } from "../../src/api/AssessmentRequest.ts"
import type { ReviewResponse } from "../../src/api/Reviews.ts"
import { exampleReview } from "../../src/api/examples/examples.ts"
import type { AssessmentView } from "../../src/console/pages/assessmentPage.ts"
import { evidenceRecord, explanationView } from "../../src/console/plainViews.ts"
import { loweringSteps } from "../../src/evidence/recorded/lowering.ts"
import { explainCall, type Replayed, whatIf } from "../../src/evidence/recorded/reconsider.ts"
import { readRecordedCall, type RecordedCall } from "../../src/evidence/replay.ts"
import type { JsonObject } from "../../src/json/json.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { recordedRules } from "../../src/rules/history/recordedRules.ts"
import { loadPolicyVersion } from "../../src/rules/policies/loadPolicySet.ts"
import type { StoredEvidence } from "../../src/storage/assessments/AssessmentRecord.ts"
import { historyLine } from "./historyLine.ts"
import { newestRelease } from "./newestRelease.ts"

const rules = recordedRules(packageRoot)

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()

/** An assessment by the newest release and the starter policies, as it is stored. */
export const storedAnswerTo = (request: JsonObject): StoredEvidence => {
  const release = newestRelease()
  const policies = Result.getOrThrow(loadPolicyVersion(packageRoot, "starter", "1.0.0"))
  const action = Result.getOrThrow(readActionRequest(request, false)).action
  const told = { action, behavior: "unavailable" } as const
  const line: Record<string, never> = JSON.parse(historyLine(told, 1, release.model, policies.policySet))
  const { evidence: _evidence, input, ...answer } = line
  const response = Buffer.from(JSON.stringify(answer))
  const stored = Buffer.from(JSON.stringify(input))
  return {
    assessmentId: String(answer["assessment_id"]),
    response,
    resultDigest: sha256(response),
    input: stored,
    inputDigest: sha256(stored),
    behaviorSnapshot: null,
    rulesDigest: Buffer.from(release.model.digest, "hex"),
    policyDigest: Buffer.from(policies.policySet.digest, "hex"),
    seal: null
  }
}

const nowMs = Date.UTC(2026, 10, 2, 13)

export const reviewLike = (more: Partial<ReviewResponse> = {}): ReviewResponse => ({
  ...exampleReview,
  created_at: "2026-11-02T12:00:00.000Z",
  ...more
})

const loweringsOf = (call: RecordedCall) => {
  const steps = loweringSteps(call)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Everything that a page of an assessment can show. */
export const viewOf = (stored: StoredEvidence, more: Partial<AssessmentView> = {}): AssessmentView => {
  const call = Result.getOrThrow(readRecordedCall(stored, rules))
  const changes = { records_affected: 900, data_classification: "internal" }
  const replayed: Replayed = { storedDigest: "a".repeat(64), digest: "a".repeat(64), problem: null }
  return {
    visitor: { mode: "test", organization: "acme", scopes: ["read", "reviews", "explain"] },
    nowMs,
    record: evidenceRecord(stored),
    answer: call.answer,
    input: call.input,
    explanation: explanationView(explainCall(call)),
    lowerings: loweringsOf(call),
    problem: null,
    isBusy: false,
    considered: { changes, problems: [], answer: Result.getOrThrow(whatIf(call, changes)).answer },
    replayed,
    mayClose: true,
    review: reviewLike({ state: "open", outcome: null, note: null, closed_at: null }),
    refused: null,
    place: {
      previous: null,
      next: "01a1faa8-096b-732a-8637-7ff3434a9d23",
      before: 0,
      open: 4
    },
    closed: null,
    ...more
  }
}
