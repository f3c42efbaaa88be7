/** The statements that erase assessments, in the order in which they run within one transaction of the owner. */

import type { SqlClient } from "effect/sql"
import { webhookEventTypes } from "../../domain/WebhookEvent.ts"
import { idempotencyMemoryHours } from "../../Limits.ts"
import type { ErasureReason } from "../evidence/Erasure.ts"
import { erasable } from "./read.ts"

/** Locked, so that what two commands erase at once is erased and signed by one of them. */
export const selectErasable = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  ids: ReadonlyArray<string>
) => sql<{ readonly assessment_id: string; readonly entry_digest: Uint8Array }>`
  SELECT assessment_id, entry_digest FROM assessments JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id = ANY (${ids}::uuid[]) AND ${sql.literal(erasable)}
  ORDER BY assessment_id FOR UPDATE OF assessments
`

export interface Signed {
  readonly assessmentId: string
  readonly signature: Uint8Array
}

/** Before anything goes: a row of evidence may only be deleted once this says what its entry needs of it. */
export const insertErasures = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  signed: ReadonlyArray<Signed>,
  of: { readonly erasedAt: string; readonly reason: ErasureReason; readonly publicKey: Uint8Array }
) => sql`
  INSERT INTO erasures (organization_id, assessment_id, created_at, rules_digest, policy_digest, erased_at, reason,
    public_key, signature)
  SELECT organization_id, assessment_id, created_at, rules_digest, policy_digest, ${of.erasedAt}::timestamptz,
    ${of.reason}, ${of.publicKey}::bytea, decode(signature, 'hex')
  FROM assessments JOIN unnest(
    ${signed.map(({ assessmentId }) => assessmentId)}::uuid[],
    ${signed.map(({ signature }) => Buffer.from(signature).toString("hex"))}::text[]
  ) AS signed (assessment_id, signature) USING (assessment_id)
  WHERE organization_id = ${organizationId}
`

const eventIds = `SELECT 'evt_' || replace(id::text, '-', '') || '_' || split_part(type, '.', 2)
  FROM unnest($2::uuid[]) AS of_assessment (id)
    CROSS JOIN unnest(ARRAY['${webhookEventTypes.join("', '")}']) AS of_type (type)`

const gone = `(SELECT assessment_id, created_at FROM erasures
  WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[]))`

/**
 * What is stored of assessments: $1 their organization, $2 their ids. Keys and history are found by their time, as their
 * indexes are; a key was written at its assessment's time, by clocks that do not differ by a day.
 */
export const deleteErased: ReadonlyArray<string> = [
  // In the order in which the relay marks them.
  `WITH told AS MATERIALIZED (
    SELECT organization_id, delivery_id FROM webhook_deliveries
    WHERE organization_id = $1::uuid AND event_id IN (${eventIds})
    ORDER BY organization_id, delivery_id FOR UPDATE
  )
  DELETE FROM webhook_deliveries AS delivery USING told
  WHERE delivery.organization_id = told.organization_id AND delivery.delivery_id = told.delivery_id`,
  `DELETE FROM webhook_events WHERE organization_id = $1::uuid AND event_id IN (${eventIds})`,
  "DELETE FROM reviews WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])",
  "DELETE FROM shadow_opinions WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])",
  `DELETE FROM idempotency_keys WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])
    AND completed_at BETWEEN (SELECT min(created_at) FROM ${gone} AS gone) - interval '${idempotencyMemoryHours} hours'
      AND (SELECT max(created_at) FROM ${gone} AS gone) + interval '${idempotencyMemoryHours} hours'`,
  `DELETE FROM history USING ${gone} AS gone
    WHERE organization_id = $1::uuid AND history.created_at = gone.created_at
      AND history.assessment_id = gone.assessment_id`,
  "DELETE FROM assessments WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])"
]

/** Tables of counts, each with the column that says of when they are. */
export const countTables = {
  units: "day",
  unit_figures: "day",
  sightings: "day",
  paces: "slot",
  agent_sums: "hour"
} as const

/** $1 organization, $2 days that are kept, $3 rows at most. */
export const deleteCounts = (table: keyof typeof countTables): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE organization_id = $1::uuid
      AND ${countTables[table]} < (statement_timestamp() AT TIME ZONE 'UTC')::date - $2::int
    LIMIT $3::int
  )) RETURNING 1`
