/** Exact integer arithmetic of the score: basis points, scales between anchors, figures rounded to two digits. */

import type { Anchors } from "./Model.ts"

/** The whole: a probability of 1. */
export const wholeBp = 10_000

/** `p · q`, rounded up. */
export const timesBp = (p: number, q: number): number => Math.ceil((p * q) / wholeBp)

/** Noisy-or, `1 − (1 − p)(1 − q)`, rounded up: either cause suffices (the CVSS impact rule). */
export const noisyOr = (p: number, q: number): number =>
  wholeBp - Math.floor(((wholeBp - p) * (wholeBp - q)) / wholeBp)

/** Sorts the few numbers in place, the largest first. */
export const sortDescending = (few: Array<number>): Array<number> => {
  for (let i = 1; i < few.length; i++) {
    const one = few[i] ?? 0
    let to = i
    for (; to > 0 && (few[to - 1] ?? 0) < one; to--) few[to] = few[to - 1] ?? 0
    few[to] = one
  }
  return few
}

/** Basis points as the integer 0-100 that is reported, rounded up. */
export const toPoints = (bp: number): number => Math.ceil(bp / 100)

/**
 * Reads a scale given by anchors: integer linear interpolation, rounded up, flat beyond both ends.
 * `x` in the unit of the anchors; basis points. Monotone in `x` because anchors ascend in both.
 */
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

/** A figure by its first two digits: what history counts sizes by, so that its medians cost the same however long it is. */
const decimalBase = 10

/**
 * `1_234` gives 1,200 and `87` gives 87: rounded down, at most a tenth below the figure, and round figures as they are.
 * A median of such figures is the rounded median. Invariant: never above the figure, for a smaller usual raises a multiplier.
 */
export const firstTwoDigits = (figure: number): number => {
  let scale = 1
  while (Math.floor(figure / scale) >= decimalBase * decimalBase) scale *= decimalBase
  return Math.floor(figure / scale) * scale
}
