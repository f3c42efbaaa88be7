/** Erases assessments as the owner of the schemas: the operator's command has that login, the serving roles do not. */

import { PgClient, PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Result } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../domain/Caller.ts"
import { webhookEventTypes } from "../domain/WebhookEvent.ts"
import {
  countsKeptDays,
  databaseConnectMs,
  erasureMs,
  forgetCountsBatchMax,
  idempotencyMemoryHours,
  lockWaitMs
} from "../limits.ts"
import { Database } from "../storage/Database.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { sqlState } from "../storage/storageErrors.ts"
import { type ErasureReason, signErasure } from "./Erasure.ts"
import { erasableCondition } from "./Erasures.ts"
import { EvidenceKey } from "./EvidenceKey.ts"

const deadlock = "40P01"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class Eraser extends Context.Service<
  Eraser,
  {
    /**
     * Erases those of the assessments that are there and sealed, all of them or none, and signs that it did; gives how
     * many.
     */
    readonly erase: (owner: Owner, ids: ReadonlyArray<string>, reason: ErasureReason) => Stored<number>
    /** Forgets what was counted of days that no snapshot reads any more, with the names that stand there. */
    readonly forgetCounts: (owner: Owner) => Stored<void>
  }
>()("action-risk/storage/Eraser") {
  static readonly layer = Layer.effect(
    Eraser,
    Effect.gen(function* () {
      const { url } = yield* Database
      const { privateKey, publicKey } = yield* EvidenceKey
      const publicKeyBytes = publicKey.export({ format: "der", type: "spki" })
      const sql = yield* PgClient.makeClient({
        url,
        connectTimeout: databaseConnectMs,
        applicationName: "action-risk erase",
        startupParameters: {
          statement_timeout: String(erasureMs),
          lock_timeout: String(lockWaitMs),
          timezone: "UTC"
        }
      })

      const within = <A, E>(mode: Mode, effect: Effect.Effect<A, E>) =>
        sql.withTransaction(Effect.andThen(sql`SELECT set_config('search_path', ${mode}, true)`, effect))

      const erase = Effect.fn("Eraser.erase")(
        (owner: Owner, ids: ReadonlyArray<string>, reason: ErasureReason) =>
          within(
            owner.mode,
            Effect.gen(function* () {
              const { mode, organizationId } = owner
              const rows = yield* lockErasable(sql, organizationId, ids)
              if (rows.length === 0) return 0
              const erasedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
              const signed = rows.map(({ assessment_id: assessmentId, entry_digest: entryDigest }) => ({
                assessmentId,
                signature: signErasure(
                  { organizationId, mode, assessmentId, entryDigest, erasedAt, reason },
                  privateKey
                )
              }))
              yield* insertErasures(sql, organizationId, signed, {
                erasedAt,
                reason,
                publicKey: publicKeyBytes
              })
              const erased = Result.getOrThrow(
                PgTypes.array(
                  signed.map(({ assessmentId }) => assessmentId),
                  PgTypes.OID.text
                )
              )
              for (const statement of deleteErased) yield* sql.unsafe(statement, [organizationId, erased])
              return rows.length
            })
            // Where it and somebody else waited for each other, nothing of it was done.
          ).pipe(Effect.retry({ times: 1, while: (error) => sqlState(error) === deadlock }))
      )

      const forgetCounts = Effect.fn("Eraser.forgetCounts")(function* ({ mode, organizationId }: Owner) {
        for (const table of Object.keys(countTables) as ReadonlyArray<keyof typeof countTables>) {
          const some = within(
            mode,
            sql.unsafe(deleteCounts(table), [
              organizationId,
              PgTypes.int4(countsKeptDays),
              PgTypes.int4(forgetCountsBatchMax)
            ])
          )
          yield* Effect.repeat(some, { while: (rows) => rows.length === forgetCountsBatchMax })
        }
      })

      return Eraser.of({ erase, forgetCounts })
    })
  ).pipe(Layer.provide(Reactivity.layer))
}

/**
 * The statements that erase assessments, in the order in which they run within one transaction of the owner.
 * Locked, so that what two commands erase at once is erased and signed by one of them.
 */
const lockErasable = (sql: SqlClient.SqlClient, organizationId: string, ids: ReadonlyArray<string>) => sql<{
  readonly assessment_id: string
  readonly entry_digest: Uint8Array
}>`
  SELECT assessment_id, entry_digest FROM assessments JOIN seals USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id = ANY (${ids}::uuid[]) AND ${sql.literal(erasableCondition)}
  ORDER BY assessment_id FOR UPDATE OF assessments
`

interface SignedErasure {
  readonly assessmentId: string
  readonly signature: Uint8Array
}

/** Before anything goes: a row of evidence may only be deleted once this says what its entry needs of it. */
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
 * What is stored of assessments: $1 their organization, $2 their ids. Keys and history are found by their time, as their
 * indexes are; a key was written at its assessment's time, by clocks that do not differ by a day.
 */
const deleteErased: ReadonlyArray<string> = [
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
    AND completed_at BETWEEN (SELECT min(created_at) FROM ${erasedRows} AS gone) - interval '${idempotencyMemoryHours} hours'
      AND (SELECT max(created_at) FROM ${erasedRows} AS gone) + interval '${idempotencyMemoryHours} hours'`,
  `DELETE FROM history USING ${erasedRows} AS gone
    WHERE organization_id = $1::uuid AND history.created_at = gone.created_at
      AND history.assessment_id = gone.assessment_id`,
  "DELETE FROM assessments WHERE organization_id = $1::uuid AND assessment_id = ANY ($2::uuid[])"
]

/** Tables of counts, each with the column that says of when they are. */
const countTables = {
  units: "day",
  unit_figures: "day",
  sightings: "day",
  paces: "slot",
  agent_sums: "hour"
} as const

/** $1 organization, $2 days that are kept, $3 rows at most. */
const deleteCounts = (table: keyof typeof countTables): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE organization_id = $1::uuid
      AND ${countTables[table]} < (statement_timestamp() AT TIME ZONE 'UTC')::date - $2::int
    LIMIT $3::int
  )) RETURNING 1`
