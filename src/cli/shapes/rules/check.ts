/** What `action-risk rules check --json` and `action-risk policies check --json` print. */

import { Schema } from "effect"
import { findingShape } from "../finding.ts"

export const checkShape = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether nothing was found." }),
  findings: Schema.Array(findingShape).annotate({ description: "Ascending by file, line and column." }),
  files: Schema.Int.annotate({ description: "How many files were looked at." })
})
