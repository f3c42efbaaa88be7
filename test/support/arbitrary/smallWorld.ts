/** A few facts with few values, so that tests can try every combination. */

import fc from "fast-check"
import { all, any, exactly, type Term } from "../../../src/rules/analysis/Term.ts"
import type { ChoiceValue, Condition } from "../../../src/rules/language/Rule.ts"
import type { FactName, Facts } from "../../../src/scoring/Facts.ts"
import { plainFacts } from "../plainFacts.ts"

/** Conditions compare with these; the values of the world lie on, below, above and between them. */
const thresholds = { entities_affected: [100, 1_000], reversibility_rank: [2] } as const
const named = {
  action_class: ["read", "write", "export"],
  normalized_action_type: ["customer.read", "customer.export"],
  privilege_change: [false, true]
} as const

/** One value represents all names and texts that no condition mentions. */
const values = {
  action_class: [...named.action_class, "deploy"],
  normalized_action_type: [...named.normalized_action_type, "other.read"],
  privilege_change: named.privilege_change,
  entities_affected: [99, 100, 500, 1_000, 2_000],
  reversibility_rank: [1, 2, 3]
} as const satisfies Partial<Record<FactName, ReadonlyArray<Facts[FactName]>>>

export const smallFacts = Object.keys(values) as ReadonlyArray<keyof typeof values>

const comparison = (fact: keyof typeof thresholds): fc.Arbitrary<Condition> =>
  fc.record({
    fact: fc.constant(fact),
    operator: fc.constantFrom("greaterThan", "greaterThanInclusive", "lessThan", "lessThanInclusive"),
    value: fc.constantFrom(...thresholds[fact])
  })

const choice = (fact: keyof typeof named): fc.Arbitrary<Condition> => {
  const value = fc.constantFrom<ChoiceValue>(...named[fact])
  return fc.oneof(
    fc.record({ fact: fc.constant(fact), operator: fc.constantFrom("equal", "notEqual"), value }),
    fc.record({
      fact: fc.constant(fact),
      operator: fc.constantFrom("in", "notIn"),
      value: fc.array(value, { minLength: 1, maxLength: 2 })
    })
  )
}

const atom = fc.oneof(
  comparison("entities_affected"),
  comparison("reversibility_rank"),
  choice("action_class"),
  choice("normalized_action_type"),
  choice("privilege_change")
)

const groupOf = (term: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> => {
  const terms = fc.array(term, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    terms.map((all) => ({ all })),
    terms.map((any) => ({ any }))
  )
}

export const smallCondition = groupOf(
  fc.oneof({ weight: 2, arbitrary: atom }, { weight: 1, arbitrary: groupOf(atom) })
)

/** Every record of this world; all other facts are neutral. */
export const everything: ReadonlyArray<Facts> = smallFacts.reduce<ReadonlyArray<Facts>>(
  (records, fact) => records.flatMap((record) => values[fact].map((value) => ({ ...record, [fact]: value }))),
  [plainFacts()]
)

/** Any fact of this world, and no other. */
export const inSmallWorld: Term = all(
  ...Object.entries(plainFacts()).map(([fact, plain]) => {
    const among: ReadonlyArray<Facts[FactName]> =
      fact in values ? values[fact as keyof typeof values] : [plain]
    return any(...among.map((value) => exactly(fact as FactName, value)))
  })
)
