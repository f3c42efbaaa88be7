/** What `action-risk rules explain --json` and `action-risk policies explain --json` print. */

import { Schema } from "effect"
import { AssessmentResponse } from "../../../api/AssessmentResponse.ts"

const { action_risk, blast_radius, risk_factors } = AssessmentResponse.fields

const Value = Schema.Union([Schema.String, Schema.Boolean, Schema.Int])

export const explainShape = Schema.Struct({
  action_risk,
  blast_radius,
  factors: risk_factors,
  rules: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotate({ description: "The rule's own name, HIGH_ENTITY_COUNT.high." }),
      code: Schema.String.annotate({
        description: "The factor's code, the typology's name, or the policy rule's id."
      }),
      result: Schema.Boolean.annotate({ description: "Whether it holds." }),
      atoms: Schema.Array(
        Schema.Struct({
          fact: Schema.String,
          operator: Schema.String,
          value: Schema.Union([Value, Schema.Array(Value)]),
          actual: Value,
          result: Schema.Boolean,
          short_by: Schema.optionalKey(Schema.Int).annotate({
            description: "Of a comparison that fails: how far it is from holding, in the fact's unit."
          })
        })
      ).annotate({ description: "In the order of the file." })
    })
  ).annotate({ description: "All of them: factors, then typologies, then policy rules." })
})
