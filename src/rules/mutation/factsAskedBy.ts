/** The facts that the rules of a file ask, each once, in the order of the file. */

import type { FactName } from "../../scoring/Facts.ts"
import { placesOf } from "../cases/measureCoverage.ts"
import type { Ladder } from "../ladders.ts"

export const factsAskedBy = ({ rules }: Pick<Ladder, "rules">): ReadonlyArray<FactName> => [
  ...new Set(rules.flatMap(({ condition }) => placesOf(condition, []).map(({ atom }) => atom.fact)))
]
