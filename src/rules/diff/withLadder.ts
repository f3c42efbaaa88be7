/** A rulebook with one factor, typology or policy rule of another's, so that a request can be seen to differ by that alone. */

import { compilePolicies, compileRules } from "../compile.ts"
import type { Ladder } from "../ladders.ts"
import type { Rule } from "../Rule.ts"
import type { Rulebook } from "../Rulebook.ts"

const swapped = <R extends Rule<unknown>>(
  before: ReadonlyArray<R>,
  after: ReadonlyArray<R>,
  isIt: (rule: R) => boolean
): ReadonlyArray<R> => [...before.filter((rule) => !isIt(rule)), ...after.filter(isIt)]

export const withLadder = (from: Rulebook, to: Rulebook, kind: Ladder["kind"], code: string): Rulebook => {
  const { policies, release } = from
  if (kind === "policy") {
    const rules = swapped(policies.rules, to.policies.rules, ({ match }) => match.rule === code)
    const match = compilePolicies(rules)
    return { ...from, policies: { ...policies, rules, policySet: { ...policies.policySet, match } } }
  }
  const { factors, typologies } = to.release.rules
  const rules =
    kind === "factor"
      ? {
          ...release.rules,
          factors: swapped(release.rules.factors, factors, ({ match }) => match.code === code)
        }
      : {
          ...release.rules,
          typologies: swapped(release.rules.typologies, typologies, ({ match }) => match.name === code)
        }
  return { ...from, release: { ...release, rules, model: { ...release.model, match: compileRules(rules) } } }
}
