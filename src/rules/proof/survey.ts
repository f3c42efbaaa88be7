/** Everything that can be known exactly about whether one rulebook lets a score fall below another's. */

import { possible } from "../analysis/possible.ts"
import { all } from "../analysis/Term.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Comparison } from "./Comparison.ts"
import { type Side, sideOf } from "./Side.ts"
import { completing, doubts, rises } from "./doubts.ts"
import { fallenMeasures } from "./figures/fallenMeasures.ts"
import { measures } from "./figures/measures.ts"
import { firstQuestions } from "./lastQuestion.ts"
import { cumulativeComparisons } from "./rising.ts"
import type { Lower } from "./walk.ts"
import { walked } from "./walked.ts"

export interface Survey {
  /** What differs in a way that no walk through facts settles: figures, currencies and rules by name. */
  readonly doubts: ReadonlyArray<string>
  /** Facts for which the second evaluation is lower, the first few found. */
  readonly lower: ReadonlyArray<Lower>
  /** Whether the walk ended within its steps. */
  readonly ended: boolean
  /** Ladders and figures that were held against each other. */
  readonly compared: { readonly ladders: number; readonly figures: number; readonly currencies: number }
}

const evaluations = (from: Side, to: Side): Comparison => ({
  from,
  to,
  moved: {},
  where: all(firstQuestions, possible(from.numbers)),
  lowered: fallenMeasures(from.numbers, to.numbers)
})

/**
 * The score of a request is made of evaluations of facts: with missing fields at their reference, and open up to their ceiling.
 * Let `from` and `to` be two rulebooks that read words alike. Where all of this holds, no request scores lower under `to`:
 *
 * 1. For all facts that can be together, `to` evaluates no lower than `from`: dimensions and their combination rise with their
 *    figures, noisy-or with sorted hazards, and floors count by the highest. The walk shows it or finds facts that break it.
 * 2. References, ceilings, currencies and what watches history are no milder, and no currency is dearer in which history may
 *    have been spent, so that the facts of `to` are at least those of `from`; no rule of `to` is silenced by a fact that rises; and the one fact that falls by it, a cumulative step, is made up
 *    for by the action's own step.
 * 3. Gates lift no less from every high end: score and high end are no lower by 1 and 2, and a gate rises with both.
 * 4. Floors that only the last question can raise are answered for. Confidence goes by the width of the range and may rise while
 *    both ends of it do, so that no floor may rest on it; one that rests on a gate is reached wherever that gate lifts.
 * 5. The minimum of an incomplete opinion is no lower.
 *
 * What of 2 to 5 does not hold is a doubt; where 1 does not, there are facts.
 */
export const survey = (from: Rulebook, to: Rulebook): Survey => {
  const sides = { from: sideOf(from), to: sideOf(to) }
  const main = walked(evaluations(sides.from, sides.to))
  const summed = rises(from.release.model, to.release.model)
    ? cumulativeComparisons(sides.to).map(walked)
    : []
  const sums = summed.some(({ ended, lower }) => !ended || lower.length > 0)
    ? ["ruleset.cumulative_steps"]
    : []
  const { currencies, numbers } = from.release.model
  return {
    doubts: [...doubts(from, to, sides), ...sums],
    lower: main.lower,
    ended: main.ended,
    compared: {
      ladders: sides.from.ladders.length,
      figures: measures(numbers).length + completing(numbers).length,
      currencies: currencies.table.size
    }
  }
}

export const isProven = ({ doubts, ended, lower }: Survey): boolean =>
  doubts.length === 0 && lower.length === 0 && ended
