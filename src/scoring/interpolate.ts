/** Reads a scale given by anchors: integer linear interpolation, rounded up, flat beyond both ends. */

import type { Anchors } from "./Model.ts"

/** `x` in the unit of the anchors; basis points. Monotone in `x` because anchors ascend in both. */
export const interpolate = (anchors: Anchors, x: number, unit = 1): number => {
  let [fromX, fromBp] = anchors[0] ?? [0, 0]
  if (x <= fromX * unit) return fromBp
  for (const [toX, toBp] of anchors) {
    if (x <= toX * unit) {
      const span = (toX - fromX) * unit
      return span === 0 ? toBp : fromBp + Math.ceil(((toBp - fromBp) * (x - fromX * unit)) / span)
    }
    fromX = toX
    fromBp = toBp
  }
  return fromBp
}
