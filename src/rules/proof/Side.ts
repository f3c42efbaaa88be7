/** One side of a comparison: the numbers and the ladders that an evaluation of facts is made of. */

import type { Numbers } from "../../scoring/Model.ts"
import type { Rulebook } from "../Rulebook.ts"
import { type Ladder, laddersOf } from "./Ladder.ts"

export interface Side {
  readonly numbers: Numbers
  readonly ladders: ReadonlyArray<Ladder>
}

export const sideOf = ({ policies, release: { model, rules } }: Rulebook): Side => ({
  numbers: model.numbers,
  ladders: laddersOf(rules, policies.rules, model.numbers)
})
