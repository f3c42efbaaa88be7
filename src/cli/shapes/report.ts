/** What `action-risk rules report --json` and `action-risk policies report --json` print. */

import { Schema } from "effect"

export const reportShape = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether no answer stands against the change." }),
  from: Schema.String,
  to: Schema.String,
  answers: Schema.Array(
    Schema.Struct({
      section: Schema.Literals(["check", "cases", "changes", "proof", "backtest"]).annotate({
        description: "The section of the page that says more."
      }),
      question: Schema.String,
      state: Schema.Literals(["good", "look", "bad", "none"]).annotate({
        description:
          "`look`: a reviewer should know; `bad`: it stands against the change; `none`: it was not asked."
      }),
      statement: Schema.String
    })
  ),
  out: Schema.String.annotate({ description: "The file that was written." })
})
