/** What `evidence erase --json` prints. */

import { Schema } from "effect"
import { modes } from "../../../domain/Mode.ts"
import { erasureReasons } from "../../../storage/evidence/Erasure.ts"

export const evidenceEraseShape = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  reason: Schema.Literals(erasureReasons).annotate({
    description: "What stands on record: `retention` where only `--older-than` was given."
  }),
  dry_run: Schema.Boolean,
  found: Schema.Int.annotate({ description: "Assessments that are meant and can be erased." }),
  erased: Schema.Int.annotate({ description: "Those of them that were; 0 with `--dry-run`." }),
  waiting: Schema.Int.annotate({
    description: "Assessments that are meant and too new: erased by the same command ten seconds later."
  }),
  first: Schema.Array(Schema.String).annotate({ description: "Ids of the first 20 that were found." })
})
