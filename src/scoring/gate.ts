/** The gate: what missing information could still lead to puts a floor under the score (theorem T3). */

import type { Numbers } from "./Model.ts"

/** `high` is the score with everything missing at its ceiling. A reported `low` then means that no completion is `high`. */
export const gate = (score: number, high: number, production: boolean, numbers: Numbers): number =>
  numbers.gates.reduce(
    (lifted, { floor, highFrom, productionOnly }) =>
      high >= highFrom && (production || !productionOnly) ? Math.max(lifted, floor) : lifted,
    score
  )
