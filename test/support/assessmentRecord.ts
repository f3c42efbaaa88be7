/** Records of assessments that show only what matters to a test of storage. */

import { randomUUID } from "node:crypto"
import { destinationSummedUnder, type HistoryRecord } from "../../src/scoring/HistoryRecord.ts"
import type { AssessmentRecord } from "../../src/storage/assessments/AssessmentRecord.ts"
import { sha256 } from "../../src/storage/sha256.ts"
import { timeOrderedId } from "../../src/storage/timeOrderedId.ts"

export type Overrides = Partial<Omit<AssessmentRecord, "history">> & {
  readonly history?: Partial<HistoryRecord>
}

/** The record of a unit: an action whose figures follow from its number, as the figures of real actions follow from their form. */
export const assessmentRecord = (
  unit: number,
  { history, ...overrides }: Overrides = {}
): AssessmentRecord => {
  const destinationKey =
    history?.destinationKey === undefined
      ? unit % 3 === 0
        ? null
        : `destination-${unit % 4}.example`
      : history.destinationKey
  const createdAtMicros = overrides.createdAtMicros ?? Date.now() * 1_000
  const assessmentId = timeOrderedId(createdAtMicros)
  const response = Buffer.from(`{"assessment_id":"${assessmentId}"}`)
  const input = Buffer.from(`{"unit":${unit}}`)
  return {
    assessmentId,
    actionId: randomUUID(),
    requestId: `req_${assessmentId}`,
    createdAtMicros,
    complete: true,
    level: "low",
    response,
    resultDigest: sha256(response),
    input,
    inputDigest: sha256(input),
    behaviorSnapshot: null,
    rulesDigest: new Uint8Array(32),
    policyDigest: new Uint8Array(32),
    item: { assessment_id: assessmentId },
    search: `unit ${unit}`,
    idempotencyKey: null,
    history: {
      normalizedActionType: `thing.update${unit % 3}`,
      actionClass: unit % 4 === 0 ? "read" : "write",
      production: false,
      changes: unit % 4 > 0,
      actionCategory: unit % 5 === 0 ? "financial" : "data",
      agentId: unit % 2 === 0 ? null : `agent ${unit % 3}`,
      summedUnder: unit % 2 === 0 ? ` system ${unit % 3}` : `agent ${unit % 3}`,
      destinationKey,
      destinationSummedUnder: destinationSummedUnder(destinationKey),
      statedEntities: unit % 7 === 0 ? null : (unit * 137) % 2_000,
      statedUsdCents: unit % 6 === 0 ? null : (unit * 7_919) % 1_000_000,
      scoredEntities: (unit * 137) % 2_000,
      scoredUsdCents: (unit * 7_919) % 1_000_000,
      canonicalForm: `unit ${unit}`,
      ...history
    },
    fingerprint: sha256(`unit ${unit}`),
    salt: new Uint8Array(16),
    ...overrides
  }
}
