/** The statements that read erasures and what may be erased, and their rows in the words of a chain. */

import type { SqlClient } from "effect/sql"
import { erasableAfterMs } from "../../Limits.ts"
import type { Owner } from "../AssessmentRecord.ts"
import type { Stretch } from "../assessmentRecords/read.ts"
import type { Erasure, ErasureReason } from "../evidence/Erasure.ts"

/** An assessment that may be erased, or will be in a moment. */
export interface Candidate {
  readonly assessmentId: string
  /** The exact bytes of the request. */
  readonly input: Uint8Array
  /** Sealed, and stored so long ago that no attempt to store it can still be under way. */
  readonly erasable: boolean
}

interface CandidateRow {
  readonly assessment_id: string
  readonly input: Uint8Array
  readonly erasable: boolean
}

/** Of assessments beside their seals. */
export const erasable = `seals.snapshot_leaf IS NOT NULL
  AND seals.input_leaf IS NOT NULL AND seals.result_leaf IS NOT NULL
  AND assessments.created_at <= statement_timestamp() - interval '${erasableAfterMs} milliseconds'`

export const selectCandidates = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  before: string,
  after: string,
  rowsMax: number
) => sql<CandidateRow>`
  SELECT assessment_id, input, coalesce(${sql.literal(erasable)}, false) AS erasable
  FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id > ${after} AND assessment_id < ${before}
  ORDER BY assessment_id LIMIT ${rowsMax}
`

export const selectNamed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  ids: ReadonlyArray<string>
) => sql<CandidateRow>`
  SELECT assessment_id, input, coalesce(${sql.literal(erasable)}, false) AS erasable
  FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id = ANY (${ids}::uuid[])
  ORDER BY assessment_id
`

export const candidateOfRow = (row: CandidateRow): Candidate => ({
  assessmentId: row.assessment_id,
  input: row.input,
  erasable: row.erasable
})

/** All of it but what the seal says. */
export interface ErasedColumns {
  readonly created_at: string
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
  readonly erased_at: string
  readonly reason: ErasureReason
  readonly public_key: Uint8Array
  readonly signature: Uint8Array
}

export interface SealColumns {
  readonly assessment_id: string
  readonly sequence: number
  readonly previous_digest: Uint8Array
  readonly entry_digest: Uint8Array
  readonly input_leaf: Uint8Array
  readonly result_leaf: Uint8Array
  readonly snapshot_leaf: Uint8Array
}

/** Oldest first, after an id; only those that have a seal, as all do that were erased as they should be. */
export const selectErasures = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, from }: Stretch,
  after: string | null,
  rowsMax: number
) => sql<ErasedColumns & SealColumns>`
  SELECT assessment_id, sequence::float8, previous_digest, entry_digest, input_leaf, result_leaf, snapshot_leaf,
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at, rules_digest, policy_digest,
    to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at, reason, public_key, signature
  FROM erasures JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from} AND assessment_id < ${before}
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id LIMIT ${rowsMax}
`

export const erasureOfRow = ({ mode, organizationId }: Owner, row: ErasedColumns & SealColumns): Erasure => ({
  organizationId,
  mode,
  sequence: row.sequence,
  previousDigest: row.previous_digest,
  entryDigest: row.entry_digest,
  assessmentId: row.assessment_id,
  createdAt: row.created_at,
  inputLeaf: row.input_leaf,
  resultLeaf: row.result_leaf,
  snapshotLeaf: row.snapshot_leaf,
  rulesDigest: row.rules_digest,
  policyDigest: row.policy_digest,
  erasedAt: row.erased_at,
  reason: row.reason,
  publicKey: row.public_key,
  signature: row.signature
})
