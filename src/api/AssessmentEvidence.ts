/** A stored assessment with the evidence that lets anyone recompute it (contract 3.3). */

import { Schema } from "effect"
import { AssessmentRequest } from "./AssessmentRequest.ts"
import { assessmentResponseFields } from "./AssessmentResponse.ts"
import { Digest, IsoMillis } from "./Scalars.ts"

/** History at the instant of the assessment; null when it could not be read. */
const BehaviorSnapshot = Schema.NullOr(Schema.Record(Schema.String, Schema.Json)).annotate({
  description: "The organization's history as the score saw it; null when it could not be read."
})

const Sealed = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).annotate({ description: "null until the entry is sealed, within a second or two." })

const Evidence = Schema.Struct({
  input_digest: Digest,
  result_digest: Digest,
  behavior_snapshot: BehaviorSnapshot,
  rules_digest: Digest,
  policy_digest: Digest,
  sequence: Sealed(Schema.Int),
  previous_digest: Sealed(Digest),
  entry_digest: Sealed(Digest),
  sealed_at: Sealed(IsoMillis)
}).annotate({ identifier: "Evidence" })

export const AssessmentEvidence = Schema.Struct({
  ...assessmentResponseFields,
  input: AssessmentRequest,
  evidence: Evidence
}).annotate({ identifier: "AssessmentEvidence" })
export type AssessmentEvidence = typeof AssessmentEvidence.Encoded
