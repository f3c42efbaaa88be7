/** A call with what makes it the same question as another: whose it is, and its body in one canonical form. */

import { storageTotalMsMax } from "../Limits.ts"
import { canonicalText } from "../scoring/canonicalText.ts"
import type { Owner } from "../storage/AssessmentRecord.ts"
import type { AssessCall, Drill } from "./AssessCall.ts"
import { sha256 } from "../storage/sha256.ts"

export interface Question {
  readonly call: AssessCall
  readonly owner: Owner
  /** RFC 8785 bytes of the body; two bodies are equal when these are (contract 3.2). */
  readonly input: Uint8Array
  readonly inputDigest: Uint8Array
  /** Only test keys have drills. */
  readonly drill: Drill | null
  readonly askedAtMs: number
}

export const ask = (call: AssessCall): Question => {
  const { mode, organizationId } = call.caller
  const input = Buffer.from(canonicalText(call.body))
  return {
    call,
    owner: { organizationId, mode },
    input,
    inputDigest: sha256(input),
    drill: mode === "test" ? call.drill : null,
    askedAtMs: performance.now()
  }
}

/** Milliseconds that storage may still take: at most `most`, and never past the time of the whole question. */
export const patienceMs = (question: Question, most: number): number =>
  Math.max(0, Math.min(most, storageTotalMsMax - (performance.now() - question.askedAtMs)))
