/** An empty database on the run's cluster, without even our schema; dropped with its scope. */

import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { onCluster } from "./TestDatabase.ts"
import { urlOfDatabase } from "./testCluster.ts"

/** Its owner's URL. */
export const emptyDatabase = Effect.acquireRelease(
  Effect.suspend(() => {
    const name = `empty_${randomBytes(8).toString("hex")}`
    return Effect.as(
      onCluster((sql) => sql`CREATE DATABASE ${sql(name)}`),
      name
    )
  }),
  (name) => Effect.orDie(onCluster((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
).pipe(Effect.map((name) => Redacted.make(urlOfDatabase(inject("clusterUrl"), name))))
