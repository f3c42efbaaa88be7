/** Which facts can occur together when the score matches its rules; some of it depends on the numbers of the release. */

import {
  actionCategories,
  actionClasses,
  dataClassifications,
  environments,
  reversibilities
} from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Completion, Numbers } from "../../scoring/Model.ts"
import { all, any, atLeast, atMost, implication, is, isOneOf, not, type Term } from "./Term.ts"
import { centsPerUsd } from "../../scoring/money.ts"

const buildPossibleFacts = (numbers: Numbers): Term =>
  all(
    ...actionTerms(numbers),
    ...completionTerms(numbers),
    ...contradictionTerms(numbers),
    ...historyTerms(numbers),
    ...finalMatchTerms(numbers)
  )

const possibleByNumbers = new WeakMap<Numbers, Term>()

/**
 * Invariant: holds for every record of facts that a score yields, with history read or not, missing fields read any way, in
 * the last question too. What it leaves out only costs precision; what it states too much would make a proof wrong.
 */
export const possibleFacts = (numbers: Numbers): Term => {
  const known = possibleByNumbers.get(numbers)
  if (known !== undefined) return known
  const term = buildPossibleFacts(numbers)
  possibleByNumbers.set(numbers, term)
  return term
}

/** What the class and the environment settle. */
const rankOfEnvironment = environments.flatMap((name, rank) => {
  const ranked = all(atLeast("environment_rank", rank), atMost("environment_rank", rank))
  return [implication(is("environment", name), ranked), implication(ranked, is("environment", name))]
})

const classesWhere = (numbers: Numbers, holds: (model: Numbers["classes"]["read"]) => boolean) =>
  actionClasses.filter((name) => holds(numbers.classes[name]))

/** Classes whose verbs may carry a second, exporting one. */
const canAlsoExport = ["destroy", "delete", "execute", "access", "transact"]

const actionTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...rankOfEnvironment,
  ...actionCategories.map((category) =>
    implication(
      is("action_category", category),
      isOneOf(
        "action_class",
        classesWhere(numbers, (model) => model.category === category)
      )
    )
  ),
  ...actionClasses.map((name) =>
    implication(is("action_class", name), is("action_category", numbers.classes[name].category))
  ),
  implication(
    isOneOf(
      "action_class",
      classesWhere(numbers, (model) => model.alwaysChangesPrivilege)
    ),
    is("privilege_change", true)
  ),
  ...actionClasses.map((name) =>
    implication(
      is("action_class", name),
      atLeast("reversibility_rank", reversibilities.indexOf(numbers.classes[name].reversibilityFloor))
    )
  ),
  implication(is("also_exports", true), isOneOf("action_class", canAlsoExport))
]

interface MissableFact {
  readonly missing: FactName
  readonly fact: FactName
  /** At the reference; a verb that touches one thing may have a lower one. */
  readonly least: (reference: Completion, numbers: Numbers) => number
  readonly most: (ceiling: Completion) => number
}

const missableFacts: ReadonlyArray<MissableFact> = [
  {
    missing: "entities_missing",
    fact: "entities_affected",
    least: ({ entities }, { single }) => Math.min(entities, single.references.entities),
    // A positive count beside it makes a zero a one.
    most: ({ entities }) => Math.max(1, entities)
  },
  {
    missing: "records_missing",
    fact: "records_affected",
    least: ({ records }, { single }) => Math.min(records, single.references.records),
    most: ({ records }) => Math.max(1, records)
  },
  {
    missing: "financial_value_missing",
    fact: "financial_value_usd_cents",
    least: ({ usd }) => usd * centsPerUsd,
    // Above zero the amount in its own currency rounds up, how far depends on the rate.
    most: ({ usd }) => (usd === 0 ? 0 : Number.MAX_SAFE_INTEGER)
  },
  {
    missing: "data_classification_missing",
    fact: "data_classification_rank",
    least: ({ dataClassification }) => dataClassifications.indexOf(dataClassification),
    most: ({ dataClassification }) => dataClassifications.indexOf(dataClassification)
  },
  {
    missing: "reversibility_missing",
    fact: "reversibility_rank",
    least: ({ reversibility }) => reversibilities.indexOf(reversibility),
    most: ({ reversibility }) => reversibilities.indexOf(reversibility)
  }
]

const missingFieldTerms = (
  numbers: Numbers,
  { fact, least, missing, most }: MissableFact
): ReadonlyArray<Term> =>
  actionClasses.flatMap((name) => {
    const { ceilings, references, reversibilityFloor } = numbers.classes[name]
    const here = all(is(missing, true), is("action_class", name))
    const floor = fact === "reversibility_rank" ? reversibilities.indexOf(reversibilityFloor) : 0
    return [
      implication(here, atLeast(fact, least(references.other, numbers))),
      implication(
        all(here, is("environment", "production")),
        atLeast(fact, least(references.production, numbers))
      ),
      implication(here, atMost(fact, Math.max(floor, most(ceilings))))
    ]
  })

const completionTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...missableFacts.flatMap((missable) => missingFieldTerms(numbers, missable)),
  // No class but read has records without entities, and where both belong together none without the other.
  implication(
    all(not(is("action_class", "read")), atLeast("records_affected", 1)),
    atLeast("entities_affected", 1)
  ),
  ...actionClasses
    .filter((name) => numbers.classes[name].countsGoTogether)
    .map((name) =>
      implication(
        all(is("action_class", name), atLeast("entities_affected", 1)),
        atLeast("records_affected", 1)
      )
    ),
  implication(is("currency_missing", true), is("financial_value_missing", false)),
  implication(is("currency_missing", true), atLeast("financial_value_usd_cents", 1))
]

/** What it takes for two claims to contradict each other, and what they are then read as. */
const privilegeChangingClasses = (numbers: Numbers) =>
  actionClasses.filter((name) => numbers.classes[name].alwaysChangesPrivilege)

/** An easier claim is taken for the floor of the class: then the rank is exactly that. */
const easierThanFloor = (numbers: Numbers): ReadonlyArray<Term> =>
  actionClasses.map((name) => {
    const floor = reversibilities.indexOf(numbers.classes[name].reversibilityFloor)
    return implication(
      all(is("reversibility_claim_inconsistent", true), is("action_class", name)),
      floor === 0 ? any() : atMost("reversibility_rank", floor)
    )
  })

const contradictionTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  implication(is("environment_claim_inconsistent", true), is("environment", "production")),
  implication(
    is("privilege_claim_inconsistent", true),
    isOneOf("action_class", privilegeChangingClasses(numbers))
  ),
  implication(is("reversibility_claim_inconsistent", true), is("reversibility_missing", false)),
  ...easierThanFloor(numbers),
  implication(
    is("counts_inconsistent", true),
    all(
      not(is("action_class", "read")),
      // The zero was stated, and is read as the other count.
      atLeast("entities_affected", 1),
      atLeast("records_affected", 1),
      any(is("entities_missing", false), is("records_missing", false))
    )
  ),
  implication(
    is("production_impact_inconsistent", true),
    all(is("production_impact", true), isOneOf("environment", ["development", "sandbox"]))
  ),
  implication(
    all(is("production_impact", true), isOneOf("environment", ["development", "sandbox"])),
    is("production_impact_inconsistent", true)
  )
]

/**
 * What history can say together; where it could not be read, everything at once, which no history could.
 * Only of unread history both are said: an unfamiliar type takes a baseline that it is not in.
 */
export const historyUnread = all(is("baseline_missing", true), is("action_type_unfamiliar", true))
const historyRead = not(historyUnread)

const destinationFacts = [
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike"
] as const

const destinationTerms = (numbers: Numbers): ReadonlyArray<Term> => {
  const egress = any(
    isOneOf(
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
        .map((other) => implication(all(historyUnread, is(one, true)), is(other, true)))
    ),
    implication(all(historyUnread, egress), is("destination_novel", true)),
    ...destinationFacts.map((fact) => implication(all(unstated, is(fact, true)), egress)),
    ...destinationFacts
      .filter((fact) => fact === "destination_unestablished" || fact === "destination_lookalike")
      .map((fact) => implication(all(historyRead, unstated), is(fact, false))),
    implication(all(historyRead, is("destination_novel", true)), is("destination_unestablished", false)),
    // Both at once is the open reading of a missing destination, which no one destination comes to.
    implication(all(is("destination_novel", true), is("destination_step_up", true), historyRead), egress),
    implication(all(historyRead, unstated, is("destination_step_up", true)), is("destination_novel", true))
  ]
}

/** Nothing is usual, or unusual, where there is no baseline. */
const baselineTerms: ReadonlyArray<Term> = [
  implication(all(historyUnread), is("agent_unfamiliar", true)),
  implication(
    all(historyRead, is("baseline_missing", true)),
    all(
      is("agent_unfamiliar", false),
      is("destination_unestablished", false),
      any(is("destination_step_up", false), is("destination_novel", true)),
      atMost("entity_volume_multiplier_x100", 0),
      atMost("financial_value_multiplier_x100", 0)
    )
  ),
  implication(all(historyRead, atLeast("entity_volume_multiplier_x100", 1)), atLeast("entities_affected", 1)),
  implication(
    all(historyRead, atLeast("financial_value_multiplier_x100", 1)),
    atLeast("financial_value_usd_cents", 1)
  )
]

/** A cumulative step is told where it is above the action's own. */
const cumulativeTerms = (
  step: FactName,
  figure: FactName,
  starts: ReadonlyArray<number>,
  unit: number
): ReadonlyArray<Term> => [
  atMost(step, starts.length),
  implication(historyUnread, atLeast(step, starts.length)),
  implication(all(historyRead, is("action_class", "read")), atMost(step, 0)),
  ...starts.map((start, i) =>
    implication(
      all(historyRead, atLeast(step, i + 1), atMost(step, i + 1)),
      start === 0 ? any() : atMost(figure, start * unit - 1)
    )
  )
]

const historyTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...baselineTerms,
  ...destinationTerms(numbers),
  ...cumulativeTerms("cumulative_entities_step", "entities_affected", numbers.cumulativeSteps.entities, 1),
  ...cumulativeTerms(
    "cumulative_value_step",
    "financial_value_usd_cents",
    numbers.cumulativeSteps.usd,
    centsPerUsd
  )
]

/** What is known of the opinion itself when the last question is asked, and is silent before. */
const wholePercent = 100

const finalMatchTerms = ({ confidence }: Numbers): ReadonlyArray<Term> => [
  atMost("confidence_percent_missing", wholePercent - 1),
  implication(is("policy_evaluation_incomplete", true), is("assessment_degraded", true)),
  implication(
    is("gate_applied", true),
    atLeast("confidence_percent_missing", wholePercent - Math.max(1, confidence.percentMax))
  ),
  implication(
    is("assessment_degraded", true),
    atLeast("confidence_percent_missing", wholePercent - Math.max(1, confidence.incompletePercentMax))
  )
]
