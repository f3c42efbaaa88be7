/** What `action-risk keys create --json` prints. */

import { Schema } from "effect"
import { keyFields } from "./key.ts"

export const keysCreateShape = Schema.Struct({
  ...keyFields,
  key: Schema.String.annotate({ description: "The key, shown this once." })
})
