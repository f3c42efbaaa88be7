/** An eraser with its own key, and assessments old enough to be erased. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { generateKeyPairSync } from "node:crypto"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { Erasures } from "../../src/evidence/Erasures.ts"
import { EvidenceKey } from "../../src/evidence/EvidenceKey.ts"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { Database } from "../../src/storage/Database.ts"

export const evidenceKey = generateKeyPairSync("ed25519")

/** On a migrated database: `Eraser`, `Erasures` and `Seals`. */
export const eraser = Layer.mergeAll(
  Eraser.layer.pipe(Layer.provide(Layer.succeed(EvidenceKey, evidenceKey))),
  Erasures.layer,
  Seals.layer
)

/** Works in the schema of test mode; no trigger and no grant stops it. */
export const superuser = Effect.gen(function* () {
  const { url } = yield* Database
  return yield* PgClient.makeClient({ url, startupParameters: { search_path: "test" } })
}).pipe(Effect.provide(Reactivity.layer))

/** Makes unsealed assessments in test mode a minute older. */
export const makeOlder = Effect.gen(function* () {
  const sql = yield* superuser
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL session_replication_role = replica`
      for (const table of ["assessments", "history"]) {
        yield* sql`
          UPDATE ${sql(table)} SET created_at = created_at - interval '1 minute' FROM unsealed
          WHERE unsealed.assessment_id = ${sql(table)}.assessment_id
        `
      }
    })
  )
}).pipe(Effect.scoped)

/** Seals waiting assessments in test mode, a minute after they were made. */
export const sealAsOlder = Effect.andThen(makeOlder, sealUnsealed("test"))
