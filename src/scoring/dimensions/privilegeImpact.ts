/** How far permissions, roles or credentials shift, and for how many. */

import { or, times } from "../basisPoints.ts"
import type { Measured } from "../Claims.ts"
import type { Completed } from "../complete.ts"
import { interpolate } from "../interpolate.ts"
import type { Numbers } from "../Model.ts"

export const privilegeImpact = (claims: Measured, completed: Completed, numbers: Numbers): number => {
  const { changedBp, changedInProductionBp, entityShareBp, unchangedBp } = numbers.privilege
  if (!completed.privilegeChange) return unchangedBp
  const changed = or(claims.production ? changedInProductionBp : changedBp, claims.class.addedPrivilegeBp)
  return or(changed, times(entityShareBp, interpolate(numbers.anchors.entities, completed.entities)))
}
