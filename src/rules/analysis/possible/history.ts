/** What history can say together; where it could not be read, everything at once, which no history could. */

import { actionClasses } from "../../../domain/ActionType.ts"
import type { FactName } from "../../../scoring/Facts.ts"
import type { Numbers } from "../../../scoring/Model.ts"
import { all, any, atLeast, atMost, follows, is, not, oneOf, type Term } from "../Term.ts"

const centsPerUsd = 100

/** Only of unread history both are said: an unfamiliar type takes a baseline that it is not in. */
export const unread = all(is("baseline_missing", true), is("action_type_unfamiliar", true))
const read = not(unread)

const destinationFacts = [
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike"
] as const

const destination = (numbers: Numbers): ReadonlyArray<Term> => {
  const egress = any(
    oneOf(
      "action_class",
      actionClasses.filter((name) => numbers.classes[name].egress)
    ),
    ...(numbers.alsoExportsLeave === true ? [is("also_exports", true)] : [])
  )
  const unstated = is("destination_missing", true)
  return [
    // Unread, the four say the same: the worst, unless there is no destination and need not be one.
    ...destinationFacts.flatMap((one) =>
      destinationFacts
        .filter((other) => other !== one)
        .map((other) => follows(all(unread, is(one, true)), is(other, true)))
    ),
    follows(all(unread, egress), is("destination_novel", true)),
    ...destinationFacts.map((fact) => follows(all(unstated, is(fact, true)), egress)),
    ...destinationFacts
      .filter((fact) => fact === "destination_unestablished" || fact === "destination_lookalike")
      .map((fact) => follows(all(read, unstated), is(fact, false))),
    follows(all(read, is("destination_novel", true)), is("destination_unestablished", false)),
    // Both at once is the open reading of a missing destination, which no one destination comes to.
    follows(all(is("destination_novel", true), is("destination_step_up", true), read), egress),
    follows(all(read, unstated, is("destination_step_up", true)), is("destination_novel", true))
  ]
}

/** Nothing is usual, or unusual, where there is no baseline. */
const baseline: ReadonlyArray<Term> = [
  follows(all(unread), is("agent_unfamiliar", true)),
  follows(
    all(read, is("baseline_missing", true)),
    all(
      is("agent_unfamiliar", false),
      is("destination_unestablished", false),
      any(is("destination_step_up", false), is("destination_novel", true)),
      atMost("entity_volume_multiplier_x100", 0),
      atMost("financial_value_multiplier_x100", 0)
    )
  ),
  follows(all(read, atLeast("entity_volume_multiplier_x100", 1)), atLeast("entities_affected", 1)),
  follows(all(read, atLeast("financial_value_multiplier_x100", 1)), atLeast("financial_value_usd_cents", 1))
]

/** A cumulative step is told where it is above the action's own. */
const cumulative = (
  step: FactName,
  figure: FactName,
  starts: ReadonlyArray<number>,
  unit: number
): ReadonlyArray<Term> => [
  atMost(step, starts.length),
  follows(unread, atLeast(step, starts.length)),
  follows(all(read, is("action_class", "read")), atMost(step, 0)),
  ...starts.map((start, i) =>
    follows(
      all(read, atLeast(step, i + 1), atMost(step, i + 1)),
      start === 0 ? any() : atMost(figure, start * unit - 1)
    )
  )
]

export const history = (numbers: Numbers): ReadonlyArray<Term> => [
  ...baseline,
  ...destination(numbers),
  ...cumulative("cumulative_entities_step", "entities_affected", numbers.cumulativeSteps.entities, 1),
  ...cumulative(
    "cumulative_value_step",
    "financial_value_usd_cents",
    numbers.cumulativeSteps.usd,
    centsPerUsd
  )
]
