/** What `action-risk policies show --json` prints. */

import { Schema } from "effect"
import { policyEffects } from "../../../domain/Policy.ts"
import { ruleCasesShape, whenFields } from "../rules/when.ts"

export const policiesShowShape = Schema.Struct({
  set: Schema.String,
  version: Schema.String.annotate({ description: "What the files call themselves." }),
  owner: Schema.String,
  description: Schema.String,
  frozen: Schema.Array(Schema.String).annotate({ description: "Frozen versions of the set, oldest first." }),
  rules: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      file: Schema.String,
      owner: Schema.String,
      description: Schema.String,
      why: Schema.String,
      misses: Schema.optionalKey(Schema.String).annotate({ description: "What it cannot see." }),
      effect: Schema.Literals(policyEffects),
      asks_for: Schema.String.annotate({ description: "What it does where it holds, in plain English." }),
      ...whenFields,
      cases: ruleCasesShape
    })
  ).annotate({ description: "The one that was named, else all." })
})
