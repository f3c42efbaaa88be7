/** The blast radius of six dimensions: the largest impact, the others by a share, amplified by reversibility. */

import { type Dimensions, impactDimensions } from "../domain/BlastRadius.ts"
import { descending, or, times } from "./basisPoints.ts"
import type { Numbers } from "./Model.ts"

/**
 * `I = M ⊕ share · D` over the impact dimensions, M the largest and D each other; then `B = I ⊕ share · R · I`.
 * Basis points in and out.
 */
export const combineDimensions = (dimensions: Dimensions, numbers: Numbers): number => {
  const { otherDimensionsBp, reversibilityBp } = numbers.blastRadius
  // Folding from the largest down keeps the result monotone: raising one dimension only raises places of the sorted
  // row, and each place enters a monotone fold. Unsorted, rounding could lose a point where two dimensions trade places.
  const impacts = descending(impactDimensions.map((name) => dimensions[name]))
  const impact = impacts.reduce((sum, other) => or(sum, times(otherDimensionsBp, other)))
  return or(impact, times(times(reversibilityBp, dimensions.reversibility), impact))
}
