/** The factors of an opinion, in the order of the contract: severity descending, then code. */

import { type RiskFactor, severities } from "../domain/RiskFactor.ts"
import type { Evaluation } from "./Evaluation.ts"
import { raisedFactors } from "./raisedFactors.ts"
import { renderMessage } from "./renderMessage.ts"

/** By code points, so that no locale takes part. */
const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const listRiskFactors = ({
  facts,
  matches
}: Pick<Evaluation, "facts" | "matches">): ReadonlyArray<RiskFactor> => {
  const told = raisedFactors(matches).map(({ byPolicy, category, code, message, severity }): RiskFactor => ({
    code,
    category,
    severity,
    message: byPolicy ? message : renderMessage(message, facts)
  }))
  return told.toSorted(
    (a, b) =>
      severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
      ascending(a.code, b.code) ||
      ascending(a.message, b.message)
  )
}
