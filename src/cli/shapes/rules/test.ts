/** What `action-risk rules test --json` and `action-risk policies test --json` print. */

import { Schema } from "effect"
import { findingShape } from "../finding.ts"

const Reached = {
  reachable: Schema.Int.annotate({
    description: "Each rule, each question answered yes and no, each threshold from both sides."
  }),
  reached: Schema.Int,
  percent: Schema.Int.annotate({ description: "Rounded down: 100 only where everything is reached." })
}

export const testShape = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether there are cases and all of them hold, and no gaps." }),
  findings: Schema.Array(findingShape).annotate({
    description: "Each failing case at its expectation; with --coverage also each gap. By file and line."
  }),
  cases: Schema.Struct({ total: Schema.Int, failed: Schema.Int }),
  groups: Schema.Array(
    Schema.Struct({
      of: Schema.String.annotate({
        description: "A factor's code, a typology's name, a policy rule's id, or calibration."
      }),
      file: Schema.String,
      cases: Schema.Int,
      failed: Schema.Int
    })
  ),
  coverage: Schema.optionalKey(
    Schema.Struct({
      ...Reached,
      codes: Schema.Array(Schema.Struct({ code: Schema.String, file: Schema.String, ...Reached })),
      gaps: Schema.Array(
        Schema.Struct({
          kind: Schema.Literals(["rule", "atom", "boundary"]),
          code: Schema.String,
          rule: Schema.String.annotate({ description: "The rule's own name." }),
          message: Schema.String
        })
      )
    })
  ).annotate({ description: "What the cases beside each file reach of its rules; with --coverage." })
})
