/** An answer that is not stored, which the commands and the agent program give without a server or a database. */

import { randomUUID } from "node:crypto"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import type { Mode } from "../domain/Caller.ts"
import type { Opinion } from "../domain/Opinion.ts"
import { timeOrderedId } from "../storage/timeOrderedId.ts"
import { encodeAssessment, type Timing } from "./encode.ts"
import { requestId } from "./requestId.ts"

interface Scored {
  readonly riskEngineVersion: string
  readonly policyVersion: string
  readonly mode: Mode
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly timing: Timing
}

const microsPerMilli = 1_000

export const unstoredAnswer = (opinion: Opinion, { nowMs, ...scored }: Scored): AssessmentResponse =>
  encodeAssessment(opinion, {
    ...scored,
    assessmentId: timeOrderedId(nowMs * microsPerMilli),
    actionId: randomUUID(),
    requestId: requestId(nowMs),
    createdAtMicros: nowMs * microsPerMilli
  })
