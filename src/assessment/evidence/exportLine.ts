/** A line of an export: the API's body, byte for byte, with what its seal is computed from added as the last member. */

import type { SealableEvidence } from "../../storage/AssessmentRecord.ts"
import { hex } from "../../storage/evidence/chain.ts"
import { encodeEvidence } from "../encodeEvidence.ts"

const hexOrNull = (bytes: Uint8Array | null): string | null => (bytes === null ? null : hex(bytes))

/** Without its line break. */
export const exportLine = (stored: SealableEvidence): Uint8Array => {
  const seal = {
    organization_id: stored.organizationId,
    created_at: stored.createdAt,
    salt: hexOrNull(stored.salt),
    input_leaf: hexOrNull(stored.inputLeaf),
    result_leaf: hexOrNull(stored.resultLeaf),
    snapshot_leaf: hexOrNull(stored.snapshotLeaf)
  }
  return Buffer.concat([
    encodeEvidence(stored).subarray(0, -1),
    Buffer.from(`,"seal":${JSON.stringify(seal)}}`)
  ])
}
