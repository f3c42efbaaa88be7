/** Builds the record of an assessment and writes it before it is answered. */

import { Effect } from "effect"
import { randomFillSync, randomUUID } from "node:crypto"
import type { Action } from "../domain/Action.ts"
import { storageWriteMsMax } from "../limits.ts"
import type { AssessmentRecord } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { searchText } from "../storage/assessments/listAssessments.ts"
import { sha256 } from "../storage/sha256.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { timeOrderedId } from "../storage/timeOrderedId.ts"
import { type AssessRequest, orAssessmentUnavailable, timeLeftMs } from "./AssessRequest.ts"
import { encodeAssessment, encodeListItem, encodeSnapshot } from "./encode.ts"
import type { BehaviorRead } from "./lookUp.ts"
import type { Scored } from "./Scorer.ts"

export interface ScoredRequest extends BehaviorRead {
  readonly scored: Scored
}

export const makePersist = Effect.gen(function* () {
  const records = yield* AssessmentRecords

  /**
   * Returns false if the id or the idempotency key is taken. An attempt that got no answer may have been committed. The second attempt then
   * finds the id taken; otherwise it writes the assessment.
   *
   * Invariant: a caller that disconnects does not interrupt the write. The write has its own time limits.
   */
  return (request: AssessRequest, record: AssessmentRecord) => {
    const attempt = Effect.suspend(() =>
      records.write(request.owner, record, timeLeftMs(request, storageWriteMsMax))
    )
    const secondAttempt = Effect.catchCause(attempt, orAssessmentUnavailable("store an assessment"))
    return Effect.uninterruptible(
      Effect.catchCause(attempt, (cause) =>
        Effect.andThen(logStorageFailure("store an assessment at once", cause), secondAttempt)
      )
    )
  }
})

const toJsonBytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

/** The database row of a scored request: its answer, encoded once, and the evidence for it. */
export const toAssessmentRecord = (
  request: AssessRequest,
  scoredRequest: ScoredRequest,
  engine: { readonly riskEngineVersion: string; readonly rulesDigest: string }
): AssessmentRecord => {
  const { call, owner } = request
  const { action } = call
  const { atMicros, behavior, behaviorMs, fingerprint, history, scored } = scoredRequest
  const response = encodeAssessment(scored.opinion, {
    riskEngineVersion: engine.riskEngineVersion,
    policyVersion: scored.policyVersion,
    assessmentId: timeOrderedId(atMicros),
    actionId: randomUUID(),
    requestId: call.requestId,
    mode: owner.mode,
    createdAtMicros: atMicros,
    timing: {
      // Measured up to here: these bytes are hashed and stored, so they cannot include the time that storing takes.
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
    input: request.input,
    inputDigest: request.inputDigest,
    behaviorSnapshot: behavior === "unavailable" ? null : toJsonBytes(encodeSnapshot(behavior)),
    rulesDigest: Buffer.from(engine.rulesDigest, "hex"),
    policyDigest: Buffer.from(scored.policyDigest, "hex"),
    item: encodeListItem(action, response),
    search: assessmentSearchText(action, history.normalizedActionType),
    idempotencyKey: call.idempotencyKey,
    history,
    fingerprint,
    salt: randomSalt()
  }
}

/** The text of an assessment that list searches look in. */
export const assessmentSearchText = (action: Action, normalizedActionType: string): string =>
  searchText([
    action.actionType,
    normalizedActionType,
    action.agentId,
    action.targetSystem,
    action.targetResource,
    action.destination,
    action.actionDescription
  ])

/** Each assessment has its own salt, which is hashed into the leaves of its seal. */
const saltBytes = 16

/** Random bytes for 256 salts, drawn in one call. */
const pool = new Uint8Array(saltBytes * 256)
let used = pool.length

const randomSalt = (): Uint8Array => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.slice(used, (used += saltBytes))
}
