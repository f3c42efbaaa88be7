/** The input and output of the use case: the call, the request prepared from the call, and the answer. */

import { Effect } from "effect"
import type { Drill } from "../api/AssessmentRequest.ts"
import {
  AssessmentIncomplete,
  AssessmentUnavailable,
  IdempotencyKeyReused,
  type RateLimited
} from "../api/Failures.ts"
import type { JsonObject } from "../json/json.ts"
import type { Action } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"
import { storageTotalMsMax } from "../limits.ts"
import { canonicalText } from "../json/canonical.ts"
import type { AssessmentRecord, Owner, StoredAnswer } from "../storage/assessments/AssessmentRecord.ts"
import { sha256 } from "../storage/sha256.ts"
import { logAndFail } from "../storage/storageErrors.ts"

export interface AssessCall {
  readonly caller: Caller
  readonly requestId: string
  readonly action: Action
  /** The body as the caller sent it. Stored as evidence and compared under an idempotency key. */
  readonly body: JsonObject
  readonly idempotencyKey: string | null
  /** True for `Prefer: handling=strict`: the caller wants a complete opinion or none. */
  readonly strict: boolean
  readonly drill: Drill | null
  /** `performance.now()` when the last byte of the request arrived. */
  readonly receivedAtMs: number
  readonly validationMs: number
}

export interface AssessAnswer {
  /** The JSON bytes. Equal in every replay. */
  readonly body: Uint8Array
  /** The request id inside `body`. In a replay, the id of the first request. */
  readonly requestId: string
  readonly replayed: boolean
  readonly complete: boolean
}

/** `RateLimited` comes only from a drill: the server applies the real limits before it calls the use case. */
export type AssessFailure = IdempotencyKeyReused | AssessmentIncomplete | AssessmentUnavailable | RateLimited

/** A call with its owner and its canonical body. Together these decide whether two calls are the same request. */
export interface AssessRequest {
  readonly call: AssessCall
  readonly owner: Owner
  /** The body as RFC 8785 bytes. Two bodies are equal if these bytes are equal (contract 3.2). */
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  /** The idempotency key with its owner; null without a key. */
  readonly ownedKey: string | null
  /** Always null for live keys. */
  readonly drill: Drill | null
  readonly preparedAtMs: number
}

export const prepare = (call: AssessCall): AssessRequest => {
  const { mode, organizationId } = call.caller
  const { idempotencyKey } = call
  const input = Buffer.from(canonicalText(call.body))
  return {
    call,
    owner: { organizationId, mode },
    input,
    inputDigest: sha256(input),
    ownedKey: idempotencyKey === null ? null : `${mode} ${organizationId} ${idempotencyKey}`,
    drill: mode === "test" ? call.drill : null,
    preparedAtMs: performance.now()
  }
}

/** The milliseconds that one storage operation may take: at most `msMax`, and no more than the rest of `storageTotalMsMax`. */
export const timeLeftMs = (request: AssessRequest, msMax: number): number =>
  Math.max(0, Math.min(msMax, storageTotalMsMax - (performance.now() - request.preparedAtMs)))

/** Logs a storage failure with the name of the operation, and fails with ASSESSMENT_UNAVAILABLE. */
export const orAssessmentUnavailable = logAndFail(() => new AssessmentUnavailable())

/** The answer of an assessment, as stored with it. */
export const ownAnswer = ({ complete, requestId, response }: AssessmentRecord): AssessAnswer => ({
  body: response,
  requestId,
  replayed: false,
  complete
})

/** Returns the stored answer byte for byte, or fails if the request must not get it. */
export const replayAnswer = (
  request: AssessRequest,
  stored: StoredAnswer
): Effect.Effect<AssessAnswer, IdempotencyKeyReused | AssessmentIncomplete> => {
  // Spec 4.1.2: reusing a key with a different body is the caller's error.
  if (Buffer.compare(stored.inputDigest, request.inputDigest) !== 0)
    return Effect.fail(new IdempotencyKeyReused())
  if (request.call.strict && !stored.complete) return Effect.fail(new AssessmentIncomplete())
  // Spec 4.1.1: a replay returns the original assessment.
  return Effect.succeed({
    body: stored.response,
    requestId: stored.requestId,
    replayed: true,
    complete: stored.complete
  })
}
