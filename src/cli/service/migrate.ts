/** `action-risk migrate`: applies the migrations of this release to the database. */

import { Console, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { Database } from "../../storage/Database.ts"
import { newDatabaseLayer } from "../../storage/openDatabase.ts"
import { migrate, schemaVersion } from "../../storage/migrate.ts"
import { jsonFlag } from "../flags.ts"

export const migrateSchema = Schema.Struct({
  schema_version: Schema.Int,
  applied: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })).annotate({
    description: "The migrations that the database did not have yet, in their order."
  })
})

export const migrateDatabase = Command.make(
  "migrate",
  { json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const applied = yield* Effect.flatMap(Database, ({ url }) => migrate(url)).pipe(
      Effect.provide(newDatabaseLayer)
    )
    if (options.json) return yield* Console.log(JSON.stringify({ schema_version: schemaVersion, applied }))
    for (const { id, name } of applied) yield* Console.log(`applied ${id} ${name.replaceAll("_", " ")}`)
    yield* Console.log(`the database is at schema version ${schemaVersion}`)
  })
).pipe(
  Command.withDescription(
    "Migrate the database to this release; all other commands on the database do so too, except status"
  ),
  Command.withExamples([
    {
      command: "DATABASE_URL=postgres://… action-risk migrate",
      description: "Before the replicas of a new release start"
    }
  ])
)
