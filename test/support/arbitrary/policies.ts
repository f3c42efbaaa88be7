/** Random customer policies: a few conditions crossed with every effect, sometimes one that cannot be evaluated. */

import fc from "fast-check"
import { controlTypes, severities } from "../../../src/domain/Opinion.ts"
import type { Policy, PolicyFacts } from "../../oracle/Question.ts"

const conditions: ReadonlyArray<{ readonly name: string; readonly when: (facts: PolicyFacts) => boolean }> = [
  { name: "always", when: () => true },
  { name: "never", when: () => false },
  { name: "thousand-entities", when: (facts) => facts.entities_affected >= 1_000 },
  { name: "production", when: (facts) => facts.environment_rank > 2 },
  { name: "privilege", when: (facts) => facts.privilege_change },
  { name: "novel-destination", when: (facts) => facts.destination_novel },
  { name: "nameless-agent", when: (facts) => facts.agent_missing },
  { name: "restricted-data", when: (facts) => facts.data_classification_rank >= 3 },
  {
    name: "large-payment",
    when: (facts) => facts.action_class === "transact" && facts.financial_value_usd_cents >= 5_000_000
  }
]

type Effect = Omit<Policy, "id" | "when" | "broken">

const effect = (): fc.Arbitrary<Effect> =>
  fc.oneof(
    fc
      .constantFrom(1, 40, 55, 69, 70, 90, 100)
      .map((floor): Effect => ({ effect: "raise_floor", floor, recommendations: [] })),
    fc
      .constantFrom(...severities)
      .map((severity): Effect => ({ effect: "add_factor", severity, recommendations: ["CALL_BACK"] })),
    fc
      .constantFrom(...controlTypes)
      .map((control): Effect => ({ effect: "require_control", control, recommendations: [] })),
    fc.constant<Effect>({ effect: "add_recommendation", recommendations: ["ASK_LEGAL"] }),
    fc.constant<Effect>({ effect: "annotate", recommendations: [] })
  )

export const policy = (): fc.Arbitrary<Policy> =>
  fc
    .tuple(fc.constantFrom(...conditions), effect(), fc.nat(19))
    .map(([{ name, when }, then, n]) => ({ id: name, when, broken: n === 19, ...then }))

/** Most organizations have none that match; ids are unique and ascend, as in a compiled set. */
export const policies = (): fc.Arbitrary<ReadonlyArray<Policy>> =>
  fc
    .array(policy(), { maxLength: 3, size: "max" })
    .map((list) => list.map((one, index) => ({ ...one, id: `${index}-${one.id}` })))
