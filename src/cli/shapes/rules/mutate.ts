/** What `action-risk rules mutate --json` and `action-risk policies mutate --json` print. */

import { Schema } from "effect"
import { findingShape } from "../finding.ts"

const tally = {
  total: Schema.Int,
  killed: Schema.Int.annotate({ description: "Some case fails with the change." }),
  survived: Schema.Int.annotate({ description: "No case does." }),
  equivalent: Schema.Int.annotate({
    description: "The change means the same for everything that can be asked; no case could fail."
  })
}

const percent = Schema.Int.annotate({
  description: "Killed, of those that are not equivalent; rounded down."
})

export const mutateShape = Schema.Struct({
  ok: Schema.Boolean.annotate({
    description: "Whether percent reaches --min, and every case holds unchanged."
  }),
  mutants: Schema.Struct(tally),
  percent,
  min: Schema.Int,
  failing: Schema.Int.annotate({ description: "Cases that fail without any change, and so kill nothing." }),
  codes: Schema.Array(Schema.Struct({ code: Schema.String, ...tally, percent })),
  survivors: Schema.Array(
    Schema.Struct({
      ...findingShape.fields,
      code: Schema.String.annotate({
        description: "The factor's code, the typology's name, or the policy rule's id."
      }),
      name: Schema.String.annotate({ description: "The changed rule's own name." }),
      change: Schema.String,
      killer: Schema.optionalKey(
        Schema.Struct({
          request: Schema.Record(Schema.String, Schema.Json).annotate({
            description: "As a case file spells it."
          }),
          history: Schema.optionalKey(Schema.Json),
          expect: Schema.Union([
            Schema.String,
            Schema.Struct({ level: Schema.String, score: Schema.Tuple([Schema.Int, Schema.Int]) })
          ])
        })
      ).annotate({ description: "A case that would fail with the change, ready to be put into the file." })
    })
  )
})
