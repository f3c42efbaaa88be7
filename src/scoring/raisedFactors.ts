/** The factors that an opinion raises: the model's own, then those that customer policies add. */

import type { RiskFactor } from "../domain/RiskFactor.ts"
import type { Matches } from "./Evaluation.ts"

const policyFactorCode = "CUSTOMER_POLICY_MATCH"

/** `message` is still a template where it is the model's. */
export type RaisedFactor = RiskFactor & { readonly byPolicy: boolean }

export const raisedFactors = ({ policies, rules }: Matches): ReadonlyArray<RaisedFactor> => {
  const raised = rules.factors.map(({ category, code, message, severity }): RaisedFactor => ({
    code,
    category,
    severity,
    message,
    byPolicy: false
  }))
  for (const { factor } of policies.matched) {
    if (factor !== undefined)
      raised.push({ code: policyFactorCode, category: "policy", ...factor, byPolicy: true })
  }
  return raised
}
