/** The factors of an opinion, in the order of the contract: severity descending, then code. */

import { type RiskFactor, severities } from "../domain/RiskFactor.ts"
import type { Evaluation } from "./Evaluation.ts"
import { renderMessage } from "./renderMessage.ts"

const policyFactorCode = "CUSTOMER_POLICY_MATCH"

/** By code points, so that no locale takes part. */
const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const listRiskFactors = ({
  facts,
  matches
}: Pick<Evaluation, "facts" | "matches">): ReadonlyArray<RiskFactor> => {
  const own = matches.rules.factors.map(({ category, code, message, severity }): RiskFactor => ({
    code,
    category,
    severity,
    message: renderMessage(message, facts)
  }))
  const customers = matches.policies.matched.flatMap(({ factor }): ReadonlyArray<RiskFactor> =>
    factor === undefined ? [] : [{ code: policyFactorCode, category: "policy", ...factor }]
  )
  return [...own, ...customers].toSorted(
    (a, b) =>
      severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
      ascending(a.code, b.code) ||
      ascending(a.message, b.message)
  )
}
