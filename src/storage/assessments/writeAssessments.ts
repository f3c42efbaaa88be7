/** The statement that writes assessments: each whole or not at all, and writing one twice is like writing it once. */

import { arrayColumns } from "../sql/rows.ts"
import type { AssessmentRecord, Owner } from "./AssessmentRecord.ts"

export interface AssessmentWrite {
  readonly owner: Owner
  readonly record: AssessmentRecord
}

/** The parameters of `write_assessments`, in its order. Their types check the values, and no table checks them again. */
const columns = arrayColumns<AssessmentWrite>({
  organization_id: ["uuid", ({ owner }) => owner.organizationId],
  key: ["text", ({ record }) => record.idempotencyKey],
  input_digest: ["digest", ({ record }) => record.inputDigest],
  assessment_id: ["uuid", ({ record }) => record.assessmentId],
  action_id: ["uuid", ({ record }) => record.actionId],
  request_id: ["text", ({ record }) => record.requestId],
  created_at: ["timestamptz", ({ record }) => timestamp(record.createdAtMicros)],
  complete: ["boolean", ({ record }) => record.complete],
  response: ["bytea", ({ record }) => record.response],
  result_digest: ["digest", ({ record }) => record.resultDigest],
  input: ["bytea", ({ record }) => record.input],
  behavior_snapshot: ["bytea", ({ record }) => record.behaviorSnapshot],
  rules_digest: ["digest", ({ record }) => record.rulesDigest],
  policy_digest: ["digest", ({ record }) => record.policyDigest],
  item: ["json", ({ record }) => JSON.stringify(record.item)],
  search: ["text", ({ record }) => record.search],
  fingerprint: ["digest", ({ record }) => record.fingerprint],
  normalized_action_type: ["text", ({ record }) => record.history.normalizedActionType],
  action_category: ["text", ({ record }) => record.history.actionCategory],
  action_class: ["text", ({ record }) => record.history.actionClass],
  production: ["boolean", ({ record }) => record.history.production],
  changes: ["boolean", ({ record }) => record.history.changes],
  agent_id: ["text", ({ record }) => record.history.agentId],
  summed_under: ["text", ({ record }) => record.history.summedUnder],
  destination_key: ["text", ({ record }) => record.history.destinationKey],
  destination_summed_under: ["text", ({ record }) => record.history.destinationSummedUnder],
  stated_entities: ["figure", ({ record }) => bigint(record.history.statedEntities)],
  stated_usd_cents: ["figure", ({ record }) => bigint(record.history.statedUsdCents)],
  scored_entities: ["figure", ({ record }) => bigint(record.history.scoredEntities)],
  scored_usd_cents: ["figure", ({ record }) => bigint(record.history.scoredUsdCents)],
  salt: ["salt", ({ record }) => record.salt],
  level: ["text", ({ record }) => record.level]
})

/** `write_assessments` is in `schema/assessments.sql`. */
export const writeStatement = `SELECT written, announced FROM write_assessments(${columns.parameters})`

export const writeParameters = columns.values

export interface WrittenRow {
  /** The places in the batch, from 1, of those that were written. Null where none was. */
  readonly written: ReadonlyArray<number> | null
  /** Whether a delivery was queued. */
  readonly announced: boolean
}

const bigint = (figure: number | null): bigint | null => (figure === null ? null : BigInt(figure))

/** ISO 8601 with microseconds: a Date would round them away. */
const timestamp = (micros: number): string => {
  const millis = Math.floor(micros / 1_000)
  const rest = (micros % 1_000).toString().padStart(3, "0")
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}
