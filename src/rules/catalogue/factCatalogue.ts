/** Everything that a condition can ask: each fact with its operators, and which rule files ask it. */

import { type FactKind, type FactName, facts } from "../../scoring/Facts.ts"
import { choiceOperators, completenessFacts, isFactName } from "../Condition.ts"
import { placesOf } from "../cases/measureCoverage.ts"
import type { Ladder } from "../ladders.ts"

export interface CataloguedFact {
  readonly fact: FactName
  readonly kind: FactKind
  readonly operators: ReadonlyArray<string>
  /** Only completeness factors may ask it. */
  readonly completenessOnly: boolean
  /** Codes of the files that ask it. */
  readonly usedBy: ReadonlyArray<string>
}

/** Operators that may stand in anything that raises. */
export const upwardOperators = ["greaterThanInclusive", "greaterThan"] as const
/** Operators that may stand only where nothing is raised: annotate and add_recommendation. */
export const downwardOperators = ["lessThan", "lessThanInclusive"] as const

const operatorsOf = ({ kind }: FactKind): ReadonlyArray<string> =>
  kind === "count" || kind === "rank" ? [...upwardOperators, ...downwardOperators] : choiceOperators

const asks = ({ rules }: Ladder, fact: FactName): boolean =>
  rules.some(({ condition }) => placesOf(condition, []).some(({ atom }) => atom.fact === fact))

export const factCatalogue = (ladders: ReadonlyArray<Ladder>): ReadonlyArray<CataloguedFact> =>
  Object.keys(facts)
    .filter(isFactName)
    .map((fact) => ({
      fact,
      kind: facts[fact],
      operators: operatorsOf(facts[fact]),
      completenessOnly: completenessFacts.has(fact),
      usedBy: ladders.filter((ladder) => asks(ladder, fact)).map(({ code }) => code)
    }))
