/** Which facts can occur together when the score matches its rules; some of it depends on the numbers of the release. */

import { actionCategories, dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import type { FactName, Facts } from "../../scoring/Facts.ts"
import type { Completion, Numbers } from "../../scoring/edition1/Model.ts"
import { edition1Classes } from "../../scoring/edition1/NormalizedAction.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import {
  all,
  any,
  atLeast,
  atMost,
  implication,
  is,
  isOneOf,
  matchesFacts,
  not,
  type Term
} from "../analysis/Term.ts"
import { historyUnread } from "../analysis/possibleFacts.ts"

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
 * Invariant: holds for every record of facts that a score matches: with history or without, with missing fields at any bound, and
 * in the last match too. A statement that is missing here only costs precision. A statement that is wrong makes a proof wrong.
 */
export const firstPossibleFacts = (numbers: Numbers): Term => {
  const known = possibleByNumbers.get(numbers)
  if (known !== undefined) return known
  const term = buildPossibleFacts(numbers)
  possibleByNumbers.set(numbers, term)
  return term
}

/** The environment and its rank follow from each other. */
const rankOfEnvironment = environments.flatMap((name, rank) => {
  const ranked = all(atLeast("environment_rank", rank), atMost("environment_rank", rank))
  return [implication(is("environment", name), ranked), implication(ranked, is("environment", name))]
})

const classesWhere = (numbers: Numbers, holds: (model: Numbers["classes"]["read"]) => boolean) =>
  edition1Classes.filter((name) => holds(numbers.classes[name]))

/** What the first edition says of every action, because it does not read these facts. */
const unreadFacts = {
  object_kind: "nothing",
  impact_rank: 0,
  extent_rank: 0,
  acts_anywhere: false,
  name_unknown: false,
  name_hinted: false,
  command_unread: false,
  command_contradicts: false,
  catalogue_entry_expired: false
} as const satisfies Partial<Facts>

/** Classes of actions that can also export by a second verb. */
const canAlsoExport = ["destroy", "delete", "execute", "access", "transact"]

const actionTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  isOneOf("action_class", edition1Classes),
  matchesFacts(unreadFacts),
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
  ...edition1Classes.map((name) =>
    implication(is("action_class", name), is("action_category", numbers.classes[name].category))
  ),
  implication(
    isOneOf(
      "action_class",
      classesWhere(numbers, (model) => model.alwaysChangesPrivilege)
    ),
    is("privilege_change", true)
  ),
  ...edition1Classes.map((name) =>
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
  /** The least value: the reference of the class, or the lower reference of a verb that touches one thing. */
  readonly least: (reference: Completion, numbers: Numbers) => number
  /** The greatest value: the ceiling of the class. */
  readonly most: (ceiling: Completion) => number
}

const missableFacts: ReadonlyArray<MissableFact> = [
  {
    missing: "entities_missing",
    fact: "entities_affected",
    least: ({ entities }, { single }) => Math.min(entities, single.references.entities),
    // A zero becomes one if the other count is positive.
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
    // An amount above zero is rounded up in its currency. How far depends on the rate.
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
  edition1Classes.flatMap((name) => {
    const { ceilings, references, reversibilityFloor } = numbers.classes[name]
    const missingInClass = all(is(missing, true), is("action_class", name))
    const floor = fact === "reversibility_rank" ? reversibilities.indexOf(reversibilityFloor) : 0
    return [
      implication(missingInClass, atLeast(fact, least(references.other, numbers))),
      implication(
        all(missingInClass, is("environment", "production")),
        atLeast(fact, least(references.production, numbers))
      ),
      implication(missingInClass, atMost(fact, Math.max(floor, most(ceilings))))
    ]
  })

const completionTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...missableFacts.flatMap((missable) => missingFieldTerms(numbers, missable)),
  // Only a read has records without entities. In classes whose counts go together there is neither without the other.
  implication(
    all(not(is("action_class", "read")), atLeast("records_affected", 1)),
    atLeast("entities_affected", 1)
  ),
  ...edition1Classes
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

const privilegeChangingClasses = (numbers: Numbers) =>
  edition1Classes.filter((name) => numbers.classes[name].alwaysChangesPrivilege)

/** A reversibility that is stated below the floor of the class is raised to the floor. */
const easierThanFloor = (numbers: Numbers): ReadonlyArray<Term> =>
  edition1Classes.map((name) => {
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
      // One count was stated as zero. It is taken to be the other count.
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
      edition1Classes.filter((name) => numbers.classes[name].egress)
    ),
    ...(numbers.alsoExportsLeave === true ? [is("also_exports", true)] : [])
  )
  const unstated = is("destination_missing", true)
  return [
    // If history could not be read, all four facts are true. All are false if no destination is stated and the class needs none.
    ...destinationFacts.flatMap((fact) =>
      destinationFacts
        .filter((other) => other !== fact)
        .map((other) => implication(all(historyUnread, is(fact, true)), is(other, true)))
    ),
    implication(all(historyUnread, egress), is("destination_novel", true)),
    ...destinationFacts.map((fact) => implication(all(unstated, is(fact, true)), egress)),
    ...destinationFacts
      .filter((fact) => fact === "destination_unestablished" || fact === "destination_lookalike")
      .map((fact) => implication(all(historyRead, unstated), is(fact, false))),
    implication(all(historyRead, is("destination_novel", true)), is("destination_unestablished", false)),
    // Both at once only come from a missing destination at its ceiling: no single destination is novel and a step-up.
    implication(all(is("destination_novel", true), is("destination_step_up", true), historyRead), egress),
    implication(all(historyRead, unstated, is("destination_step_up", true)), is("destination_novel", true))
  ]
}

/** Without a baseline nothing is usual or unusual. */
const baselineTerms: ReadonlyArray<Term> = [
  implication(historyUnread, is("agent_unfamiliar", true)),
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

/** A cumulative step is above zero only if it is above the step that the action reaches by itself. */
const cumulativeTerms = (
  step: FactName,
  amount: FactName,
  starts: ReadonlyArray<number>,
  unit: number
): ReadonlyArray<Term> => [
  atMost(step, starts.length),
  implication(historyUnread, atLeast(step, starts.length)),
  implication(all(historyRead, is("action_class", "read")), atMost(step, 0)),
  ...starts.map((start, i) =>
    implication(
      all(historyRead, atLeast(step, i + 1), atMost(step, i + 1)),
      start === 0 ? any() : atMost(amount, start * unit - 1)
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

const wholePercent = 100

/** Facts of the opinion itself. Only the last match knows them; before it they are zero or false. */
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
