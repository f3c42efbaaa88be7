/** What happens to a score after its evaluations: gates, the minimum of an incomplete opinion, levels, and the last match of the rules. */

import { levels } from "../../domain/Opinion.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/edition1/Model.ts"
import { neutralBehaviorFacts } from "../../scoring/edition1/behavior.ts"
import { gate } from "../../scoring/edition1/range.ts"
import { allValuesOf, includes } from "../analysis/Box.ts"
import { all, atLeast, atMost, is, not, type Term } from "../analysis/Term.ts"
import { firstPossibleFacts } from "../edition1/possibleFacts.ts"
import { findFacts } from "../analysis/satisfiability.ts"
import { tiersReaching } from "./ScoreComparison.ts"
import { type Side, someLiteral, type Tier } from "./Side.ts"
import type { RiskNumber } from "./dimensionNumbers.ts"

const highEnds = Array.from({ length: 101 }, (_, high) => high)

/** The score that the gates reach from every high end, outside production and in production. */
const gateFloors = (numbers: Numbers): ReadonlyArray<number> =>
  [false, true].flatMap((production) => highEnds.map((high) => gate(0, high, production, numbers)))

/** The lowest score to which any gate raises. Infinity if no gate raises anything. */
const leastGateFloor = (numbers: Numbers): number =>
  Math.min(Infinity, ...gateFloors(numbers).filter((floor) => floor > 0))

/** The numbers of gates, of the minimum and of levels; the higher, the riskier. */
export const finalAdjustments = (numbers: Numbers): ReadonlyArray<RiskNumber> => [
  ...gateFloors(numbers).map((value) => ({ what: "gates", value })),
  { what: "incomplete_score_min", value: numbers.incompleteScoreMin },
  // A level that begins later gives the same score a milder name.
  ...levels.map((level) => ({ what: `levels.${level}`, value: -numbers.levels[level] }))
]

/** Holds for the facts of every match but the last one: only the last match knows these facts of the opinion. */
export const beforeFinalMatch: Term = all(
  atMost("confidence_percent_missing", 0),
  is("gate_applied", false),
  is("assessment_degraded", false),
  is("policy_evaluation_incomplete", false),
  // The assessment itself is one of the last hour.
  atLeast("velocity_last_hour", 1)
)

/** These facts depend on the rulebook, so that they can differ between the two sides. */
const opinionFacts = ["confidence_percent_missing", "gate_applied"]
const finalMatchFacts = [...opinionFacts, "assessment_degraded", "policy_evaluation_incomplete"]
const historyFacts = Object.keys(neutralBehaviorFacts)

const worstValue = (fact: FactName) => {
  const values = allValuesOf(fact)
  return "min" in values ? values.max : true
}

/**
 * Whether a tier that holds in the last match also held in the match before it. The facts of unread history have their worst
 * values in the earlier matches and neutral ones in the last. So a tier that excludes a worst value may hold in the last alone.
 */
const countsBeforeFinalMatch = (tier: Tier): boolean =>
  !someLiteral(tier.term, ({ fact }) => finalMatchFacts.includes(fact)) &&
  !someLiteral(tier.term, ({ fact, yes }) => historyFacts.includes(fact) && !includes(yes, worstValue(fact)))

const usesOpinionFacts = ({ term }: Tier): boolean =>
  someLiteral(term, ({ fact }) => opinionFacts.includes(fact))

/** The facts for which the second side is certain to reach the floor of a tier of the first side. */
const coveringTerms = (tier: Tier, from: Side, to: Side): ReadonlyArray<Term> => [
  ...to.groups
    .flatMap((group) => tiersReaching(group, "floor", tier.floor))
    .filter((other) => !usesOpinionFacts(other))
    .map(({ term }) => term),
  // A gate that raises under the first rulebook raises under the second one too, or the score is as high without it.
  ...(tier.floor <= leastGateFloor(from.numbers) ? [is("gate_applied", true)] : []),
  ...(tier.floor <= to.numbers.incompleteScoreMin ? [is("assessment_degraded", true)] : [])
]

/** Names of the rules whose floor only the last match can raise and the second side is not certain to reach. */
export const uncoveredFinalFloors = (from: Side, to: Side): ReadonlyArray<string> =>
  from.groups
    .flatMap(({ tiers }) => tiers)
    .filter((tier) => tier.floor > 0 && !countsBeforeFinalMatch(tier))
    .filter((tier) => {
      const uncovered = coveringTerms(tier, from, to).map(not)
      return findFacts(all(tier.term, ...uncovered, firstPossibleFacts(from.numbers))) !== "none"
    })
    .map(({ name }) => name)
