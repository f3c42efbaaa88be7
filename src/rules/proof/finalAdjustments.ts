/** The step after the evaluations: the final match of the rules, which alone knows the confidence and the faults of the opinion. */

import type { FactName } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import { neutralHistoryFacts } from "../../scoring/history.ts"
import { actionRiskLevelOf, surePercentAt } from "../../scoring/opinion.ts"
import { allValuesOf, includes } from "../analysis/Box.ts"
import { all, atLeast, atMost, is, not, type Term } from "../analysis/Term.ts"
import { possibleFacts } from "../analysis/possibleFacts.ts"
import { findFacts } from "../analysis/satisfiability.ts"
import { tiersReaching } from "./EvaluationComparison.ts"
import { confirmationRank } from "../ScoreAndControl.ts"
import { type Side, someLiteral, type Tier } from "./Side.ts"

/** True for the facts of every match except the final one, which alone knows these facts about the opinion. */
export const beforeFinalMatch: Term = all(
  atMost("confidence_percent_missing", 0),
  is("assessment_degraded", false),
  is("policy_evaluation_incomplete", false),
  // The assessment itself counts in the last hour.
  atLeast("velocity_last_hour", 1)
)

/** Confidence depends on the rulebook, so it can differ between the two sides. */
const opinionFact: FactName = "confidence_percent_missing"
const finalMatchFacts: ReadonlyArray<FactName> = [
  opinionFact,
  "assessment_degraded",
  "policy_evaluation_incomplete"
]
const historyFacts = Object.keys(neutralHistoryFacts)

const worstValue = (fact: FactName) => {
  const values = allValuesOf(fact)
  return "min" in values ? values.max : true
}

/**
 * Whether a tier that holds in the final match also held in the match before it. Facts of unread history have their worst values in earlier
 * matches and neutral values in the final one. So a tier that excludes a worst value may hold only in the final match.
 */
const countsBeforeFinalMatch = (tier: Tier): boolean =>
  !someLiteral(tier.term, ({ fact }) => finalMatchFacts.includes(fact)) &&
  !someLiteral(tier.term, ({ fact, yes }) => historyFacts.includes(fact) && !includes(yes, worstValue(fact)))

const usesConfidence = ({ term }: Tier): boolean => someLiteral(term, ({ fact }) => fact === opinionFact)

/** The facts for which the second side is certain to reach the floor of a tier of the first side. */
const coveringTerms = (tier: Tier, to: Side): ReadonlyArray<Term> => [
  ...to.groups
    .flatMap((group) => tiersReaching(group, "floor", tier.floor))
    .filter((other) => !usesConfidence(other))
    .map(({ term }) => term),
  ...(tier.floor <= to.numbers.incompleteScoreMin ? [is("assessment_degraded", true)] : [])
]

/** Names of rules whose floor only the final match can raise and that the second side is not certain to reach. */
export const uncoveredFinalFloors = (from: Side, to: Side): ReadonlyArray<string> =>
  from.groups
    .flatMap(({ tiers }) => tiers)
    .filter((tier) => tier.floor > 0 && !countsBeforeFinalMatch(tier))
    .filter((tier) => {
      const uncovered = coveringTerms(tier, to).map(not)
      return findFacts(all(tier.term, ...uncovered, possibleFacts(from.numbers))) !== "none"
    })
    .map(({ name }) => name)

/** Names of rules that depend on the confidence, which can differ between the two sides, and can decide a control by it. */
export const controlsByConfidence = (from: Side, to: Side): ReadonlyArray<string> => [
  ...from.groups
    .flatMap(({ tiers }) => tiers)
    .filter((tier) => usesConfidence(tier) && (tier.floor > 0 || tier.control >= confirmationRank))
    .map(({ name }) => name),
  ...to.groups
    .filter(({ staged }) => staged)
    .flatMap(({ tiers }) => tiers)
    .filter(usesConfidence)
    .map(({ name }) => name)
]

/**
 * Whether only the range, contradictions and unread words can make a low level too uncertain. As scores and facts rise, these never make it
 * more certain; a limit by score could.
 */
export const hasSureLowLevel = (numbers: Numbers): boolean => {
  const scores = Array.from({ length: numbers.levels.critical }, (_, score) => score)
  return scores
    .filter((score) => actionRiskLevelOf(score, numbers) === "low")
    .every((score) => surePercentAt(score, numbers) >= numbers.confidence.sufficientPercent)
}
