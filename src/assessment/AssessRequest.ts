/** What is asked of the use case and what it answers: the call, the prepared request with its canonical body, and the answer. */

import { AssessmentUnavailable } from "../api/Failures.ts"
import type { JsonObject } from "../json/json.ts"
import type { Action } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"
import { storageTotalMsMax } from "../limits.ts"
import { canonicalText } from "../json/canonical.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { sha256 } from "../storage/sha256.ts"
import { logAndFail } from "../storage/storageErrors.ts"

/** An outcome that a test key asks for by name, to try its own fail-safe path (contract 3.1). */
export const drills = ["incomplete", "unavailable", "rate-limited", "slow"] as const
export type Drill = (typeof drills)[number]

export interface AssessCall {
  readonly caller: Caller
  readonly requestId: string
  readonly action: Action
  /** The request as it came: what is kept as evidence, and compared under an idempotency key. */
  readonly body: JsonObject
  readonly idempotencyKey: string | null
  /** `Prefer: handling=strict`: a complete opinion or none. */
  readonly strict: boolean
  readonly drill: Drill | null
  /** `performance.now()` when the whole request had arrived. */
  readonly receivedAtMs: number
  readonly validationMs: number
}

export interface AssessAnswer {
  /** The exact JSON bytes, equal on every replay. */
  readonly body: Uint8Array
  /** The request id inside `body`: of a replay, the first request's. */
  readonly requestId: string
  readonly replayed: boolean
  readonly complete: boolean
}

/** A call with what makes it the same question as another: whose it is, and its body in one canonical form. */
export interface AssessRequest {
  readonly call: AssessCall
  readonly owner: Owner
  /** RFC 8785 bytes of the body; two bodies are equal when these are (contract 3.2). */
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  /** Only test keys have drills. */
  readonly drill: Drill | null
  readonly preparedAtMs: number
}

export const prepare = (call: AssessCall): AssessRequest => {
  const { mode, organizationId } = call.caller
  const input = Buffer.from(canonicalText(call.body))
  return {
    call,
    owner: { organizationId, mode },
    input,
    inputDigest: sha256(input),
    drill: mode === "test" ? call.drill : null,
    preparedAtMs: performance.now()
  }
}

/** Milliseconds that storage may still take: at most `most`, and never past the time of the whole question. */
export const timeLeftMs = (question: AssessRequest, most: number): number =>
  Math.max(0, Math.min(most, storageTotalMsMax - (performance.now() - question.preparedAtMs)))

/**
 * Storage as the use case sees it: what went wrong is logged, and told as ASSESSMENT_UNAVAILABLE.
 * What a cause comes to, by the name of what was tried; every statement has a bound of its own.
 */
export const orAssessmentUnavailable = logAndFail(() => new AssessmentUnavailable())
