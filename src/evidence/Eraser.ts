/** Erases assessments as the owner of the schemas. Only an operator's command has that login; the service's roles do not. */

import { PgClient, PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { webhookEventTypes } from "../domain/WebhookEvent.ts"
import {
  countsKeptDays,
  databaseConnectMs,
  erasureMs,
  erasureRetries,
  forgetCountsBatchMax,
  idempotencyMemoryHours,
  lockWaitMs
} from "../limits.ts"
import { Database, groupOf, schemaOfGroup } from "../storage/Database.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { sealOfEach } from "../storage/assessments/AssessmentRecords.ts"
import { searchTexts } from "../storage/assessments/SearchIndex.ts"
import { facets } from "../storage/facets/facetTables.ts"
import { outcomesLockName } from "../storage/OutcomeRecords.ts"
import { decodeRows } from "../storage/sql/rows.ts"
import { distributedParameters } from "../storage/sql/roleClient.ts"
import { lockOf } from "../storage/sql/groups.ts"
import { sqlState } from "../storage/storageErrors.ts"
import { type ErasureReason, signErasure } from "./Erasure.ts"
import { erasableCondition } from "./Erasures.ts"
import { EvidenceKey } from "./EvidenceKey.ts"

/** SQL states of a deadlock and of a lock timeout. */
const locked: ReadonlySet<string | null> = new Set(["40P01", "55P03"])

const startupParameters = {
  statement_timeout: String(erasureMs),
  lock_timeout: String(lockWaitMs),
  // With known ids, a group is looked up in a hash. A generic plan would compare every key of a day with every id.
  plan_cache_mode: "force_custom_plan",
  timezone: "UTC"
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class Eraser extends Context.Service<
  Eraser,
  {
    /** Erases those of these assessments that are stored and sealed, all or none; signs each erasure; and returns their number. */
    readonly erase: (owner: Owner, ids: ReadonlyArray<string>, reason: ErasureReason) => Stored<number>
    /** Deletes the counts of days that no snapshot reads any more, because they contain names. */
    readonly forgetCounts: (owner: Owner) => Stored<void>
  }
>()("action-risk/evidence/Eraser") {
  static readonly layer = Layer.effect(
    Eraser,
    Effect.gen(function* () {
      const { groups, url } = yield* Database
      const key = yield* EvidenceKey
      const sql = yield* PgClient.makeClient({
        url,
        connectTimeout: databaseConnectMs,
        applicationName: "action-risk erase",
        startupParameters:
          groups === undefined ? startupParameters : { ...startupParameters, ...distributedParameters }
      })

      const groupOfOwner = ({ organizationId }: Owner) =>
        groups === undefined ? 0 : groupOf(organizationId, groups)
      const inTransaction = <A, E>(owner: Owner, effect: Effect.Effect<A, E>) => {
        const schema = schemaOfGroup(owner.mode, groupOfOwner(owner), groups)
        return sql.withTransaction(
          Effect.andThen(sql`SELECT set_config('search_path', ${schema}, true)`, effect)
        )
      }

      const erase = Effect.fn("Eraser.erase")(
        (owner: Owner, ids: ReadonlyArray<string>, reason: ErasureReason) =>
          inTransaction(
            owner,
            eraseInTransaction(
              sql,
              key,
              owner,
              lockOf({ ...owner, number: groupOfOwner(owner) }),
              ids,
              reason
            )
          ).pipe(
            // Both roll the transaction back, so it can be repeated.
            Effect.retry({ times: erasureRetries, while: (error) => locked.has(sqlState(error)) })
          )
      )

      const forgetCounts = Effect.fn("Eraser.forgetCounts")(function* (owner: Owner) {
        for (const table of Object.keys(countTables) as ReadonlyArray<keyof typeof countTables>) {
          const deleteSome = inTransaction(
            owner,
            sql.unsafe(deleteCounts(table), [
              owner.organizationId,
              PgTypes.int4(countsKeptDays),
              PgTypes.int4(forgetCountsBatchMax)
            ])
          )
          yield* Effect.repeat(deleteSome, { while: (rows) => rows.length === forgetCountsBatchMax })
        }
      })

      return Eraser.of({ erase, forgetCounts })
    })
  ).pipe(Layer.provide(Reactivity.layer))
}

const eraseInTransaction = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { privateKey, publicKey }: EvidenceKey["Service"],
  { mode, organizationId }: Owner,
  lock: number,
  ids: ReadonlyArray<string>,
  reason: ErasureReason
) {
  // Invariant: no facets or search texts are created for an assessment that has been erased by then.
  for (const { lockSpace } of [facets, searchTexts])
    yield* sql`SELECT pg_advisory_xact_lock(${lockSpace}::int, ${lock}::int)`
  const rows = yield* lockErasable(sql, organizationId, ids)
  if (rows.length === 0) return 0
  // An event that is being stored at the same time is either stored before and erased too, or finds no assessment.
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${outcomesLockName({ mode, organizationId })}, 0))`
  const erasedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  const signed = rows.map(({ assessmentId, entryDigest }) => ({
    assessmentId,
    signature: signErasure({ organizationId, mode, assessmentId, entryDigest, erasedAt, reason }, privateKey)
  }))
  const publicKeyBytes = publicKey.export({ format: "der", type: "spki" })
  yield* insertErasures(sql, organizationId, signed, { erasedAt, reason, publicKey: publicKeyBytes })
  const erasedIds = Result.getOrThrow(
    PgTypes.array(
      signed.map(({ assessmentId }) => assessmentId),
      PgTypes.OID.text
    )
  )
  for (const statement of [...facets.erase, ...searchTexts.erase, ...deleteErased])
    yield* sql.unsafe(statement, [organizationId, erasedIds])
  return rows.length
})

const decodeErasable = decodeRows(
  Schema.Struct({ assessmentId: Schema.String, entryDigest: Schema.Uint8Array })
)

/** Locks the rows, so that if two commands erase the same assessments, only one of them erases and signs. */
const lockErasable = (sql: SqlClient.SqlClient, organizationId: string, ids: ReadonlyArray<string>) =>
  decodeErasable(sql`
  SELECT assessment_id, entry_digest FROM assessments JOIN LATERAL ${sql.literal(sealOfEach)} AS seal ON true
  WHERE organization_id = ${organizationId} AND assessment_id = ANY (${ids}::uuid[]) AND ${sql.literal(erasableCondition)}
  ORDER BY assessment_id FOR UPDATE OF assessments
`)

interface SignedErasure {
  readonly assessmentId: string
  readonly signature: Uint8Array
}

/** Runs before any deletion: the database allows a row of evidence to be deleted only if an erasure holds what its chain entry needs. */
const insertErasures = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  signed: ReadonlyArray<SignedErasure>,
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

const erasedRows = `(SELECT assessment_id, created_at FROM erasures
  WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[]))`

/**
 * Delete everything stored about assessments, their own rows last. $1 is the organization, $2 the ids. Idempotency keys and history are
 * found by time, because their indexes are by time. A key has the time of its assessment, and the two clocks that wrote these times differ
 * by less than a day.
 */
const deleteErased: ReadonlyArray<string> = [
  // Locked in the order in which the relay updates deliveries, so that the two cannot deadlock.
  `WITH told AS MATERIALIZED (
    SELECT organization_id, delivery_id FROM webhook_deliveries
    WHERE organization_id = $1::uuid AND event_id IN (${eventIds})
    ORDER BY organization_id, delivery_id FOR UPDATE
  )
  DELETE FROM webhook_deliveries AS delivery USING told
  WHERE delivery.organization_id = told.organization_id AND delivery.delivery_id = told.delivery_id`,
  `DELETE FROM webhook_events WHERE organization_id = $1::uuid AND event_id IN (${eventIds})`,
  "DELETE FROM outcome_events WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])",
  "DELETE FROM reviews WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])",
  `DELETE FROM idempotency_keys WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])
    AND completed_at BETWEEN (SELECT min(created_at) FROM ${erasedRows} AS gone) - interval '${idempotencyMemoryHours} hours'
      AND (SELECT max(created_at) FROM ${erasedRows} AS gone) + interval '${idempotencyMemoryHours} hours'`,
  `DELETE FROM history USING ${erasedRows} AS gone
    WHERE organization_id = $1::uuid AND history.created_at = gone.created_at
      AND history.assessment_id = gone.assessment_id`,
  "DELETE FROM assessments WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])"
]

/** The tables of counts, each with its time column. */
const countTables = {
  units: "day",
  unit_figures: "day",
  sightings: "day",
  agent_paces: "slot",
  sums: "hour",
  outcome_sums: "hour"
} as const

/** $1 is the organization, $2 the number of days to keep, $3 the maximum number of rows. */
const deleteCounts = (table: keyof typeof countTables): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE organization_id = $1::uuid
      AND ${countTables[table]} < (statement_timestamp() AT TIME ZONE 'UTC')::date - $2::int
    LIMIT $3::int
  )) RETURNING 1`
