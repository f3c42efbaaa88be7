/** The SQL clients of this process, each with one role on one schema. So no bug can touch a table for which its role has no grant. */

import { Context, Effect, Layer } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { makeFairTurns, tenantKey } from "../../evenShare.ts"
import {
  acquireMs,
  controlConnectionsMax,
  liveConnectionsMax,
  lockWaitMs,
  resourceConnectionsMax,
  resourceTurnsMax,
  testConnectionsMax,
  turnsWaitingMax
} from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { Database, roleOf } from "../Database.ts"
import { type GroupClients, makeForGroups, makeGroups } from "./groups.ts"
import { ownSqlError } from "../timeouts.ts"
import { roleClient } from "./roleClient.ts"

/** The client for organizations, keys and everything else that belongs to no mode. */
export class ControlSql extends Context.Service<ControlSql, SqlClient.SqlClient>()(
  "action-risk/storage/ControlSql"
) {
  static readonly layer = Layer.effect(
    ControlSql,
    Effect.gen(function* () {
      const { logins, primary, url } = yield* Database
      const role = roleOf("control")
      const connectionsMax = controlConnectionsMax
      return yield* roleClient({
        url: logins.control ?? url,
        primary,
        role,
        schema: "control",
        connectionsMax
      })
    })
  )
}

/** The clients of a request's mode. */
export class ModeSql extends Context.Service<ModeSql, GroupClients>()("action-risk/storage/ModeSql") {
  static readonly layer = Layer.effect(
    ModeSql,
    makeGroups((mode) => ({
      name: mode,
      connectionsMax: mode === "live" ? liveConnectionsMax : testConnectionsMax
    }))
  )
}

/**
 * The client of a request's mode for requests other than assessments. Uses separate connections, so that a request that waits for a row, a
 * lock or a long list takes no connection from an assessment. Organizations take turns using them. Only statements that organizations
 * share, two at a time, need no turn: the pool has extra connections for these.
 */
export class ResourceSql extends Context.Service<
  ResourceSql,
  GroupClients & {
    /** Runs work with the owner's client when it is its turn. Fails like a pool without a free connection. */
    readonly inTurn: <A, E, R>(
      owner: Owner,
      work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SqlError.SqlError, R>
  }
>()("action-risk/storage/ResourceSql") {
  static readonly layer = Layer.effect(
    ResourceSql,
    Effect.gen(function* () {
      const clients = yield* makeGroups((mode) => ({
        name: `${mode} resources`,
        connectionsMax: resourceConnectionsMax
      }))
      const turnsOf = yield* makeForGroups(clients, () => Effect.sync(makeConnectionTurns))
      return ResourceSql.of({
        ...clients,
        inTurn: (owner, work) => turnsOf(owner)(owner, work(clients.for(owner)))
      })
    })
  )
}

type InTurn = <A, E, R>(
  owner: Owner,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | SqlError.SqlError, R>

const makeTurns = (bounds: Parameters<typeof makeFairTurns<SqlError.SqlError>>[0]): InTurn => {
  const turns = makeFairTurns(bounds)
  return (owner, work) => turns(tenantKey(owner), work)
}

/** An organization gets at most one connection fewer than the total, so that it cannot keep all others waiting. */
const makeConnectionTurns = (): InTurn =>
  makeTurns({
    waitingMax: turnsWaitingMax,
    placesMax: resourceTurnsMax,
    tenantPlacesMax: resourceTurnsMax - 1,
    waitMsMax: acquireMs,
    refuse: () =>
      ownSqlError(SqlError.ConnectionError, "acquire", `no connection became free within ${acquireMs} ms`)
  })

/** Runs one effect per owner at a time in this process. Waiting holds no connection, and fails like a lock in the database. */
export const makeOneAtATime = (): InTurn =>
  makeTurns({
    tenantPlacesMax: 1,
    waitMsMax: lockWaitMs,
    refuse: () => ownSqlError(SqlError.LockTimeoutError, "acquire", `no turn within ${lockWaitMs} ms`)
  })

/** All clients. They need a migrated database. */
export const sqlLayer = Layer.mergeAll(ControlSql.layer, ModeSql.layer, ResourceSql.layer)
