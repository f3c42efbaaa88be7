/** The client of each mode, for tests that read and write rows themselves. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { sqlLayer as storageClients, ModeSql } from "../../src/storage/sql/Sql.ts"

export class LiveSql extends Context.Service<LiveSql, SqlClient.SqlClient>()("test/LiveSql") {
  static readonly layer = Layer.effect(
    LiveSql,
    Effect.map(ModeSql, (clients) => clients.for("live"))
  )
}

export class TestSql extends Context.Service<TestSql, SqlClient.SqlClient>()("test/TestSql") {
  static readonly layer = Layer.effect(
    TestSql,
    Effect.map(ModeSql, (clients) => clients.for("test"))
  )
}

/** The clients of the service and those of each mode. */
export const sqlLayer = Layer.mergeAll(LiveSql.layer, TestSql.layer).pipe(Layer.provideMerge(storageClients))
