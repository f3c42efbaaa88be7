/** How many distinct entities are in reach, times what the class can do to each. */

import { times } from "../basisPoints.ts"
import type { Measured } from "../Claims.ts"
import type { Completed } from "../complete.ts"
import { interpolate } from "../interpolate.ts"
import type { Numbers } from "../Model.ts"

export const entityImpact = (claims: Measured, completed: Completed, numbers: Numbers): number => {
  const { entityEffectBp, sensitivityLiftsEntityEffect } = claims.class
  const { sensitivityBp } = numbers.dataClassification[completed.dataClassification]
  const effect = sensitivityLiftsEntityEffect ? Math.max(entityEffectBp, sensitivityBp) : entityEffectBp
  return times(interpolate(numbers.anchors.entities, completed.entities), effect)
}
