/** Stores an assessment before it is answered: builds its record, writes it, and resolves a taken idempotency key. */

import { Effect } from "effect"
import { randomFillSync, randomUUID } from "node:crypto"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { Action } from "../domain/Action.ts"
import { storageReadMsMax, storageWriteMsMax } from "../limits.ts"
import type { AssessmentRecord } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { searchText } from "../storage/assessments/listAssessments.ts"
import { sha256 } from "../storage/sha256.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { timeOrderedId } from "../storage/timeOrderedId.ts"
import {
  type AssessAnswer,
  type AssessRequest,
  orAssessmentUnavailable,
  timeLeftMs
} from "./AssessRequest.ts"
import { replayAnswer } from "./Idempotency.ts"
import { encodeAssessment, encodeListItem, encodeSnapshot } from "./encode.ts"
import type { EvaluatedRequest } from "./evaluate.ts"

export const makePersist = Effect.gen(function* () {
  const records = yield* AssessmentRecords

  /**
   * False when the id or the idempotency key is taken. An attempt without an answer may have been committed all the
   * same: the second one finds the assessment by its id then, and writes it otherwise.
   */
  const write = (question: AssessRequest, record: AssessmentRecord) => {
    const attempt = Effect.suspend(() =>
      records.write(question.owner, record, timeLeftMs(question, storageWriteMsMax))
    )
    const again = Effect.catchCause(attempt, orAssessmentUnavailable("store an assessment"))
    return Effect.catchCause(attempt, (cause) =>
      Effect.andThen(logStorageFailure("store an assessment at once", cause), again)
    )
  }

  const settle = Effect.fnUntraced(function* (question: AssessRequest, record: AssessmentRecord) {
    const kept: AssessAnswer = {
      body: record.response,
      requestId: record.requestId,
      replayed: false,
      complete: record.complete
    }
    const written = yield* write(question, record)
    // Without a key only an earlier attempt of our own can have taken the id.
    if (written || record.idempotencyKey === null) return kept
    const holder = yield* records
      .findByIdempotencyKey(question.owner, record.idempotencyKey, timeLeftMs(question, storageReadMsMax))
      .pipe(Effect.catchCause(orAssessmentUnavailable("look an idempotency key up")))
    if (holder === undefined) return yield* new AssessmentUnavailable()
    return holder.assessmentId === record.assessmentId ? kept : yield* replayAnswer(question, holder)
  })

  // Invariant: a caller that goes away interrupts nothing of the writing, which has bounds of its own.
  return (question: AssessRequest, record: AssessmentRecord, whenKept: () => void) =>
    settle(question, record).pipe(
      Effect.tap(({ replayed }) => Effect.sync(() => (replayed ? undefined : whenKept()))),
      Effect.uninterruptible
    )
})

/** The record of an evaluated question: its answer, encoded once, with the evidence for it. */
const toJsonBytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

export const toAssessmentRecord = (
  question: AssessRequest,
  evaluation: EvaluatedRequest,
  engine: { readonly riskEngineVersion: string; readonly rulesDigest: string }
): AssessmentRecord => {
  const { call, owner } = question
  const { action } = call
  const { atMicros, behavior, behaviorMs, history, scored } = evaluation
  const response = encodeAssessment(scored.opinion, {
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
    item: encodeListItem(action, response),
    search: assessmentSearchText(action, history.normalizedActionType),
    idempotencyKey: call.idempotencyKey,
    history,
    fingerprint: evaluation.fingerprint,
    salt: randomSalt()
  }
}

/** What lists search of an assessment. */
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

/** 16 random bytes of their own for each assessment, which stand in the leaves of its seal. */
const saltBytes = 16

/** Drawn many at once: one call serves hundreds of salts. */
const pool = new Uint8Array(saltBytes * 256)
let used = pool.length

const randomSalt = (): Uint8Array => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.slice(used, (used += saltBytes))
}
