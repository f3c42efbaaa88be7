/** What `action-risk migrate --json` prints. */

import { Schema } from "effect"

export const migrateShape = Schema.Struct({
  schema_version: Schema.Int,
  applied: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })).annotate({
    description: "The migrations that were not yet in the database, in their order."
  })
})
