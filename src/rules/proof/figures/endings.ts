/** What is put under a score once it is made: gates, the minimum of an incomplete opinion, and how a score is read. */

import { levels } from "../../../domain/Level.ts"
import { gate } from "../../../scoring/gate.ts"
import type { Numbers } from "../../../scoring/Model.ts"
import type { Figure } from "./Figure.ts"

const highs = Array.from({ length: 101 }, (_, high) => high)
const either = [false, true]

const lifts = (numbers: Numbers): ReadonlyArray<number> =>
  either.flatMap((production) => highs.map((high) => gate(0, high, production, numbers)))

/** The least that a gate which lifts at all lifts to; above every score where none does. */
export const leastLift = (numbers: Numbers): number =>
  Math.min(Infinity, ...lifts(numbers).filter((lift) => lift > 0))

export const endings = (numbers: Numbers): ReadonlyArray<Figure> => [
  ...lifts(numbers).map((value) => ({ what: "gates", value })),
  { what: "incomplete_score_min", value: numbers.incompleteScoreMin },
  // Not the score but its word would be lower.
  ...levels.map((level) => ({ what: `levels.${level}`, value: -numbers.levels[level] }))
]
