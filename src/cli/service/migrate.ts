/** `action-risk migrate`: brings the database up to this release, and no more. */

import { Console, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { Database } from "../../storage/Database.ts"
import { databaseLayer } from "../../storage/openDatabase.ts"
import { migrate, schemaVersion } from "../../storage/migrate.ts"
import { jsonFlag } from "../flags.ts"

export const migrateSchema = Schema.Struct({
  schema_version: Schema.Int,
  applied: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })).annotate({
    description: "The migrations that were not yet in the database, in their order."
  })
})

/** `action-risk migrate`: brings the database up to this release, and no more. */
export const migrateDatabase = Command.make(
  "migrate",
  { json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const applied = yield* Effect.flatMap(Database, ({ url }) => migrate(url)).pipe(
      Effect.provide(databaseLayer)
    )
    if (options.json) return yield* Console.log(JSON.stringify({ schema_version: schemaVersion, applied }))
    for (const { id, name } of applied) yield* Console.log(`applied ${id} ${name.replaceAll("_", " ")}`)
    yield* Console.log(`the database is at schema version ${schemaVersion}`)
  })
).pipe(
  Command.withDescription("Bring the database up to this release; every other command does so too"),
  Command.withExamples([
    {
      command: "DATABASE_URL=postgres://… action-risk migrate",
      description: "Before the replicas of a new release start"
    }
  ])
)
