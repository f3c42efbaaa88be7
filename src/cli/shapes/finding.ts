/** A finding as `--json` prints it, alike in every command that finds something. */

import { Schema } from "effect"

export const findingShape = Schema.Struct({
  rule: Schema.String.annotate({ description: "The lint that speaks, a page of docs/lints/." }),
  severity: Schema.Literals(["error", "warning"]),
  file: Schema.String,
  line: Schema.Int.annotate({ description: "From 1." }),
  column: Schema.Int.annotate({ description: "From 1, in UTF-16 code units." }),
  message: Schema.String,
  suggestion: Schema.optionalKey(Schema.String).annotate({ description: "What to write instead." })
})
