/** The SQL clients of this process, each as one role on one schema. No bug can touch a table that its role has no grant on. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { type Mode, modes } from "../../domain/Caller.ts"
import {
  controlConnectionsMax,
  groupConnectionsMin,
  liveConnectionsMax,
  resourceConnectionsMax,
  resourceTurnsMax,
  testConnectionsMax
} from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { Database, type DatabaseSchema, groupOf, roleOf, schemaOfGroup } from "../Database.ts"
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

/** Organizations whose rows are in one schema. There is one group for each mode, unless the database is distributed. */
export interface Group {
  readonly mode: Mode
  /** From 0. */
  readonly number: number
  readonly sql: SqlClient.SqlClient
  /** Whether its rows are on another server than its connections. */
  readonly distributed: boolean
}

interface GroupClients {
  /** The client of an organization. A mode is enough where it has one group: everywhere but on a distributed database. */
  readonly for: (of: Owner | Mode) => SqlClient.SqlClient
  /** For work on all organizations, group by group. */
  readonly groups: (mode: Mode) => ReadonlyArray<Group>
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

/** The same client for all organizations of both modes. */
export const oneGroup = (sql: SqlClient.SqlClient): GroupClients =>
  clientsOf(onlyGroup("live", sql), onlyGroup("test", sql))

const onlyGroup = (mode: Mode, sql: SqlClient.SqlClient): ReadonlyArray<Group> => [{ mode, number: 0, sql, distributed: false }]

interface PoolOptions {
  readonly name: string
  /** Of a mode. */
  readonly connectionsMax: number
}

/** Pools for the groups of both modes. */
export const makeGroups = Effect.fnUntraced(function* (optionsOf: (mode: Mode) => PoolOptions) {
  return clientsOf(yield* groupsOf("live", optionsOf("live")), yield* groupsOf("test", optionsOf("test")))
})

const groupsOf = Effect.fnUntraced(function* (mode: Mode, options: PoolOptions) {
  const { groups, logins, primary, url } = yield* Database
  const share = Math.max(groupConnectionsMin, Math.ceil(options.connectionsMax / (groups ?? 1)))
  return yield* Effect.forEach(Array.from({ length: groups ?? 1 }).keys(), (number) =>
    Effect.map(
      roleClient({
        url: logins[mode] ?? url,
        primary,
        role: roleOf(mode),
        schema: schemaOfGroup(mode, number, groups),
        name: groups === undefined ? options.name : `${options.name} ${number}`,
        connectionsMax: share,
        distributed: groups !== undefined
      }),
      (sql): Group => ({ mode, number, sql, distributed: groups !== undefined })
    )
  )
})

const clientsOf = (live: ReadonlyArray<Group>, test: ReadonlyArray<Group>): GroupClients => {
  const groups = { live, test }
  return {
    for: (of) => {
      if (typeof of !== "string") return groupIn(groups[of.mode], of.organizationId).sql
      const [first, second] = groups[of]
      if (first === undefined || second !== undefined) throw new Error("a statement on a distributed database names its organization")
      return first.sql
    },
    groups: (mode) => groups[mode]
  }
}

const groupIn = <A>(groups: ReadonlyArray<A>, organizationId: string): A =>
  // There is always one.
  groups[groups.length === 1 ? 0 : groupOf(organizationId, groups.length)] as A

/** Makes something for each group of both modes, and gives that of an owner. */
export const makeForGroups = Effect.fnUntraced(function* <A, E, R>(
  { groups }: Pick<GroupClients, "groups">,
  make: (group: Group) => Effect.Effect<A, E, R>
) {
  const made = {
    live: yield* Effect.forEach(groups("live"), make),
    test: yield* Effect.forEach(groups("test"), make)
  }
  return ({ mode, organizationId }: Owner): A => groupIn(made[mode], organizationId)
})

/**
 * Works on each group of a mode. The server of one group may be away: the others are worked on all the same, and then this fails as
 * the first one that failed.
 */
export const inEachGroup = <A, E, R>(
  { groups }: Pick<GroupClients, "groups">,
  mode: Mode,
  work: (group: Group) => Effect.Effect<A, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.flatMap(
    Effect.forEach(groups(mode), (group) => Effect.exit(work(group)), { concurrency: "unbounded" }),
    (exits) => Effect.forEach(exits, (exit) => exit)
  )

/** A number of a group in each mode, for advisory locks. */
export const lockOf = ({ mode, number }: Pick<Group, "mode" | "number">): number =>
  number * modes.length + modes.indexOf(mode)

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
