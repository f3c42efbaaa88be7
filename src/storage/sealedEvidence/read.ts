/** The statements that read sealed evidence in the order of its chain, and their rows in the words of a chain. */

import type { SqlClient } from "effect/sql"
import type { Json } from "../../domain/Action.ts"
import type { Owner } from "../AssessmentRecord.ts"
import { type ErasedColumns, erasureOfRow } from "../erasures/read.ts"
import type { Erasure } from "../evidence/Erasure.ts"
import type { Link } from "../evidence/Link.ts"

/** What stands beside the sealed bytes and was made of them. */
export interface Derived {
  readonly actionId: string
  readonly requestId: string
  readonly complete: boolean
  readonly item: Json
  readonly search: string
}

export interface SealedRow extends Pick<
  Link,
  "sequence" | "previousDigest" | "entryDigest" | "assessmentId"
> {
  /** Null where there is no such assessment, or its seal has no leaves. */
  readonly link: Link | null
  readonly derived: Derived | null
  /** Null where it was not erased. */
  readonly erasure: Erasure | null
}

export interface UnsealedRow {
  readonly assessmentId: string
  readonly createdAt: string
  readonly ageMs: number
  /** Whether the sealer knows of it. */
  readonly queued: boolean
}

interface Seal {
  readonly sequence: number
  readonly assessment_id: string
  readonly previous_digest: Uint8Array
  readonly entry_digest: Uint8Array
}

interface Row extends Seal {
  readonly input_leaf: Uint8Array | null
  readonly result_leaf: Uint8Array | null
  readonly snapshot_leaf: Uint8Array | null
  /** Null, and with it all below, where there is no such assessment. */
  readonly created_at: string | null
  readonly salt: Uint8Array | null
  readonly input: Uint8Array
  readonly input_digest: Uint8Array
  readonly response: Uint8Array
  readonly result_digest: Uint8Array
  readonly behavior_snapshot: Uint8Array | null
  readonly rules_digest: Uint8Array
  readonly policy_digest: Uint8Array
  readonly action_id: string
  readonly request_id: string
  readonly complete: boolean
  readonly item: Json
  readonly search: string
  /** Null, and with it all below, where it was not erased. */
  readonly erased_at: string | null
  readonly erased_created_at: ErasedColumns["created_at"]
  readonly erased_rules_digest: ErasedColumns["rules_digest"]
  readonly erased_policy_digest: ErasedColumns["policy_digest"]
  readonly reason: ErasedColumns["reason"]
  readonly public_key: ErasedColumns["public_key"]
  readonly signature: ErasedColumns["signature"]
}

const micros = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export const selectSealed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  after: number,
  rowsMax: number
) =>
  sql<Row>`
    SELECT sequence::float8, assessment_id, previous_digest, entry_digest, input_leaf, result_leaf, snapshot_leaf,
      ${sql.literal(micros("assessments.created_at"))} AS created_at, salt, input, input_digest, response, result_digest,
      behavior_snapshot, assessments.rules_digest, assessments.policy_digest, action_id, request_id, complete, item,
      search, ${sql.literal(micros("erasures.created_at"))} AS erased_created_at,
      erasures.rules_digest AS erased_rules_digest, erasures.policy_digest AS erased_policy_digest,
      to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at, reason, public_key, signature
    FROM seals LEFT JOIN assessments USING (organization_id, assessment_id)
      LEFT JOIN erasures USING (organization_id, assessment_id)
    WHERE organization_id = ${organizationId} AND sequence > ${after}
    ORDER BY sequence LIMIT ${rowsMax}
  `

/** Where a chain ends. */
export const selectHead = (sql: SqlClient.SqlClient, organizationId: string) => sql<
  Pick<Row, "sequence" | "entry_digest">
>`
  SELECT sequence::float8, entry_digest FROM seals WHERE organization_id = ${organizationId}
  ORDER BY sequence DESC LIMIT 1
`

interface Looked {
  readonly assessment_id: string
  readonly created_at: string
  readonly age_ms: number
  readonly sealed: boolean
  readonly queued: boolean
}

export const selectUnsealed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  after: string,
  rowsMax: number
) =>
  sql<Looked>`
    SELECT assessment_id, ${sql.literal(micros("created_at"))} AS created_at, seals.sequence IS NOT NULL AS sealed,
      EXISTS (
        SELECT FROM unsealed
        WHERE unsealed.organization_id = assessments.organization_id AND unsealed.assessment_id = assessments.assessment_id
      ) AS queued,
      (extract(epoch FROM statement_timestamp() - created_at) * 1000)::float8 AS age_ms
    FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
    WHERE organization_id = ${organizationId} AND assessment_id > ${after}
    ORDER BY assessment_id LIMIT ${rowsMax}
  `

export const unsealedOfRow = (row: Looked): UnsealedRow => ({
  assessmentId: row.assessment_id,
  createdAt: row.created_at,
  ageMs: row.age_ms,
  queued: row.queued
})

export const sealedOfRow = (owner: Owner, row: Row): SealedRow => {
  const { mode, organizationId } = owner
  const place = {
    sequence: row.sequence,
    assessmentId: row.assessment_id,
    previousDigest: row.previous_digest,
    entryDigest: row.entry_digest
  }
  const { created_at, erased_at, input_leaf, result_leaf, snapshot_leaf } = row
  if (input_leaf === null || result_leaf === null || snapshot_leaf === null)
    return { ...place, link: null, derived: null, erasure: null }
  const erasure =
    erased_at === null
      ? null
      : erasureOfRow(owner, {
          ...row,
          erased_at,
          input_leaf,
          result_leaf,
          snapshot_leaf,
          created_at: row.erased_created_at,
          rules_digest: row.erased_rules_digest,
          policy_digest: row.erased_policy_digest
        })
  if (created_at === null) return { ...place, link: null, derived: null, erasure }
  return {
    ...place,
    erasure,
    link: {
      ...place,
      organizationId,
      mode,
      createdAt: created_at,
      inputLeaf: input_leaf,
      resultLeaf: result_leaf,
      snapshotLeaf: snapshot_leaf,
      salt: row.salt,
      input: row.input,
      inputDigest: row.input_digest,
      response: row.response,
      resultDigest: row.result_digest,
      snapshot: row.behavior_snapshot,
      rulesDigest: row.rules_digest,
      policyDigest: row.policy_digest
    },
    derived: {
      actionId: row.action_id,
      requestId: row.request_id,
      complete: row.complete,
      item: row.item,
      search: row.search
    }
  }
}
