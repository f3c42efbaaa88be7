/** One figure of a ruleset, by the name that a reviewer finds it under; the higher, the riskier. */

import type { Term } from "../../analysis/Term.ts"

export interface Figure {
  readonly what: string
  readonly value: number
}

/** A figure of the dimensions, and the facts for which it counts. */
export interface MeasureFigure extends Figure {
  readonly where: Term
}

/** Those that stand lower in the second list, which has the same figures in the same order. */
export const fallen = <F extends Figure>(from: ReadonlyArray<F>, to: ReadonlyArray<F>): ReadonlyArray<F> =>
  from.filter(({ value }, i) => (to[i]?.value ?? 0) < value)
