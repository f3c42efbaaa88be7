/** Action risk from blast radius and hazard: how bad it would be, raised by how likely it is to be wrong. */

import { descending, or, times } from "./basisPoints.ts"
import type { Numbers } from "./Model.ts"

/**
 * `A = share · B ⊕ H · (base + share · B)`, H the noisy-or of the hazards. Basis points in and out.
 * Scaling hazard by the blast radius keeps novelty on a trivial action small.
 */
export const combineRisk = (
  blastRadius: number,
  hazards: ReadonlyArray<number>,
  numbers: Numbers
): number => {
  const { blastRadiusBp, hazardBaseBp, hazardBlastRadiusBp } = numbers.actionRisk
  // From the largest down, for the reason that the blast radius folds so: rounding must not depend on who came first.
  const hazard = descending([...hazards]).reduce((sum, hazardBp) => or(sum, hazardBp), 0)
  const reach = hazardBaseBp + times(hazardBlastRadiusBp, blastRadius)
  return or(times(blastRadiusBp, blastRadius), times(hazard, reach))
}
