/** What `action-risk rules show --json` prints. */

import { Schema } from "effect"
import { factorCategories, severities } from "../../../domain/RiskFactor.ts"
import { Lifecycle } from "../../../rules/files/vocabulary.ts"
import { ruleCasesShape, whenFields } from "./when.ts"

const told = {
  version: Schema.String.annotate({ description: "The release, or draft." }),
  code: Schema.String,
  file: Schema.String,
  lifecycle: Lifecycle,
  why: Schema.String,
  misses: Schema.String.annotate({ description: "What it cannot see." }),
  message: Schema.String.annotate({ description: "With facts in braces." }),
  cases: ruleCasesShape,
  releases: Schema.Array(
    Schema.Struct({
      version: Schema.String,
      same: Schema.Boolean.annotate({ description: "Whether it says the same there." })
    })
  ).annotate({ description: "The frozen releases that have it, oldest first." })
}

export const rulesShowShape = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("factor"),
    ...told,
    category: Schema.Literals(factorCategories),
    recommendations: Schema.Array(Schema.String),
    rules: Schema.Array(
      Schema.Struct({
        ...whenFields,
        severity: Schema.Literals(severities),
        hazard_bp: Schema.Int.annotate({ description: "What it adds to the hazard, in basis points." })
      })
    )
  }),
  Schema.Struct({
    kind: Schema.Literal("typology"),
    ...told,
    title: Schema.String,
    floor: Schema.Int,
    rules: Schema.Array(Schema.Struct(whenFields))
  })
])
