/** Integer arithmetic on basis points, 0-10000: exact below 2^53 and rounded upwards, so that every step is monotone. */

/** The whole: a probability of 1. */
export const whole = 10_000

/** `p · q`, rounded up. */
export const times = (p: number, q: number): number => Math.ceil((p * q) / whole)

/** Noisy-or, `1 − (1 − p)(1 − q)`, rounded up: either cause suffices (the CVSS impact rule). */
export const or = (p: number, q: number): number => whole - Math.floor(((whole - p) * (whole - q)) / whole)

/** Sorts the few numbers in place, the largest first. */
export const descending = (few: Array<number>): Array<number> => {
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
