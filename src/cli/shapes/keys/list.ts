/** What `action-risk keys list --json` prints. */

import { Schema } from "effect"
import { IsoMillis } from "../../../api/Scalars.ts"
import { keyFields } from "./key.ts"

export const keysListShape = Schema.Struct({
  keys: Schema.Array(
    Schema.Struct({
      ...keyFields,
      revoked_at: Schema.NullOr(IsoMillis).annotate({ description: "Null where it was not revoked." }),
      created_at: IsoMillis
    })
  ).annotate({ description: "Oldest first." })
})
