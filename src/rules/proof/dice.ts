/** Repeatable chance: the same seed rolls the same numbers. */

/** Mulberry32: each call gives a whole number below `sides`. */
export const dice = (seed: number): ((sides: number) => number) => {
  let state = seed | 0
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % sides
  }
}
