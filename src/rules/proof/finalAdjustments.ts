/** What happens to a score after its evaluations: gates, the minimum of an incomplete opinion, levels, and the last match of the rules. */

import { levels } from "../../domain/Opinion.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { neutralBehaviorFacts } from "../../scoring/behavior.ts"
import { gate } from "../../scoring/range.ts"
import { allValuesOf, includes } from "../analysis/Box.ts"
import { all, atLeast, atMost, is, not, type Term } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import { findFacts } from "../analysis/satisfiability.ts"
import { tiersReaching } from "./ScoreComparison.ts"
import { type Side, someLiteral, type Tier } from "./Side.ts"
import type { RiskNumber } from "./dimensionNumbers.ts"

const highs = Array.from({ length: 101 }, (_, high) => high)
const inProduction = [false, true]

const gateFloors = (numbers: Numbers): ReadonlyArray<number> =>
  inProduction.flatMap((production) => highs.map((high) => gate(0, high, production, numbers)))

/** The least that a gate which lifts at all lifts to; above every score where none does. */
const leastGateFloor = (numbers: Numbers): number =>
  Math.min(Infinity, ...gateFloors(numbers).filter((lift) => lift > 0))

export const finalAdjustments = (numbers: Numbers): ReadonlyArray<RiskNumber> => [
  ...gateFloors(numbers).map((value) => ({ what: "gates", value })),
  { what: "incomplete_score_min", value: numbers.incompleteScoreMin },
  // Not the score but its word would be lower.
  ...levels.map((level) => ({ what: `levels.${level}`, value: -numbers.levels[level] }))
]

/**
 * Floors that only the last question of an opinion can raise, and what answers for them.
 * The first questions, those that make the score, leave this to the last one.
 */
export const beforeFinalMatch: Term = all(
  atMost("confidence_percent_missing", 0),
  is("gate_applied", false),
  is("assessment_degraded", false),
  is("policy_evaluation_incomplete", false),
  // This assessment is one of the last hour.
  atLeast("velocity_last_hour", 1)
)

/** They depend on the rulebook, so that they may differ between the two sides of a comparison. */
const opinionFacts = ["confidence_percent_missing", "gate_applied"]
const finalMatchFacts = [...opinionFacts, "assessment_degraded", "policy_evaluation_incomplete"]
const historyFacts = Object.keys(neutralBehaviorFacts)

const worstValue = (fact: FactName) => {
  const values = allValuesOf(fact)
  return "min" in values ? values.max : true
}

/** History that could not be read is silent in the last question, and at its worst in those before it. */
const countsBeforeFinalMatch = (rung: Tier): boolean =>
  !someLiteral(rung.term, ({ fact }) => finalMatchFacts.includes(fact)) &&
  !someLiteral(rung.term, ({ fact, yes }) => historyFacts.includes(fact) && !includes(yes, worstValue(fact)))

const usesOpinionFacts = ({ term }: Tier): boolean =>
  someLiteral(term, ({ fact }) => opinionFacts.includes(fact))

const coveringTerms = (rung: Tier, from: Side, to: Side): ReadonlyArray<Term> => [
  ...to.groups
    .flatMap((ladder) => tiersReaching(ladder, "floor", rung.floor))
    .filter((other) => !usesOpinionFacts(other))
    .map(({ term }) => term),
  // Where a gate lifts, it lifts under the second rulebook too, or the score is as high without.
  ...(rung.floor <= leastGateFloor(from.numbers) ? [is("gate_applied", true)] : []),
  ...(rung.floor <= to.numbers.incompleteScoreMin ? [is("assessment_degraded", true)] : [])
]

/** Names of rules whose floor in the last question nothing on the second side is certain to reach. */
export const uncoveredFinalFloors = (from: Side, to: Side): ReadonlyArray<string> =>
  from.groups
    .flatMap(({ rungs }) => rungs)
    .filter((rung) => rung.floor > 0 && !countsBeforeFinalMatch(rung))
    .filter((rung) => {
      const beyond = coveringTerms(rung, from, to).map(not)
      return findFacts(all(rung.term, ...beyond, possibleFacts(from.numbers))) !== "none"
    })
    .map(({ name }) => name)
