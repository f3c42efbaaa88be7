/** Groups of organizations, each with its own schema and pool. Each mode has one group, unless the database is distributed. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Mode, modes } from "../../domain/Caller.ts"
import { groupConnectionsMin } from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { Database, groupOf, roleOf, schemaOfGroup } from "../Database.ts"
import { roleClient } from "./roleClient.ts"

/** Organizations whose rows are in the same schema. */
export interface Group {
  readonly mode: Mode
  /** From 0. */
  readonly number: number
  readonly sql: SqlClient.SqlClient
}

export interface GroupClients {
  /** The client for an organization. The mode is enough if there is one group, which is the case except on a distributed database. */
  readonly for: (of: Owner | Mode) => SqlClient.SqlClient
  /** For work on all organizations, group by group. */
  readonly groups: (mode: Mode) => ReadonlyArray<Group>
}

/** Uses one client for all organizations of both modes. */
export const oneGroup = (sql: SqlClient.SqlClient): GroupClients => {
  const group = { number: 0, sql }
  return clientsOf([{ mode: "live", ...group }], [{ mode: "test", ...group }])
}

interface PoolOptions {
  readonly name: string
  /** For all groups of a mode together. */
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
      (sql): Group => ({ mode, number, sql })
    )
  )
})

const clientsOf = (live: ReadonlyArray<Group>, test: ReadonlyArray<Group>): GroupClients => {
  const groups = { live, test }
  return {
    for: (of) => {
      if (typeof of !== "string") return groupIn(groups[of.mode], of.organizationId).sql
      const [first, second] = groups[of]
      if (first === undefined || second !== undefined)
        throw new Error("a statement on a distributed database names its organization")
      return first.sql
    },
    groups: (mode) => groups[mode]
  }
}

const groupIn = <A>(groups: ReadonlyArray<A>, organizationId: string): A =>
  // There is always at least one.
  groups[groups.length === 1 ? 0 : groupOf(organizationId, groups.length)] as A

/** Creates something for each group of both modes, and returns a function that gives an owner's. */
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

/** Works on each group of a mode even if another group's server is down, and then fails with the first failure. */
export const inEachGroup = <A, E, R>(
  { groups }: Pick<GroupClients, "groups">,
  mode: Mode,
  work: (group: Group) => Effect.Effect<A, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.flatMap(
    Effect.forEach(groups(mode), (group) => Effect.exit(work(group)), { concurrency: "unbounded" }),
    (exits) => Effect.forEach(exits, (exit) => exit)
  )

/** A number that identifies a group in a mode, for advisory locks. */
export const lockOf = ({ mode, number }: Pick<Group, "mode" | "number">): number =>
  number * modes.length + modes.indexOf(mode)
