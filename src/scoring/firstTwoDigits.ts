/** A figure by its first two digits: what history counts sizes by, so that its medians cost the same however long it is. */

const base = 10

/**
 * `1_234` gives 1,200 and `87` gives 87: rounded down, at most a tenth below the figure, and round figures as they are.
 * A median of such figures is the rounded median. Invariant: never above the figure, for a smaller usual raises a multiplier.
 */
export const firstTwoDigits = (figure: number): number => {
  let scale = 1
  while (Math.floor(figure / scale) >= base * base) scale *= base
  return Math.floor(figure / scale) * scale
}
