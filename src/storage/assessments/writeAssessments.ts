/** The statements that write assessments. Each is written whole or not at all, and writing it twice is like writing it once. */

import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import { idempotencyMemoryHours } from "../../limits.ts"
import { fold } from "../behavior/baselineTables.ts"
import type { AssessmentRecord, Owner } from "./AssessmentRecord.ts"
import { levelRankSql, queueDeliveries } from "../webhooks/queueDeliveries.ts"

export interface AssessmentWrite {
  readonly owner: Owner
  readonly record: AssessmentRecord
}

/**
 * One array per parameter, one element per assessment, in this order. The types of `schema/assessments.sql` check the values, and no
 * table checks them again.
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

/**
 * Common table expressions that follow an `asked` and a `kept`. Only assessments in both count: an assessment that was not
 * written causes no event and opens no review. Contract 4: a review for each at level high or critical, or incomplete.
 */
const openReviewsAndQueueEvents = `
weighed AS MATERIALIZED (
  SELECT organization_id, assessment_id, complete, level, ${levelRankSql("level")} AS rank,
    NOT complete OR level IN ('high', 'critical') AS reviewed
  FROM asked JOIN kept USING (organization_id, assessment_id)
), opened AS (
  INSERT INTO reviews (organization_id, assessment_id, opened_at)
  SELECT organization_id, assessment_id, statement_timestamp() FROM weighed WHERE reviewed
), happened AS (
  SELECT organization_id, assessment_id, rank, type
  FROM weighed CROSS JOIN LATERAL (VALUES
    ('assessment.completed', complete), ('assessment.incomplete', NOT complete),
    ('assessment.high', level = 'high'), ('assessment.critical', level = 'critical'), ('review.opened', reviewed)
  ) AS event (type, happens)
  WHERE happens
), ${queueDeliveries}`

const historyColumns = `organization_id, created_at, assessment_id, fingerprint, normalized_action_type, action_category,
    action_class, production, changes, agent_id, destination_key, stated_entities, stated_usd_cents, scored_entities,
    scored_usd_cents, destination_summed_under`

/**
 * Invariant: the transaction that writes the row of an idempotency key writes its assessment. The unique key lets only one
 * process, and only one assessment of a batch, do so. Where a key belongs to another assessment, or the assessment is
 * stored already, the statement writes nothing of the assessment. So it is safe to repeat the statement after a lost
 * connection, even in the same batch.
 *
 * Only complete assessments enter the history. Their timestamps come from the clock of the database, which also reads the
 * windows.
 */
export const writeStatement = `
WITH asked AS MATERIALIZED (
  SELECT DISTINCT ON (organization_id, assessment_id) * FROM unnest(${names.map((name, i) => `$${i + 1}::${columns[name]}[]`).join(", ")})
    WITH ORDINALITY AS asked (${names.join(", ")}, place)
  ORDER BY organization_id, assessment_id, place
), remembered AS (
  INSERT INTO idempotency_keys AS held (organization_id, key, input_digest, assessment_id, completed_at)
  SELECT DISTINCT ON (organization_id, key) organization_id, key, input_digest, assessment_id, statement_timestamp()
  FROM asked WHERE key IS NOT NULL ORDER BY organization_id, key, place
  ON CONFLICT (organization_id, key) DO UPDATE
    SET input_digest = excluded.input_digest, assessment_id = excluded.assessment_id, completed_at = excluded.completed_at
    WHERE held.completed_at <= statement_timestamp() - interval '${idempotencyMemoryHours} hours'
  RETURNING organization_id, assessment_id
), kept AS (
  INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
    result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt)
  SELECT organization_id, assessment_id, action_id, request_id, created_at, complete, response,
    result_digest, input, input_digest, behavior_snapshot, rules_digest, policy_digest, item, search, salt
  FROM asked
  WHERE key IS NULL OR (organization_id, assessment_id) IN (SELECT organization_id, assessment_id FROM remembered)
  ORDER BY organization_id, assessment_id
  ON CONFLICT (organization_id, assessment_id) DO NOTHING
  RETURNING organization_id, assessment_id
), queued AS (
  INSERT INTO unsealed (organization_id, assessment_id) SELECT organization_id, assessment_id FROM kept
), fresh AS MATERIALIZED (
  SELECT ${historyColumns}, summed_under, (created_at AT TIME ZONE 'UTC')::date AS day
  FROM asked JOIN kept USING (assessment_id, organization_id) WHERE complete
), counted AS (
  INSERT INTO history (${historyColumns}) SELECT ${historyColumns} FROM fresh
), ${openReviewsAndQueueEvents}, ${fold}
SELECT organization_id, assessment_id, EXISTS (SELECT FROM addressed) AS announced FROM kept`

export interface WrittenRow {
  readonly organization_id: string
  readonly assessment_id: string
  /** Whether the statement queued a delivery, for this assessment or another. */
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
  uuid: PgTypes.OID.text,
  text: PgTypes.OID.text,
  timestamptz: PgTypes.OID.text,
  json: PgTypes.OID.text,
  bytea: PgTypes.OID.bytea,
  digest: PgTypes.OID.bytea,
  salt: PgTypes.OID.bytea,
  boolean: PgTypes.OID.bool,
  figure: PgTypes.OID.int8
} as const

export const writeParameters = (batch: ReadonlyArray<AssessmentWrite>): ReadonlyArray<unknown> =>
  names.map((name) =>
    // Fails only for an element type without an array type, and all of these have one.
    Result.getOrThrow(PgTypes.array(batch.map(values[name]), sentAs[columns[name]]))
  )

/** Writes one assessment with the same result, for less: `schema/assessments.sql` says how. */
export const writeAloneStatement = `
SELECT write_assessment(${names.map((name, i) => `$${i + 1}::${columns[name]}`).join(", ")}) AS announced`

export interface WrittenAloneRow {
  /** As in `WrittenRow`. Null where nothing was written. */
  readonly announced: boolean | null
}

export const writeAloneParameters = (write: AssessmentWrite): ReadonlyArray<unknown> =>
  names.map((name) => values[name](write))

const bigint = (figure: number | null): bigint | null => (figure === null ? null : BigInt(figure))

/** ISO 8601 with microseconds: a Date would round them away. */
const timestamp = (micros: number): string => {
  const millis = Math.floor(micros / 1_000)
  const rest = (micros % 1_000).toString().padStart(3, "0")
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}
