/** The oracle's few policies as the compiled set that the scorer uses. */

import type { PolicyRuleMatch, PolicySet } from "../../src/scoring/Model.ts"
import type { Policy } from "../oracle/Question.ts"

const matchOf = ({ id, effect, floor, severity, control, recommendations }: Policy): PolicyRuleMatch => ({
  policy: "generated",
  rule: id,
  effect,
  recommendations,
  ...(floor === undefined ? {} : { floor }),
  ...(control === undefined ? {} : { control }),
  ...(severity === undefined ? {} : { factor: { severity, message: `Rule ${id} says so.` } }),
  ...(effect === "annotate" ? { note: `Note of ${id}.` } : {})
})

export const policySetOf = (policies: ReadonlyArray<Policy>): PolicySet => ({
  name: "generated",
  version: "1.0.0",
  digest: "0".repeat(64),
  match: (facts) => ({
    matched: policies.filter(({ when, broken }) => broken || when(facts)).map(matchOf),
    incomplete: policies.some(({ broken }) => broken)
  })
})
