/** Vitest's global setup of the tests on Citus: a database of the cluster that CITUS_URL names, distributed by `action-risk migrate`. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import type { TestProject } from "vitest/node"
import { actionRisk } from "../support/actionRisk.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A superuser's URL of the distributed database on the coordinator. Absent where CITUS_URL names no cluster. */
    readonly citusUrl?: string
  }
}

export interface Node {
  readonly nodename: string
  readonly nodeport: number
}

/** The same login on another node or for another database. */
export const urlAt = (coordinator: string, { nodename, nodeport }: Node, database: string): string => {
  const url = new URL(coordinator)
  url.hostname = nodename
  url.port = String(nodeport)
  url.pathname = `/${database}`
  return url.href
}

export const onServer = <A, E>(url: string, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    PgClient.makeClient({ url: Redacted.make(url) }).pipe(
      Effect.flatMap(use),
      Effect.scoped,
      Effect.provide(Reactivity.layer)
    )
  )

/** The workers of a cluster, as its coordinator reaches them. */
export const workersOf = (coordinator: string): Promise<ReadonlyArray<Node>> =>
  onServer(
    coordinator,
    (sql) => sql<Node>`
      SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' AND groupid <> 0 ORDER BY nodeport
    `
  )

const made = async (coordinator: string, database: string): Promise<string> => {
  const { hostname, port } = new URL(coordinator)
  const coordinatorNode = { nodename: hostname, nodeport: Number(port || 5432) }
  const workers = await workersOf(coordinator)
  for (const node of [coordinatorNode, ...workers]) {
    await onServer(urlAt(coordinator, node, "postgres"), (sql) => sql`CREATE DATABASE ${sql(database)}`)
    await onServer(urlAt(coordinator, node, database), (sql) => sql`CREATE EXTENSION citus`)
  }
  const url = urlAt(coordinator, coordinatorNode, database)
  await onServer(url, (sql) =>
    Effect.gen(function* () {
      yield* sql`SELECT citus_set_coordinator_host(${hostname}, ${coordinatorNode.nodeport}::int)`
      for (const { nodename, nodeport } of workers)
        yield* sql`SELECT citus_add_node(${nodename}, ${nodeport}::int)`
    })
  )
  return url
}

const drop = async (coordinator: string, database: string): Promise<void> => {
  const { hostname, port } = new URL(coordinator)
  const nodes = [{ nodename: hostname, nodeport: Number(port || 5432) }, ...(await workersOf(coordinator))]
  for (const node of nodes)
    await onServer(urlAt(coordinator, node, "postgres"), (sql) =>
      // The maintenance daemon of Citus may open its own session at the same moment.
      Effect.retry(sql`DROP DATABASE IF EXISTS ${sql(database)} WITH (FORCE)`, { times: 10 })
    )
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const coordinator = process.env["CITUS_URL"]
  if (coordinator === undefined) return undefined
  await import("../../bundle.ts")
  const database = `action_risk_${randomBytes(6).toString("hex")}`
  const url = await made(coordinator, database)
  const { code, stderr } = await actionRisk(["migrate"], { env: { DATABASE_URL: url, DISTRIBUTED: "citus" } })
  if (code !== 0) throw new Error(stderr)
  project.provide("citusUrl", url)
  return () => drop(coordinator, database)
}
