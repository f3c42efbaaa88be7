/** What a missing field was taken for: at least its reference, at most its ceiling. */

import { dataClassifications, reversibilities } from "../../../domain/Action.ts"
import { actionClasses } from "../../../domain/ActionType.ts"
import type { FactName } from "../../../scoring/Facts.ts"
import type { Completion, Numbers } from "../../../scoring/Model.ts"
import { all, atLeast, atMost, follows, is, not, type Term } from "../Term.ts"

const centsPerUsd = 100

interface Missable {
  readonly missing: FactName
  readonly fact: FactName
  /** At the reference; a verb that touches one thing may have a lower one. */
  readonly least: (reference: Completion, numbers: Numbers) => number
  readonly most: (ceiling: Completion) => number
}

const missables: ReadonlyArray<Missable> = [
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

const taken = (numbers: Numbers, { fact, least, missing, most }: Missable): ReadonlyArray<Term> =>
  actionClasses.flatMap((name) => {
    const { ceilings, references, reversibilityFloor } = numbers.classes[name]
    const here = all(is(missing, true), is("action_class", name))
    const floor = fact === "reversibility_rank" ? reversibilities.indexOf(reversibilityFloor) : 0
    return [
      follows(here, atLeast(fact, least(references.other, numbers))),
      follows(
        all(here, is("environment", "production")),
        atLeast(fact, least(references.production, numbers))
      ),
      follows(here, atMost(fact, Math.max(floor, most(ceilings))))
    ]
  })

export const completion = (numbers: Numbers): ReadonlyArray<Term> => [
  ...missables.flatMap((missable) => taken(numbers, missable)),
  // No class but read has records without entities, and where both belong together none without the other.
  follows(
    all(not(is("action_class", "read")), atLeast("records_affected", 1)),
    atLeast("entities_affected", 1)
  ),
  ...actionClasses
    .filter((name) => numbers.classes[name].countsGoTogether)
    .map((name) =>
      follows(all(is("action_class", name), atLeast("entities_affected", 1)), atLeast("records_affected", 1))
    ),
  follows(is("currency_missing", true), is("financial_value_missing", false)),
  follows(is("currency_missing", true), atLeast("financial_value_usd_cents", 1))
]
