/** Exact integer arithmetic for the score: basis points, interpolation on scales, figures rounded to two digits. */

/**
 * The points of a scale, ascending in both members: at `x` the value is `bp`. Integer interpolation between points, constant beyond the
 * ends.
 */
export type Anchors = ReadonlyArray<readonly [x: number, bp: number]>

/** A probability of 1. */
export const wholeBp = 10_000

/** `p · q`, rounded up. */
export const timesBp = (p: number, q: number): number => Math.ceil((p * q) / wholeBp)

/** Noisy-or, `1 − (1 − p)(1 − q)`, rounded up: either cause suffices (the CVSS impact rule). */
export const noisyOr = (p: number, q: number): number =>
  wholeBp - Math.floor(((wholeBp - p) * (wholeBp - q)) / wholeBp)

/** Sorts in place, largest first. An insertion sort, because the lists are short. */
export const sortDescending = (few: Array<number>): Array<number> => {
  for (let i = 1; i < few.length; i++) {
    const one = few[i] ?? 0
    let to = i
    for (; to > 0 && (few[to - 1] ?? 0) < one; to--) few[to] = few[to - 1] ?? 0
    few[to] = one
  }
  return few
}

/** Converts basis points to the reported integer 0-100, rounded up. */
export const toPoints = (bp: number): number => Math.ceil(bp / 100)

const origin: Anchors[number] = [0, 0]

/**
 * The value of a scale at `x` in basis points: integer linear interpolation between anchors, rounded up, constant beyond both ends. `unit`:
 * how many units of `x` make one unit of the anchors. Monotone in `x`, because anchors ascend in both members.
 */
export const interpolate = (anchors: Anchors, x: number, unit = 1): number => {
  let from = anchors[0] ?? origin
  // Indexes instead of destructuring: destructuring pairs in this loop would take most of an evaluation's time.
  if (x <= from[0] * unit) return from[1]
  for (let at = 1; at < anchors.length; at++) {
    const to = anchors[at] ?? from
    if (x <= to[0] * unit) {
      const span = (to[0] - from[0]) * unit
      return span === 0 ? to[1] : from[1] + Math.ceil(((to[1] - from[1]) * (x - from[0] * unit)) / span)
    }
    from = to
  }
  return from[1]
}

const decimalBase = 10

/**
 * Keeps the first two digits: `1_234` gives 1,200 and `87` gives 87. The result is at most a tenth below the figure. History counts sizes
 * in this form, so that the cost of medians does not grow with the length of the history. The median of rounded figures is the rounded
 * median. Invariant: the result is never above the figure, because a larger usual size would lower a multiplier.
 */
export const firstTwoDigits = (figure: number): number => {
  let scale = 1
  while (Math.floor(figure / scale) >= decimalBase * decimalBase) scale *= decimalBase
  return Math.floor(figure / scale) * scale
}
