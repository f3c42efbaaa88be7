/** All recommendation codes that apply: of the factors, of the policies, and of the control itself. */

import type { ControlType } from "../domain/Control.ts"
import type { Evaluation } from "./Evaluation.ts"

const recommendedWithControl: Partial<Record<ControlType, string>> = {
  SECONDARY_APPROVAL_RECOMMENDED: "REQUEST_SECOND_APPROVER"
}

/** Sorted by code points, unique. */
export const listRecommendations = (
  { matches }: Pick<Evaluation, "matches">,
  control: ControlType
): ReadonlyArray<string> => {
  const codes = new Set<string>()
  for (const factor of matches.rules.factors) for (const code of factor.recommendations) codes.add(code)
  for (const policy of matches.policies.matched) for (const code of policy.recommendations) codes.add(code)
  const own = recommendedWithControl[control]
  if (own !== undefined) codes.add(own)
  return [...codes].toSorted()
}
