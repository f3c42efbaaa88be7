/** A fresh, migrated database for each use of its layer, copied from the run's template and dropped afterwards. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { Database, roleLogins } from "../../src/storage/Database.ts"
import { sqlLayer } from "./modeSql.ts"
import { templateDatabase, urlOfDatabase } from "./testCluster.ts"

const database = Layer.effect(
  Database,
  Effect.gen(function* () {
    const clusterUrl = inject("clusterUrl")
    const name = `test_${randomBytes(8).toString("hex")}`
    yield* onCluster((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(templateDatabase)}`)
    yield* Effect.addFinalizer(() =>
      Effect.orDie(onCluster((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
    )
    const url = Redacted.make(urlOfDatabase(clusterUrl, name))
    return Database.of({ kind: "external", url, logins: roleLogins(url) })
  })
)

/** Runs one statement on the run's cluster as its superuser. */
export const onCluster = <A, E>(
  use: (sql: PgClient.PgClient) => Effect.Effect<A, E>
): Effect.Effect<A, E | Effect.Error<ReturnType<typeof PgClient.makeClient>>> =>
  PgClient.makeClient({ url: Redacted.make(inject("clusterUrl")) }).pipe(
    Effect.flatMap(use),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )

export const TestDatabase = {
  /** Provides `Database`, `ControlSql`, `LiveSql`, `TestSql`, `ModeSql` and `ResourceSql`. */
  layer: sqlLayer.pipe(Layer.provideMerge(database))
}
