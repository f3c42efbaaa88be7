/** The statements that read assessments back, and their rows in the domain's words. */

import type { SqlClient } from "effect/sql"
import { idempotencyMemoryHours } from "../../Limits.ts"
import type { SealableEvidence, StoredAnswer, StoredEvidence } from "../AssessmentRecord.ts"
import type { Placed } from "./readTogether.ts"

interface AnswerRow extends Placed {
  readonly assessment_id: string
  readonly request_id: string
  readonly input_digest: Uint8Array
  readonly complete: boolean
  readonly response: Uint8Array
}

/** One of many: the owner's organization, and the key. */
export interface KeyQuestion {
  readonly organizationId: string
  readonly key: string
}

/**
 * The answers that are remembered, each with the place of its question.
 *
 * `LIMIT 1` keeps the order of looking up: key, then assessment. Left to itself the planner, whose plans outlive the
 * moments when a table is small, may read all of an organization's assessments for each key.
 */
export const selectAnswers = (sql: SqlClient.SqlClient, questions: ReadonlyArray<KeyQuestion>) => {
  const organizations = questions.map(({ organizationId }) => organizationId)
  const keys = questions.map(({ key }) => key)
  return sql<AnswerRow>`
    SELECT place::int, assessment_id, request_id, held.input_digest, complete, response
    FROM unnest(${organizations}::uuid[], ${keys}::text[]) WITH ORDINALITY AS asked (organization_id, key, place)
      CROSS JOIN LATERAL (
        SELECT input_digest, assessment_id FROM idempotency_keys
        WHERE organization_id = asked.organization_id AND key = asked.key
          AND completed_at > statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
        LIMIT 1
      ) AS held
      CROSS JOIN LATERAL (
        SELECT request_id, complete, response FROM assessments
        WHERE organization_id = asked.organization_id AND assessment_id = held.assessment_id
        LIMIT 1
      ) AS kept
  `
}

export const answerOfRow = (row: AnswerRow): StoredAnswer => ({
  assessmentId: row.assessment_id,
  requestId: row.request_id,
  inputDigest: row.input_digest,
  complete: row.complete,
  response: row.response
})

interface EvidenceRow {
  readonly assessment_id: string
  readonly response: Uint8Array
  readonly result_digest: Uint8Array
  readonly input: Uint8Array
  readonly input_digest: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
  readonly sequence: bigint | null
  readonly previous_digest: Uint8Array | null
  readonly entry_digest: Uint8Array | null
  readonly sealed_at: Date | null
}

const assessmentColumns = `assessment_id, response, result_digest, input, input_digest, behavior_snapshot, rules_digest,
  policy_digest`
const sealColumns = "sequence, previous_digest, entry_digest, sealed_at"

/** One of many: an assessment of an organization. */
export interface EvidenceQuestion {
  readonly organizationId: string
  readonly assessmentId: string
}

/** The assessments that are there, each with the place of its question. `LIMIT 1` looks each up by itself, as above. */
export const selectEvidence = (sql: SqlClient.SqlClient, questions: ReadonlyArray<EvidenceQuestion>) => {
  const organizations = questions.map(({ organizationId }) => organizationId)
  const ids = questions.map(({ assessmentId }) => assessmentId)
  return sql<EvidenceRow & Placed>`
    SELECT place::int, ${sql.literal(assessmentColumns)}, ${sql.literal(sealColumns)}
    FROM unnest(${organizations}::uuid[], ${ids}::uuid[]) WITH ORDINALITY AS asked (organization_id, id, place)
      CROSS JOIN LATERAL (
        SELECT ${sql.literal(assessmentColumns)} FROM assessments
        WHERE organization_id = asked.organization_id AND assessment_id = asked.id
        LIMIT 1
      ) AS kept
      LEFT JOIN LATERAL (
        SELECT ${sql.literal(sealColumns)} FROM seals
        WHERE organization_id = asked.organization_id AND assessment_id = asked.id
        LIMIT 1
      ) AS sealed ON true
  `
}

/** Assessments of a stretch of ids, which begin with their time. */
export interface Stretch {
  /** Not before this id. */
  readonly from: string
  /** Before this id. */
  readonly before: string
}

interface SealableRow extends EvidenceRow {
  readonly created_at: string
  readonly salt: Uint8Array | null
  readonly input_leaf: Uint8Array | null
  readonly result_leaf: Uint8Array | null
  readonly snapshot_leaf: Uint8Array | null
}

/** Oldest first, along the primary key; `after` is the last id of the page before. */
export const selectEvidencePage = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, from }: Stretch,
  after: string | null,
  rowsMax: number
) => sql<SealableRow>`
  SELECT ${sql.literal(assessmentColumns)}, ${sql.literal(sealColumns)}, salt, input_leaf, result_leaf, snapshot_leaf,
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at
  FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from} AND assessment_id < ${before}
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id
  LIMIT ${rowsMax}
`

export const evidenceOfRow = (row: EvidenceRow): StoredEvidence => ({
  assessmentId: row.assessment_id,
  response: row.response,
  resultDigest: row.result_digest,
  input: row.input,
  inputDigest: row.input_digest,
  behaviorSnapshot: row.behavior_snapshot,
  rulesDigest: row.rules_digest,
  policyDigest: row.policy_digest,
  seal: sealOfRow(row)
})

export const sealableOfRow = (organizationId: string, row: SealableRow): SealableEvidence => ({
  ...evidenceOfRow(row),
  organizationId,
  createdAt: row.created_at,
  salt: row.salt,
  inputLeaf: row.input_leaf,
  resultLeaf: row.result_leaf,
  snapshotLeaf: row.snapshot_leaf
})

const sealOfRow = (row: EvidenceRow): StoredEvidence["seal"] =>
  row.sequence === null || row.previous_digest === null || row.entry_digest === null || row.sealed_at === null
    ? null
    : {
        sequence: Number(row.sequence),
        previousDigest: row.previous_digest,
        entryDigest: row.entry_digest,
        sealedAt: row.sealed_at
      }
