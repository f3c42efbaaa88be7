/** What `evidence export --out file --json` prints; the evidence itself is in the file. */

import { Schema } from "effect"
import { modes } from "../../../domain/Mode.ts"

export const evidenceExportShape = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  since: Schema.NullOr(Schema.String).annotate({ description: "From this date-time on; null for all." }),
  until: Schema.NullOr(Schema.String).annotate({ description: "Before this date-time; null for all." }),
  assessments: Schema.Int.annotate({ description: "Lines of the file that hold an assessment." }),
  erased: Schema.Int.annotate({ description: "Lines that hold the entry of an erased one." }),
  out: Schema.String.annotate({ description: "The file, as it was named." })
})
