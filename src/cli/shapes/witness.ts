/** A request on which two rulebooks differ, as `--json` prints it: ready to be pasted into a cases file. */

import { Schema } from "effect"
import type { Witness } from "../../rules/witness/Witness.ts"

const request = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
).annotate({ description: "As the API takes it." })

const history = Schema.Struct({
  now: Schema.String,
  earlier: Schema.Array(
    Schema.Struct({
      at: Schema.String,
      request,
      repeat: Schema.optionalKey(Schema.Struct({ times: Schema.Int, every: Schema.String }))
    })
  )
})

export const witnessShape = Schema.Struct({
  request,
  history: Schema.optionalKey(history).annotate({
    description: "What was asked before, as in a cases file."
  }),
  from_score: Schema.Int.annotate({ description: "The action risk that the first reports." }),
  to_score: Schema.Int
})

export const witnessJson = ({ fromScore, toScore, ...situation }: Witness): typeof witnessShape.Encoded => ({
  ...situation,
  from_score: fromScore,
  to_score: toScore
})
