/** Which facts can occur together when a score matches its rules. Some of this depends on the numbers of the release. */

import {
  actionCategories,
  type ActionClass,
  actionClasses,
  environments,
  reversibilities
} from "../../domain/Action.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { ClassNumbers, Numbers } from "../../scoring/Numbers.ts"
import { centsPerUsd } from "../../scoring/money.ts"
import { extents, impacts } from "../../scoring/reading/Act.ts"
import { all, any, atLeast, atMost, exactly, implication, is, isOneOf, not, type Term } from "./Term.ts"

const buildPossibleFacts = (numbers: Numbers): Term =>
  all(
    ...readingTerms(numbers),
    ...countTerms(numbers),
    ...moneyTerms,
    ...claimTerms(numbers),
    ...historyTerms(numbers),
    ...finalMatchTerms
  )

const possibleByNumbers = new WeakMap<Numbers, Term>()

/**
 * Invariant: true for every facts record that a score matches: with or without history, with missing fields at their reference, at a
 * plausible bound or at a trial value, and in the final match too. A statement that is missing here only costs precision. A wrong statement
 * makes a proof wrong.
 */
export const possibleFacts = (numbers: Numbers): Term => {
  const known = possibleByNumbers.get(numbers)
  if (known !== undefined) return known
  const term = buildPossibleFacts(numbers)
  possibleByNumbers.set(numbers, term)
  return term
}

const classesWhere = (
  { classes }: Numbers,
  holds: (own: ClassNumbers) => boolean
): ReadonlyArray<ActionClass> => actionClasses.filter((name) => holds(classes[name]))

const ofClassWhere = (numbers: Numbers, holds: (own: ClassNumbers) => boolean): Term =>
  isOneOf("action_class", classesWhere(numbers, holds))

/** The acts whose class is harmless by nature. */
export const harmlessActs = (numbers: Numbers): Term => ofClassWhere(numbers, ({ harmless }) => harmless)

const equivalent = (a: Term, b: Term): Term => all(implication(a, b), implication(b, a))

/** The environment determines its rank, and the rank the environment. */
const rankOfEnvironment = environments.map((name, rank) =>
  equivalent(is("environment", name), exactly("environment_rank", rank))
)

const runsNothingLive = isOneOf("environment", ["development", "sandbox"])

const bulkRank = extents.indexOf("bulk")

/** Facts decided by the words of a call. Some provider's entry allows nearly every combination, so few are excluded. */
const readingTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...rankOfEnvironment,
  ...actionCategories.map((category) =>
    equivalent(
      is("action_category", category),
      ofClassWhere(numbers, (own) => own.category === category)
    )
  ),
  equivalent(is("name_unknown", true), is("action_class", "unknown")),
  equivalent(is("data_store", true), is("object_kind", "container")),
  implication(
    all(atLeast("extent_rank", bulkRank), is("entities_missing", true), is("records_missing", true)),
    is("extent_unbounded", true)
  )
]

const span = (...values: ReadonlyArray<number>): readonly [number, number] => [
  Math.min(...values),
  Math.max(...values)
]

/** The values that both counts have if neither is stated: at the reference and at both plausible bounds. */
const missingCounts = (
  { countsGoTogether, harmless, references }: ClassNumbers,
  extent: (typeof extents)[number],
  { extents: byExtent, plausible }: Numbers
) => {
  const { times } = harmless ? plausible.harmless : plausible.cautious
  const at = byExtent[extent]
  const [entities, records] = [at.entities, Math.max(at.records, references.recordsMin)]
  const pairs = [
    [Math.floor(entities / times), Math.floor(records / times)],
    [entities, records],
    [entities * times, records * times]
  ] as const
  // If one count is zero and the other positive, the zero counts as at least one and at most the other count.
  const counted = (own: number, other: number): ReadonlyArray<number> =>
    own === 0 && other > 0 && !harmless ? [1, other] : [own]
  return {
    entities: span(...pairs.flatMap(([e, r]) => counted(e, r))),
    records: span(...pairs.flatMap(([e, r]) => (countsGoTogether ? counted(r, e) : [r])))
  }
}

const within = (fact: FactName, [least, most]: readonly [number, number]): ReadonlyArray<Term> => [
  ...(least === 0 ? [] : [atLeast(fact, least)]),
  ...(most >= Number.MAX_SAFE_INTEGER ? [] : [atMost(fact, most)])
]

/** The counts of an extent if neither is stated, for the acts in `acts`. */
const uncounted = (
  rank: number,
  acts: ReadonlyArray<Term>,
  { entities, records }: ReturnType<typeof missingCounts>
): Term =>
  implication(
    all(...acts, exactly("extent_rank", rank), is("entities_missing", true), is("records_missing", true)),
    all(...within("entities_affected", entities), ...within("records_affected", records))
  )

/** If a call does several things, its counts are those of any of them, so each count lies within the span of all classes. */
const missingCountTerms = (numbers: Numbers): ReadonlyArray<Term> =>
  extents.map((extent, rank) => {
    const ranges = actionClasses.map((name) => missingCounts(numbers.classes[name], extent, numbers))
    return uncounted(rank, [], {
      entities: span(...ranges.flatMap(({ entities }) => entities)),
      records: span(...ranges.flatMap(({ records }) => records))
    })
  })

const countTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...missingCountTerms(numbers),
  // Only harmless acts have records without entities. In classes whose counts go together, neither occurs without the other.
  implication(
    all(
      ofClassWhere(numbers, ({ harmless }) => !harmless),
      atLeast("records_affected", 1)
    ),
    atLeast("entities_affected", 1)
  ),
  implication(
    all(
      ofClassWhere(numbers, ({ countsGoTogether, harmless }) => countsGoTogether && !harmless),
      atLeast("entities_affected", 1)
    ),
    atLeast("records_affected", 1)
  ),
  implication(
    is("counts_inconsistent", true),
    all(
      // One count was stated as zero, so it counts as the other one.
      atLeast("entities_affected", 1),
      atLeast("records_affected", 1),
      any(is("entities_missing", false), is("records_missing", false))
    )
  )
]

const moneyTerms: ReadonlyArray<Term> = [
  implication(
    is("currency_missing", true),
    all(is("financial_value_missing", false), atLeast("financial_value_usd_cents", 1))
  )
]

/** Classes that complete their counts alike share a term, which keeps the number of terms small. */
const countsByClass = (numbers: Numbers): ReadonlyArray<Term> =>
  extents.flatMap((extent, rank) => {
    const countsOf = (name: ActionClass) => missingCounts(numbers.classes[name], extent, numbers)
    const groups = Map.groupBy(actionClasses, (name) => JSON.stringify(countsOf(name)))
    return [...groups.values()].flatMap((alike) =>
      alike.slice(0, 1).map((first) => uncounted(rank, [isOneOf("action_class", alike)], countsOf(first)))
    )
  })

/**
 * If a call does only one thing, its class decides the fields that are not stated, and a contradiction of the class contradicts the call.
 */
const oneDeedTerms = (numbers: Numbers): ReadonlyArray<Term> => [
  ...countsByClass(numbers),
  ...impacts.map((impact, rank) =>
    implication(
      all(
        is("financial_value_missing", true),
        exactly("impact_rank", rank),
        ofClassWhere(numbers, ({ references }) => references.usd[impact] === 0)
      ),
      atMost("financial_value_usd_cents", 0)
    )
  ),
  // A description contradicts a call only through a command of higher impact, which then counts.
  implication(is("command_contradicts", true), atLeast("impact_rank", impacts.indexOf("moderate"))),
  implication(
    is("counts_inconsistent", true),
    all(
      ofClassWhere(numbers, ({ harmless }) => !harmless),
      any(
        is("entities_missing", false),
        ofClassWhere(numbers, ({ countsGoTogether }) => countsGoTogether)
      )
    )
  ),
  implication(
    is("privilege_claim_inconsistent", true),
    ofClassWhere(numbers, (own) => own.alwaysChangesPrivilege)
  ),
  ...reversibilities.map((floor, rank) =>
    implication(
      all(
        ofClassWhere(numbers, (own) => own.reversibilityFloor === floor),
        is("reversibility_claim_inconsistent", true)
      ),
      rank === 0 ? any() : atMost("reversibility_rank", rank)
    )
  )
]

/** Which facts can occur together in a call that does only one thing. */
export const possibleFactsOfOneDeed = (numbers: Numbers): Term =>
  all(possibleFacts(numbers), ...oneDeedTerms(numbers))

/** A stated reversibility below the floor of a deed is raised to the floor. */
const reversibilityTerms = ({ classes }: Numbers): ReadonlyArray<Term> => {
  const floorOf = (name: ActionClass) => reversibilities.indexOf(classes[name].reversibilityFloor)
  const highest = Math.max(...actionClasses.map(floorOf))
  return [
    ...reversibilities.flatMap((_, rank) =>
      rank === 0
        ? []
        : [
            implication(
              isOneOf(
                "action_class",
                actionClasses.filter((name) => floorOf(name) === rank)
              ),
              atLeast("reversibility_rank", rank)
            )
          ]
    ),
    implication(
      is("reversibility_claim_inconsistent", true),
      highest === 0 ? any() : atMost("reversibility_rank", highest)
    )
  ]
}

const claimTerms = (numbers: Numbers): ReadonlyArray<Term> => {
  const changesPrivilege = ofClassWhere(numbers, (own) => own.alwaysChangesPrivilege)
  return [
    implication(changesPrivilege, is("privilege_change", true)),
    implication(is("privilege_claim_inconsistent", true), is("privilege_change", true)),
    implication(is("environment_claim_inconsistent", true), is("environment", "production")),
    implication(is("remote_target_unconfirmed", true), isOneOf("environment", ["development", "staging"])),
    implication(
      all(is("remote_target_unconfirmed", true), is("environment", "development")),
      is("acts_anywhere", true)
    ),
    ...reversibilityTerms(numbers),
    implication(is("reversibility_claim_inconsistent", true), is("reversibility_missing", false)),
    equivalent(
      is("production_impact_inconsistent", true),
      all(is("production_impact", true), runsNothingLive)
    )
  ]
}

/**
 * True if the history could not be read. All its facts are then at their worst, which is impossible for a readable history: an unfamiliar
 * action type requires a baseline that does not contain it.
 */
export const historyUnread = all(is("baseline_missing", true), is("action_type_unfamiliar", true))
const historyRead = not(historyUnread)

const destinationFacts = [
  "destination_novel",
  "destination_unestablished",
  "destination_step_up",
  "destination_lookalike"
] as const

/**
 * A destination is as recorded in history, or never seen if it is missing in an egress class. The bounds of a missing destination also try
 * one that is worse than any real destination: never seen, not trusted, and similar to a trusted one.
 */
const destinationTerms = (numbers: Numbers): ReadonlyArray<Term> => {
  const egress = any(
    ofClassWhere(numbers, (own) => own.egress),
    is("also_exports", true)
  )
  const unstated = is("destination_missing", true)
  const { stepUpEntitiesMin, stepUpUsdMin } = numbers.behavior
  return [
    ...destinationFacts.map((fact) =>
      implication(historyUnread, equivalent(is(fact, true), any(not(unstated), egress)))
    ),
    implication(all(unstated, is("destination_novel", true)), egress),
    ...destinationFacts
      .filter((fact) => fact !== "destination_novel")
      .map((fact) => implication(all(historyRead, unstated), is(fact, false))),
    implication(
      all(historyRead, is("destination_novel", true), is("destination_unestablished", true)),
      all(egress, is("destination_lookalike", true))
    ),
    implication(
      all(historyRead, is("destination_novel", true), is("destination_step_up", true)),
      is("destination_unestablished", true)
    ),
    implication(
      all(historyRead, is("destination_step_up", true)),
      any(
        atLeast("entities_affected", stepUpEntitiesMin),
        atLeast("financial_value_usd_cents", stepUpUsdMin * centsPerUsd)
      )
    )
  ]
}

/** Without a baseline, nothing counts as usual or unusual. */
const baselineTerms: ReadonlyArray<Term> = [
  implication(historyUnread, is("agent_unfamiliar", true)),
  implication(all(historyRead, is("agent_missing", true)), is("agent_unfamiliar", false)),
  implication(
    all(historyRead, is("baseline_missing", true)),
    all(
      is("agent_unfamiliar", false),
      any(is("destination_unestablished", false), is("destination_novel", true)),
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

/** A cumulative step is above zero only if it is above the step that the action reaches on its own. */
const cumulativeTerms = (
  step: FactName,
  amount: FactName,
  starts: ReadonlyArray<number>,
  unit: number,
  harmless: Term
): ReadonlyArray<Term> => [
  atMost(step, starts.length),
  implication(historyUnread, atLeast(step, starts.length)),
  implication(all(historyRead, harmless), atMost(step, 0)),
  ...starts.map((start, i) =>
    implication(
      all(historyRead, exactly(step, i + 1)),
      start === 0 ? any() : atMost(amount, start * unit - 1)
    )
  )
]

const historyTerms = (numbers: Numbers): ReadonlyArray<Term> => {
  const { entities, usd } = numbers.cumulativeSteps
  const harmless = harmlessActs(numbers)
  return [
    ...baselineTerms,
    ...destinationTerms(numbers),
    ...cumulativeTerms("cumulative_entities_step", "entities_affected", entities, 1, harmless),
    ...cumulativeTerms("cumulative_value_step", "financial_value_usd_cents", usd, centsPerUsd, harmless)
  ]
}

const percentMissingMax = 99

/** Facts about the opinion itself. Only the final match knows them; in earlier matches they are zero or false. */
const finalMatchTerms: ReadonlyArray<Term> = [
  atMost("confidence_percent_missing", percentMissingMax),
  implication(is("policy_evaluation_incomplete", true), is("assessment_degraded", true))
]
