/** Solves for the figures of a history that bring a multiplier or a sum where it is wanted. */

import type { Span } from "../../analysis/Values.ts"

const beyond = Number.MAX_SAFE_INTEGER
/** Figures above this count as this much. */
const figureMax = 1e13

/** The roundest whole number in a stretch: 500 rather than 487. */
const roundest = (min: number, max: number): number => {
  for (let unit = 10 ** Math.floor(Math.log10(Math.max(1, max))); unit > 1; unit /= 10) {
    const rounded = Math.ceil(min / unit) * unit
    if (rounded <= max) return rounded
  }
  return min
}

/**
 * A divisor by which `figure` comes to so many hundredths, rounded half up: `over` in scoring/multiplier.ts solved for what is
 * usual. Null where no whole number does, `wanted` being above zero.
 */
export const usualFor = (figure: number, { max, min }: Span, least = 1): number | null => {
  const counted = Math.min(figure, figureMax)
  const most = Math.min(Math.floor((200 * counted) / (2 * min - 1)), beyond)
  const fewest = max >= beyond / 4 ? least : Math.max(least, Math.floor((200 * counted) / (2 * max + 1)) + 1)
  return most < fewest ? null : roundest(fewest, most)
}

/** What others must add so that the sum reaches a step in `wanted` above the figure's own; null where it cannot. */
export const missingTo = (
  figure: number,
  { max, min }: Span,
  starts: ReadonlyArray<number>
): number | null => {
  if (min <= 0) return 0
  const own = starts.filter((start) => figure >= start).length
  const step = Math.max(min, own + 1)
  const start = starts[step - 1]
  return start === undefined || step > max ? null : start - figure
}
