/** The SQL clients of this process, each as one role on one schema. No bug can touch a table that its role has no grant on. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import {
  controlConnectionsMax,
  liveConnectionsMax,
  resourceConnectionsMax,
  resourceTurnsMax,
  testConnectionsMax
} from "../../limits.ts"
import { Database, type DatabaseSchema, roleOf } from "../Database.ts"
import { type FairTurns, makeFairTurns } from "./fairTurns.ts"
import { roleClient } from "./roleClient.ts"

/** The client for organizations, keys and everything else that belongs to no mode. */
export class ControlSql extends Context.Service<ControlSql, SqlClient.SqlClient>()(
  "action-risk/storage/ControlSql"
) {
  static readonly layer = Layer.effect(ControlSql, client("control", controlConnectionsMax))
}

export class LiveSql extends Context.Service<LiveSql, SqlClient.SqlClient>()("action-risk/storage/LiveSql") {
  static readonly layer = Layer.effect(LiveSql, client("live", liveConnectionsMax))
}

export class TestSql extends Context.Service<TestSql, SqlClient.SqlClient>()("action-risk/storage/TestSql") {
  static readonly layer = Layer.effect(TestSql, client("test", testConnectionsMax))
}

/** The client of a request's mode. */
export class ModeSql extends Context.Service<
  ModeSql,
  { readonly for: (mode: Mode) => SqlClient.SqlClient }
>()("action-risk/storage/ModeSql") {
  static readonly layer = Layer.effect(
    ModeSql,
    Effect.gen(function* () {
      const clients = { live: yield* LiveSql, test: yield* TestSql }
      return ModeSql.of({ for: (mode) => clients[mode] })
    })
  )
}

/**
 * The client of a request's mode for requests that assess nothing. It has separate connections: a request that waits for
 * a row, a lock or a long list takes no connection from an assessment. Organizations take turns at them. Only statements
 * that organizations share, two at a time, need no turn: the pool has connections for these besides.
 */
export class ResourceSql extends Context.Service<
  ResourceSql,
  {
    readonly for: (mode: Mode) => SqlClient.SqlClient
    /** Runs work with the client in a turn of the owner. */
    readonly inTurn: FairTurns["take"]
  }
>()("action-risk/storage/ResourceSql") {
  static readonly layer = Layer.effect(
    ResourceSql,
    Effect.gen(function* () {
      const clientOf = (mode: Mode) => client(mode, resourceConnectionsMax, `${mode} resources`)
      const clients = { live: yield* clientOf("live"), test: yield* clientOf("test") }
      const turns = {
        live: yield* makeFairTurns(resourceTurnsMax),
        test: yield* makeFairTurns(resourceTurnsMax)
      }
      return ResourceSql.of({
        for: (mode) => clients[mode],
        inTurn: (owner, work) => turns[owner.mode].take(owner, work)
      })
    })
  )
}

/** All clients. They need a migrated database. */
export const sqlLayer = ModeSql.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(ControlSql.layer, LiveSql.layer, TestSql.layer, ResourceSql.layer))
)

function client(schema: DatabaseSchema, connectionsMax: number, name: string = schema) {
  return Effect.gen(function* () {
    const { logins, primary, url } = yield* Database
    return yield* roleClient({
      url: logins[schema] ?? url,
      primary,
      role: roleOf(schema),
      schema,
      name,
      connectionsMax
    })
  })
}
