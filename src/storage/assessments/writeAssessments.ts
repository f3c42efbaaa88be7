/** The statement that writes assessments: each whole or not at all, and writing one twice is like writing it once. */

import { arrayParameters } from "../sql/rows.ts"
import type { AssessmentRecord, Owner } from "./AssessmentRecord.ts"

export interface AssessmentWrite {
  readonly owner: Owner
  readonly record: AssessmentRecord
}

/**
 * One array per parameter of `write_assessments`, one element per assessment, in this order. The types check the values, and no table
 * checks them again.
 */
const columns = {
  organization_id: "uuid",
  key: "text",
  input_digest: "digest",
  assessment_id: "uuid",
  action_id: "uuid",
  request_id: "text",
  created_at: "timestamptz",
  complete: "boolean",
  response: "bytea",
  result_digest: "digest",
  input: "bytea",
  behavior_snapshot: "bytea",
  rules_digest: "digest",
  policy_digest: "digest",
  item: "json",
  search: "text",
  fingerprint: "digest",
  normalized_action_type: "text",
  action_category: "text",
  action_class: "text",
  production: "boolean",
  changes: "boolean",
  agent_id: "text",
  summed_under: "text",
  destination_key: "text",
  destination_summed_under: "text",
  stated_entities: "figure",
  stated_usd_cents: "figure",
  scored_entities: "figure",
  scored_usd_cents: "figure",
  salt: "salt",
  level: "text"
} as const
type Column = keyof typeof columns

const names = Object.keys(columns) as ReadonlyArray<Column>

/** `write_assessments` is in `schema/assessments.sql`. */
export const writeStatement = `
SELECT written, announced FROM write_assessments(${names.map((name, i) => `$${i + 1}::${columns[name]}[]`).join(", ")})`

export interface WrittenRow {
  /** The places in the batch, from 1, of those that were written. Null where none was. */
  readonly written: ReadonlyArray<number> | null
  /** Whether a delivery was queued. */
  readonly announced: boolean
}

const values: Readonly<Record<Column, (write: AssessmentWrite) => unknown>> = {
  organization_id: ({ owner }) => owner.organizationId,
  key: ({ record }) => record.idempotencyKey,
  input_digest: ({ record }) => record.inputDigest,
  assessment_id: ({ record }) => record.assessmentId,
  action_id: ({ record }) => record.actionId,
  request_id: ({ record }) => record.requestId,
  created_at: ({ record }) => timestamp(record.createdAtMicros),
  complete: ({ record }) => record.complete,
  response: ({ record }) => record.response,
  result_digest: ({ record }) => record.resultDigest,
  input: ({ record }) => record.input,
  behavior_snapshot: ({ record }) => record.behaviorSnapshot,
  rules_digest: ({ record }) => record.rulesDigest,
  policy_digest: ({ record }) => record.policyDigest,
  item: ({ record }) => JSON.stringify(record.item),
  search: ({ record }) => record.search,
  fingerprint: ({ record }) => record.fingerprint,
  normalized_action_type: ({ record }) => record.history.normalizedActionType,
  action_category: ({ record }) => record.history.actionCategory,
  action_class: ({ record }) => record.history.actionClass,
  production: ({ record }) => record.history.production,
  changes: ({ record }) => record.history.changes,
  agent_id: ({ record }) => record.history.agentId,
  summed_under: ({ record }) => record.history.summedUnder,
  destination_key: ({ record }) => record.history.destinationKey,
  destination_summed_under: ({ record }) => record.history.destinationSummedUnder,
  stated_entities: ({ record }) => bigint(record.history.statedEntities),
  stated_usd_cents: ({ record }) => bigint(record.history.statedUsdCents),
  scored_entities: ({ record }) => bigint(record.history.scoredEntities),
  scored_usd_cents: ({ record }) => bigint(record.history.scoredUsdCents),
  salt: ({ record }) => record.salt,
  level: ({ record }) => record.level
}

/** The type that an element is sent as, from which the statement casts it. */
const sentAs = {
  uuid: "text",
  text: "text",
  timestamptz: "text",
  json: "text",
  bytea: "bytea",
  digest: "bytea",
  salt: "bytea",
  boolean: "bool",
  figure: "int8"
} as const

export const writeParameters = (batch: ReadonlyArray<AssessmentWrite>): ReadonlyArray<unknown> =>
  arrayParameters(
    batch,
    names.map((name) => [sentAs[columns[name]], values[name]])
  )

const bigint = (figure: number | null): bigint | null => (figure === null ? null : BigInt(figure))

/** ISO 8601 with microseconds: a Date would round them away. */
const timestamp = (micros: number): string => {
  const millis = Math.floor(micros / 1_000)
  const rest = (micros % 1_000).toString().padStart(3, "0")
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}
