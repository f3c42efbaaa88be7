/** The body of a stored assessment: its response, byte for byte, with `input` and `evidence` added at the end. */

import type { StoredEvidence } from "../storage/AssessmentRecord.ts"

const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")

export const encodeEvidence = (stored: StoredEvidence): Uint8Array => {
  const { behaviorSnapshot, seal } = stored
  const digests = {
    input_digest: hex(stored.inputDigest),
    result_digest: hex(stored.resultDigest)
  }
  const rest = {
    rules_digest: hex(stored.rulesDigest),
    policy_digest: hex(stored.policyDigest),
    sequence: seal?.sequence ?? null,
    previous_digest: seal === null ? null : hex(seal.previousDigest),
    entry_digest: seal === null ? null : hex(seal.entryDigest),
    sealed_at: seal?.sealedAt.toISOString() ?? null
  }
  // Spliced as bytes: parsing and printing again could change what the digests are of.
  return Buffer.concat([
    stored.response.subarray(0, -1),
    Buffer.from(`,"input":`),
    stored.input,
    Buffer.from(`,"evidence":${JSON.stringify(digests).slice(0, -1)},"behavior_snapshot":`),
    behaviorSnapshot ?? Buffer.from("null"),
    Buffer.from(`,${JSON.stringify(rest).slice(1)}}`)
  ])
}
