/** Floors that only the last question of an opinion can raise, and what answers for them. */

import type { FactName } from "../../scoring/Facts.ts"
import { silentHistory } from "../../scoring/readBehavior.ts"
import { findFacts } from "../analysis/findFacts.ts"
import { possible } from "../analysis/possible.ts"
import { all, atLeast, atMost, is, not, type Term } from "../analysis/Term.ts"
import { everyValue, includes } from "../analysis/Values.ts"
import type { Side } from "./Side.ts"
import { leastLift } from "./figures/endings.ts"
import { type Rung, someAsk } from "./Ladder.ts"
import { reaching } from "./pair.ts"

/** The first questions, those that make the score, leave this to the last one. */
export const firstQuestions: Term = all(
  atMost("confidence_percent_missing", 0),
  is("gate_applied", false),
  is("assessment_degraded", false),
  is("policy_evaluation_incomplete", false),
  // This assessment is one of the last hour.
  atLeast("velocity_last_hour", 1)
)

/** They depend on the rulebook, so that they may differ between the two sides of a comparison. */
const ownFacts = ["confidence_percent_missing", "gate_applied"]
const lastFacts = [...ownFacts, "assessment_degraded", "policy_evaluation_incomplete"]
const historyFacts = Object.keys(silentHistory)

const worst = (fact: FactName) => {
  const values = everyValue(fact)
  return "min" in values ? values.max : true
}

/** History that could not be read is silent in the last question, and at its worst in those before it. */
const isToldBefore = (rung: Rung): boolean =>
  !someAsk(rung.term, ({ fact }) => lastFacts.includes(fact)) &&
  !someAsk(rung.term, ({ fact, yes }) => historyFacts.includes(fact) && !includes(yes, worst(fact)))

const isOwn = ({ term }: Rung): boolean => someAsk(term, ({ fact }) => ownFacts.includes(fact))

const answers = (rung: Rung, from: Side, to: Side): ReadonlyArray<Term> => [
  ...to.ladders
    .flatMap((ladder) => reaching(ladder, "floor", rung.floor))
    .filter((other) => !isOwn(other))
    .map(({ term }) => term),
  // Where a gate lifts, it lifts under the second rulebook too, or the score is as high without.
  ...(rung.floor <= leastLift(from.numbers) ? [is("gate_applied", true)] : []),
  ...(rung.floor <= to.numbers.incompleteScoreMin ? [is("assessment_degraded", true)] : [])
]

/** Names of rules whose floor in the last question nothing on the second side is certain to reach. */
export const unansweredAtLast = (from: Side, to: Side): ReadonlyArray<string> =>
  from.ladders
    .flatMap(({ rungs }) => rungs)
    .filter((rung) => rung.floor > 0 && !isToldBefore(rung))
    .filter((rung) => {
      const beyond = answers(rung, from, to).map(not)
      return findFacts(all(rung.term, ...beyond, possible(from.numbers))) !== "none"
    })
    .map(({ name }) => name)
