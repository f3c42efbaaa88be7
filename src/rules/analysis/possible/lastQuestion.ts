/** What is known of the opinion itself when the last question is asked, and is silent before. */

import type { Numbers } from "../../../scoring/Model.ts"
import { atLeast, atMost, follows, is, type Term } from "../Term.ts"

const whole = 100

export const lastQuestion = ({ confidence }: Numbers): ReadonlyArray<Term> => [
  atMost("confidence_percent_missing", whole - 1),
  follows(is("policy_evaluation_incomplete", true), is("assessment_degraded", true)),
  follows(
    is("gate_applied", true),
    atLeast("confidence_percent_missing", whole - Math.max(1, confidence.percentMax))
  ),
  follows(
    is("assessment_degraded", true),
    atLeast("confidence_percent_missing", whole - Math.max(1, confidence.incompletePercentMax))
  )
]
