/** `action-risk migrate`: brings the database up to this release, and no more. */

import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Database } from "../../storage/Database.ts"
import { migrate, schemaVersion } from "../../storage/migrate.ts"
import { json } from "../options/json.ts"

export const migrateDatabase = Command.make(
  "migrate",
  { json },
  Effect.fnUntraced(function* (options) {
    const applied = yield* Effect.flatMap(Database, ({ url }) => migrate(url)).pipe(
      Effect.provide(Database.layer)
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
