/** Scores with one mutated file, and decides whether the file and its mutant mean the same. */

import { severities } from "../../domain/Opinion.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type {
  FactorMatch,
  Model,
  Numbers,
  PolicyRuleMatch,
  PolicySet,
  TypologyMatch
} from "../../scoring/Model.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { all, any, not, type Term, termOf } from "../analysis/Term.ts"
import { type ForAllAnswer, termNeverHolds } from "../analysis/satisfiability.ts"
import { bySeverity, conditionHolds, type Rule } from "../language/Rule.ts"

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

export const scoringWithGroup = ({ model, policySet }: Scoring, ladder: RuleGroup): Scoring => {
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

/** Where a file and its mutant would not say the same: nowhere, or at facts that show it. */
const hazards = 10_001

/** Ranks what a match can do to a score: of several that hold, the strongest counts. Never 0, which is none. */
const strengthOf = (match: FactorMatch | TypologyMatch | PolicyRuleMatch): number => {
  if ("severity" in match) return 1 + severities.indexOf(match.severity) * hazards + match.hazardBp
  return "rule" in match ? 1 : 1 + match.floor
}

/** What the file says of these facts, as a number that is equal where the meaning is. */
export const strongestMatch = ({ rules }: RuleGroup, facts: Facts): number =>
  rules.reduce((strongest, { condition, match }) => {
    const strength = strengthOf(match)
    return strength > strongest && conditionHolds(condition, facts) ? strength : strongest
  }, 0)

/** Where the file says at least that much. */
const matchesAtLeast = ({ rules }: RuleGroup, strength: number): Term =>
  any(...rules.filter(({ match }) => strengthOf(match) >= strength).map(({ condition }) => termOf(condition)))

/** `yes`: the two mean the same. The example of a `no` is where they do not. */
export const areEquivalent = (a: RuleGroup, b: RuleGroup, numbers: Numbers): ForAllAnswer => {
  const strengths = new Set([...a.rules, ...b.rules].map(({ match }) => strengthOf(match)))
  const differ = [...strengths].map((strength) => {
    const [one, other] = [matchesAtLeast(a, strength), matchesAtLeast(b, strength)]
    return any(all(one, not(other)), all(other, not(one)))
  })
  return termNeverHolds(any(...differ), numbers)
}
