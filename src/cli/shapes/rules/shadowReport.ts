/** What `rules shadow-report --json` prints. */

import { Schema } from "effect"
import { modes } from "../../../domain/Mode.ts"
import { movementCounts, movementFields } from "../backtest.ts"

export const shadowReportShape = Schema.Struct({
  organization: Schema.NullOr(Schema.String).annotate({
    description: "The slug; null for all organizations."
  }),
  mode: Schema.NullOr(Schema.Literals(modes)).annotate({ description: "Null for both." }),
  since: Schema.NullOr(Schema.String).annotate({ description: "From this date-time on; null for all." }),
  without_shadow: Schema.Int.annotate({
    description: "Assessments since the first with a shadow that have none: it was off, or has missed them."
  }),
  shadows: Schema.Array(
    Schema.Struct({
      rules_version: Schema.String,
      rules_digest: Schema.String.annotate({
        description: "SHA-256 of the release, or of the working files."
      }),
      counts: Schema.Struct(movementCounts),
      ...movementFields
    })
  ).annotate({
    description: "One for each release that has been a shadow; from is what was served, to what it said."
  })
})
