/** How much of what runs could be disturbed: by the environment, the class, and live dependencies. */

import { or, times } from "../basisPoints.ts"
import type { Measured } from "../Claims.ts"
import type { Completed } from "../complete.ts"
import type { Numbers } from "../Model.ts"

export const operationalImpact = (claims: Measured, completed: Completed, numbers: Numbers): number => {
  const { baseBp, classFactorBp } = numbers.environment[claims.environment]
  const disturbed = or(baseBp, times(claims.class.operationalWeightBp, classFactorBp))
  return completed.productionImpact ? or(disturbed, numbers.productionImpactBp) : disturbed
}
