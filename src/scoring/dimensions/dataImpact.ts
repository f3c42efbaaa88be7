/** How sensitive the data is, how much of it there is, and whether it leaves. */

import { or, times } from "../basisPoints.ts"
import type { Measured } from "../Claims.ts"
import type { Completed } from "../complete.ts"
import { interpolate } from "../interpolate.ts"
import type { Numbers } from "../Model.ts"

/** base ⊕ share · volume · sensitivity ⊕ share · sensitivity if data leaves, times the class effect. */
export const dataImpact = (claims: Measured, completed: Completed, numbers: Numbers): number => {
  const { baseBp, sensitivityBp } = numbers.dataClassification[completed.dataClassification]
  const volume = interpolate(numbers.anchors.records, completed.records)
  const held = or(baseBp, times(times(numbers.dataVolumeBp, volume), sensitivityBp))
  const exposed = claims.class.dataLeaves ? or(held, times(numbers.dataLeavesBp, sensitivityBp)) : held
  return times(exposed, claims.class.dataEffectBp)
}
