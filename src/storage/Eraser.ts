/** Erases assessments as the owner of the schemas: the operator's command has that login, the serving roles do not. */

import { PgClient, PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Result } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql"
import type { Mode } from "../domain/Mode.ts"
import {
  countsForgottenTogetherMax,
  countsKeptDays,
  databaseConnectMs,
  erasureMs,
  lockWaitMs
} from "../Limits.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { Database } from "./Database.ts"
import { countTables, deleteCounts, deleteErased, insertErasures, selectErasable } from "./erasures/write.ts"
import { type ErasureReason, signErasure } from "./evidence/Erasure.ts"
import { EvidenceKey } from "./EvidenceKey.ts"
import { sqlState } from "./SqlState.ts"

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
              const rows = yield* selectErasable(sql, organizationId, ids)
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
              PgTypes.int4(countsForgottenTogetherMax)
            ])
          )
          yield* Effect.repeat(some, { while: (rows) => rows.length === countsForgottenTogetherMax })
        }
      })

      return Eraser.of({ erase, forgetCounts })
    })
  ).pipe(Layer.provide(Reactivity.layer))
}
