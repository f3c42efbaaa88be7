/** `action-risk migrate`: applies this release's migrations to the database. */

import { Effect, Schema } from "effect"
import { newDatabaseLayer } from "../../storage/openDatabase.ts"
import { migrateOpened, schemaVersion } from "../../storage/migrate.ts"
import { members, objects } from "../jsonShapes.ts"
import { verb } from "../verb.ts"

const migrateShape = members({
  schemaVersion: Schema.Int,
  applied: objects("The migrations that were applied, in order.", {
    id: Schema.Int,
    name: Schema.String
  })
})

export const migrateDatabase = verb({
  about: "Migrate the database to this release; every other database command except status does so too",
  takes: {},
  prints: migrateShape,
  fails: "the database does not answer or is too old",
  reads: "`DATABASE_URL`, `DISTRIBUTED`, `DATA_DIR`",
  examples: {
    "DATABASE_URL=postgres://… action-risk migrate": "Before the replicas of a new release start"
  },
  run: Effect.fnUntraced(function* () {
    const applied = yield* Effect.provide(migrateOpened, newDatabaseLayer)
    return {
      json: () => ({ schemaVersion, applied }),
      text: () =>
        [
          ...applied.map(({ id, name }) => `applied ${id} ${name.replaceAll("_", " ")}`),
          `the database is at schema version ${schemaVersion}`
        ].join("\n")
    }
  })
})
