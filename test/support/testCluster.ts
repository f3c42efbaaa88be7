/** Vitest's global setup: the bundle, and one embedded PostgreSQL for the whole run, with one migrated database to copy from. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import type { TestProject } from "vitest/node"
import { openEmbeddedPostgres } from "../../src/storage/embeddedPostgres/EmbeddedPostgres.ts"
import { migrate } from "../../src/storage/migrate.ts"
import { copyOf, freshDataDirectory, removeDataDirectory } from "./dataDirectory.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Owner's URL of the maintenance database of the run's cluster. */
    readonly clusterUrl: string
    /** A data directory as `action-risk migrate` leaves it. */
    readonly migratedDirectory: string
  }
}

export const templateDatabase = "action_risk_template"

const ownDirectory = (make: () => string) =>
  Effect.acquireRelease(Effect.sync(make), (directory) => Effect.sync(() => removeDataDirectory(directory)))

const start = Effect.gen(function* () {
  const migratedDirectory = yield* ownDirectory(freshDataDirectory)
  yield* Effect.scoped(
    Effect.flatMap(openEmbeddedPostgres({ dataDirectory: migratedDirectory, serving: false }), migrate)
  )
  const dataDirectory = yield* ownDirectory(() => copyOf(migratedDirectory))
  const url = yield* openEmbeddedPostgres({
    dataDirectory,
    serving: false,
    // A test cluster does not outlive its run, so nothing needs to reach the disk.
    settings: ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"]
  })
  const sql = yield* PgClient.makeClient({ url })
  yield* sql`CREATE DATABASE ${sql(templateDatabase)}`
  yield* migrate(Redacted.make(urlOfDatabase(Redacted.value(url), templateDatabase)))
  return { clusterUrl: Redacted.value(url), migratedDirectory }
})

/** The same server's URL for another of its databases. */
export const urlOfDatabase = (clusterUrl: string, database: string): string => {
  const url = new URL(clusterUrl)
  url.pathname = `/${database}`
  return url.href
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests that start the program start what its users start: the bundle, made from the current sources.
  await import("../../bundle.ts")
  const scope = Scope.makeUnsafe()
  const { clusterUrl, migratedDirectory } = await Effect.runPromise(
    start.pipe(Scope.provide(scope), Effect.provide(Reactivity.layer))
  )
  project.provide("clusterUrl", clusterUrl)
  project.provide("migratedDirectory", migratedDirectory)
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
