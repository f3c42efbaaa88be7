/** The statements that read sealed evidence in the order of its chain, and their rows in the words of a chain. */

import type { SqlClient } from "effect/sql"
import type { Json } from "../../domain/Action.ts"
import type { Owner } from "../AssessmentRecord.ts"
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
}

const inMicros = `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at`

export const selectSealed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  after: number,
  rowsMax: number
) =>
  sql<Row>`
    SELECT sequence::float8, assessment_id, previous_digest, entry_digest, input_leaf, result_leaf, snapshot_leaf,
      ${sql.literal(inMicros)}, salt, input, input_digest, response, result_digest, behavior_snapshot, rules_digest,
      policy_digest, action_id, request_id, complete, item, search
    FROM seals LEFT JOIN assessments USING (organization_id, assessment_id)
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
    SELECT assessment_id, ${sql.literal(inMicros)}, seals.sequence IS NOT NULL AS sealed,
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

export const sealedOfRow = ({ mode, organizationId }: Owner, row: Row): SealedRow => {
  const place = {
    sequence: row.sequence,
    assessmentId: row.assessment_id,
    previousDigest: row.previous_digest,
    entryDigest: row.entry_digest
  }
  const { created_at, input_leaf, result_leaf, snapshot_leaf } = row
  if (created_at === null || input_leaf === null || result_leaf === null || snapshot_leaf === null)
    return { ...place, link: null, derived: null }
  return {
    ...place,
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
