/** What follows where missing or contradicted fields are taken for more than before: facts rise, and a score must not fall. */

import type { FactName } from "../../scoring/Facts.ts"
import { possible } from "../analysis/possible.ts"
import { unread } from "../analysis/possible/history.ts"
import { all, atMost, exactly, not } from "../analysis/Term.ts"
import { everyValue, isNone, meet, type Values } from "../analysis/Values.ts"
import type { Comparison } from "./Comparison.ts"
import type { Side } from "./Side.ts"
import { firstQuestions } from "./lastQuestion.ts"
import { someAsk } from "./Ladder.ts"

/** Facts that rise, or stay, when a figure that completes claims or watches history becomes riskier. */
const risingFacts: ReadonlySet<FactName> = new Set<FactName>([
  "entities_affected",
  "records_affected",
  "financial_value_usd_cents",
  "data_classification_rank",
  "reversibility_rank",
  "privilege_change",
  "production_impact",
  "currency_missing",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent",
  "counts_inconsistent",
  "production_impact_inconsistent",
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike",
  "entity_volume_multiplier_x100",
  "financial_value_multiplier_x100",
  "velocity_multiplier_x100"
])

/** Whatever holds for a value holds for all above it. */
const looksUp = (fact: FactName, yes: Values): boolean => {
  if (isNone(yes)) return true
  const every = everyValue(fact)
  return "min" in yes ? "min" in every && yes.max === every.max : !isNone(meet(yes, { of: [true] }))
}

/** Rules that a rising fact could silence. */
export const silenced = ({ ladders }: Side): ReadonlyArray<string> =>
  ladders
    .flatMap(({ rungs }) => rungs)
    .filter(({ term }) => someAsk(term, ({ fact, yes }) => risingFacts.has(fact) && !looksUp(fact, yes)))
    .map(({ name }) => name)

const centsPerUsd = 100

/**
 * One fact falls while figures rise: a sum of small actions is told only above the action's own step. So the action that has
 * reached the step itself must score no less than the one whose sum has.
 */
export const cumulativeComparisons = (side: Side): ReadonlyArray<Comparison> => {
  const { entities, usd } = side.numbers.cumulativeSteps
  const at = (step: FactName, figure: FactName, rank: number, start: number): Comparison => ({
    from: side,
    to: side,
    moved: { [step]: 0, [figure]: start },
    where: all(
      exactly(step, rank),
      ...(start === 0 ? [] : [atMost(figure, start - 1)]),
      not(unread),
      firstQuestions,
      possible(side.numbers)
    ),
    lowered: []
  })
  return [
    ...entities.map((start, i) => at("cumulative_entities_step", "entities_affected", i + 1, start)),
    ...usd.map((start, i) =>
      at("cumulative_value_step", "financial_value_usd_cents", i + 1, start * centsPerUsd)
    )
  ]
}
