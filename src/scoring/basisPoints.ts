/** Integer arithmetic on basis points, 0-10000: exact below 2^53 and rounded upwards, so that every step is monotone. */

/** The whole: a probability of 1. */
export const whole = 10_000

/** `p · q`, rounded up. */
export const times = (p: number, q: number): number => Math.ceil((p * q) / whole)

/** Noisy-or, `1 − (1 − p)(1 − q)`, rounded up: either cause suffices (the CVSS impact rule). */
export const or = (p: number, q: number): number => whole - Math.floor(((whole - p) * (whole - q)) / whole)

/** Basis points as the integer 0-100 that is reported, rounded up. */
export const toPoints = (bp: number): number => Math.ceil(bp / 100)
