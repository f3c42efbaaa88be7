/** Action risk from blast radius and hazard: how bad it would be, raised by how likely it is to be wrong. */

import { or, times } from "./basisPoints.ts"
import type { Numbers } from "./Model.ts"

/**
 * `A = share · B ⊕ H · (base + share · B)`, H the noisy-or of the hazards. Basis points in and out.
 * Scaling hazard by the blast radius keeps novelty on a trivial action small.
 *
 * @param hazards in an order fixed by the release, so that rounding does not depend on who matched first
 */
export const combineRisk = (
  blastRadius: number,
  hazards: ReadonlyArray<number>,
  numbers: Numbers
): number => {
  const { blastRadiusBp, hazardBaseBp, hazardBlastRadiusBp } = numbers.actionRisk
  const hazard = hazards.reduce(or, 0)
  const reach = hazardBaseBp + times(hazardBlastRadiusBp, blastRadius)
  return or(times(blastRadiusBp, blastRadius), times(hazard, reach))
}
