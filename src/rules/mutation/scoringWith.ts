/** A rulebook in which one file says something else; nothing but that file is compiled again. */

import type { Facts } from "../../scoring/Facts.ts"
import type { Model, PolicySet } from "../../scoring/Model.ts"
import { bySeverity } from "../bySeverity.ts"
import { byCodeUnit } from "../byCodeUnit.ts"
import { conditionHolds } from "../Condition.ts"
import type { Ladder } from "../ladders.ts"
import type { Rule } from "../Rule.ts"

export interface Scoring {
  readonly model: Model
  readonly policySet: PolicySet
}

const matchesOf = <Match>(rules: ReadonlyArray<Rule<Match>>, facts: Facts): ReadonlyArray<Match> =>
  rules.filter(({ condition }) => conditionHolds(condition, facts)).map(({ match }) => match)

/** The matches of all other files with those of this one, in their order. */
const merge = <Match>(
  others: ReadonlyArray<Match>,
  own: ReadonlyArray<Match>,
  nameOf: (match: Match) => string,
  name: string
): ReadonlyArray<Match> =>
  [...others.filter((match) => nameOf(match) !== name), ...own].toSorted((a, b) =>
    byCodeUnit(nameOf(a), nameOf(b))
  )

export const scoringWith = ({ model, policySet }: Scoring, ladder: Ladder): Scoring => {
  switch (ladder.kind) {
    case "factor":
      return {
        policySet,
        model: {
          ...model,
          match: (facts) => {
            const { factors, typologies } = model.match(facts)
            const own = matchesOf(ladder.rules, facts).toSorted(bySeverity).slice(0, 1)
            return { factors: merge(factors, own, ({ code }) => code, ladder.code), typologies }
          }
        }
      }
    case "typology":
      return {
        policySet,
        model: {
          ...model,
          match: (facts) => {
            const { factors, typologies } = model.match(facts)
            const own = matchesOf(ladder.rules, facts)
            return { factors, typologies: merge(typologies, own, ({ name }) => name, ladder.code) }
          }
        }
      }
    case "policy":
      return {
        model,
        policySet: {
          ...policySet,
          match: (facts) => {
            const { incomplete, matched } = policySet.match(facts)
            const own = matchesOf(ladder.rules, facts)
            return { matched: merge(matched, own, ({ rule }) => rule, ladder.code), incomplete }
          }
        }
      }
  }
}
