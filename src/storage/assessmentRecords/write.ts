/** The statement that writes an assessment: all of it or nothing, and twice the same as once. */

import { PgTypes } from "@effect/sql-pg"
import { idempotencyMemoryHours } from "../../Limits.ts"
import type { AssessmentRecord } from "../AssessmentRecord.ts"

/**
 * Invariant: whoever writes the row of an idempotency key writes the assessment; the unique key is what makes that one
 * process of many. A key held by another assessment, like an assessment already written, makes the statement write
 * nothing, so repeating it after a lost connection is safe.
 *
 * Only complete assessments become history; they were stamped by the database's own clock, which also reads the windows.
 */
export const writeStatement = `
WITH remembered AS (
  INSERT INTO idempotency_keys AS held (organization_id, key, input_digest, assessment_id, completed_at)
  SELECT $1::uuid, $2::text, $3::bytea, $4::uuid, statement_timestamp() WHERE $2::text IS NOT NULL
  ON CONFLICT (organization_id, key) DO UPDATE
    SET input_digest = excluded.input_digest, assessment_id = excluded.assessment_id, completed_at = excluded.completed_at
    WHERE held.completed_at <= statement_timestamp() - interval '${idempotencyMemoryHours} hours'
  RETURNING assessment_id
), kept AS (
  INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
    result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search)
  SELECT $1::uuid, $4::uuid, $5::uuid, $6::text, $7::timestamptz, $8::boolean, $9::bytea, $10::bytea, $11::bytea,
    $3::bytea, $12::bytea, $13::bytea, $14::bytea, $15::json, $16::text
  WHERE $2::text IS NULL OR EXISTS (SELECT FROM remembered)
  ON CONFLICT (organization_id, assessment_id) DO NOTHING
  RETURNING assessment_id
), counted AS (
  INSERT INTO history (organization_id, created_at, assessment_id, fingerprint, normalized_action_type, action_category,
    action_class, agent_id, destination_key, stated_entities, stated_usd_cents, scored_entities, scored_usd_cents)
  SELECT $1::uuid, $7::timestamptz, $4::uuid, $17::bytea, $18::text, $19::text, $20::text, $21::text, $22::text,
    $23::bigint, $24::bigint, $25::bigint, $26::bigint
  WHERE $8::boolean AND EXISTS (SELECT FROM kept)
)
SELECT EXISTS (SELECT FROM kept) AS kept`

/** Typed, because a number's size would otherwise choose its type and with it another prepared statement. */
const int8 = (value: number | null) => PgTypes.int8(value === null ? null : BigInt(value))

export const writeParameters = (organizationId: string, record: AssessmentRecord): ReadonlyArray<unknown> => [
  organizationId,
  record.idempotencyKey,
  record.inputDigest,
  record.assessmentId,
  record.actionId,
  record.requestId,
  timestamp(record.createdAtMicros),
  record.complete,
  record.response,
  record.resultDigest,
  record.input,
  PgTypes.bytea(record.behaviorSnapshot),
  record.rulesDigest,
  record.policyDigest,
  JSON.stringify(record.item),
  record.search,
  record.fingerprint,
  record.history.normalizedActionType,
  record.history.actionCategory,
  record.history.actionClass,
  record.history.agentId,
  record.history.destinationKey,
  int8(record.history.statedEntities),
  int8(record.history.statedUsdCents),
  int8(record.history.scoredEntities),
  int8(record.history.scoredUsdCents)
]

/** ISO 8601 with microseconds: a Date would round them away. */
const timestamp = (micros: number): string => {
  const millis = Math.floor(micros / 1_000)
  const rest = (micros % 1_000).toString().padStart(3, "0")
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}
