/** The record of an evaluated question: its answer, encoded once, with the evidence for it. */

import { randomUUID } from "node:crypto"
import { timeOrderedId } from "../storage/assessmentId.ts"
import type { AssessmentRecord } from "../storage/AssessmentRecord.ts"
import { drawSalt } from "./drawSalt.ts"
import { encode } from "./encode.ts"
import { encodeSnapshot } from "./encodeSnapshot.ts"
import type { Evaluation } from "./Evaluate.ts"
import { listItem } from "./listItem.ts"
import type { Question } from "./Question.ts"
import { searchedText } from "./searchedText.ts"
import { sha256 } from "../storage/sha256.ts"

const toJsonBytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

export const recordAssessment = (
  question: Question,
  evaluation: Evaluation,
  engine: { readonly riskEngineVersion: string; readonly rulesDigest: string }
): AssessmentRecord => {
  const { call, owner } = question
  const { action } = call
  const { atMicros, behavior, behaviorMs, history, scored } = evaluation
  const response = encode(scored.opinion, {
    riskEngineVersion: engine.riskEngineVersion,
    policyVersion: scored.policyVersion,
    assessmentId: timeOrderedId(atMicros),
    actionId: randomUUID(),
    requestId: call.requestId,
    mode: owner.mode,
    createdAtMicros: atMicros,
    timing: {
      // Up to this line: these bytes are what is hashed and stored, so they cannot know how long storing takes.
      total: performance.now() - call.receivedAtMs,
      validation: call.validationMs,
      behavior: behaviorMs,
      scoring: scored.scoringMs,
      policy: scored.policyMs
    }
  })
  const bytes = toJsonBytes(response)
  return {
    assessmentId: response.assessment_id,
    actionId: response.action_id,
    requestId: response.request_id,
    createdAtMicros: atMicros,
    complete: scored.opinion.complete,
    level: response.action_risk.level,
    response: bytes,
    resultDigest: sha256(bytes),
    input: question.input,
    inputDigest: question.inputDigest,
    behaviorSnapshot: behavior === "unavailable" ? null : toJsonBytes(encodeSnapshot(behavior)),
    rulesDigest: Buffer.from(engine.rulesDigest, "hex"),
    policyDigest: Buffer.from(scored.policyDigest, "hex"),
    item: listItem(action, response),
    search: searchedText(action, history.normalizedActionType),
    idempotencyKey: call.idempotencyKey,
    history,
    fingerprint: evaluation.fingerprint,
    salt: drawSalt()
  }
}
