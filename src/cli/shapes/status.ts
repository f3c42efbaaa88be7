/** What `action-risk status --json` prints. */

import { Schema } from "effect"

const Count = Schema.NullOr(Schema.Int).annotate({ description: "Null where the database cannot be read." })

export const statusShape = Schema.Struct({
  server: Schema.Literals(["running", "stopped"]),
  database: Schema.Struct({ kind: Schema.Literals(["embedded", "external"]), reachable: Schema.Boolean }),
  schema_version: Schema.NullOr(Schema.Int).annotate({
    description: "Null where the database has no schema of ours."
  }),
  schema_version_of_this_release: Schema.Int,
  organizations: Count,
  keys: Count
})
