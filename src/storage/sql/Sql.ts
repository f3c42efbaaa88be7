/** The SQL clients of this process, each as one role on one schema. No bug can touch a table that its role has no grant on. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import {
  controlConnectionsMax,
  liveConnectionsMax,
  resourceConnectionsMax,
  resourceTurnsMax,
  testConnectionsMax
} from "../../limits.ts"
import { Database, type DatabaseSchema, roleOf } from "../Database.ts"
import { type FairTurns, makeFairTurns } from "./fairTurns.ts"
import { clientsOf, type GroupClients, makeForGroups, makeGroups, onlyGroup } from "./groups.ts"
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

/** The clients of a request's mode. */
export class ModeSql extends Context.Service<ModeSql, GroupClients>()("action-risk/storage/ModeSql") {
  static readonly layer = Layer.effect(
    ModeSql,
    Effect.gen(function* () {
      const { groups } = yield* Database
      if (groups === undefined)
        return ModeSql.of(clientsOf(onlyGroup("live", yield* LiveSql), onlyGroup("test", yield* TestSql)))
      const connectionsMax = { live: liveConnectionsMax, test: testConnectionsMax }
      return ModeSql.of(yield* makeGroups((mode) => ({ name: mode, connectionsMax: connectionsMax[mode] })))
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
  GroupClients & {
    /** Runs work with the client in a turn of the owner. */
    readonly inTurn: FairTurns["take"]
  }
>()("action-risk/storage/ResourceSql") {
  static readonly layer = Layer.effect(
    ResourceSql,
    Effect.gen(function* () {
      const clients = yield* makeGroups((mode) => ({
        name: `${mode} resources`,
        connectionsMax: resourceConnectionsMax
      }))
      const turnsOf = yield* makeForGroups(clients, () => makeFairTurns(resourceTurnsMax))
      return ResourceSql.of({ ...clients, inTurn: (owner, work) => turnsOf(owner).take(owner, work) })
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
