/** Two small rule sets, the second made from the first by a few edits, as a reviewer would compare them. */

import fc from "fast-check"
import { controlTypes, severities } from "../../../src/domain/Opinion.ts"
import type { FactorRule, PolicyRule, RuleSet, TypologyRule } from "../../../src/rules/language/Rule.ts"
import { smallCondition } from "./smallWorld.ts"

export interface SmallRules {
  readonly rules: RuleSet
  readonly policies: ReadonlyArray<PolicyRule>
}

const severity = fc.constantFrom(...severities)
const hazardBp = fc.constantFrom(0, 1_000, 3_000)
const floor = fc.constantFrom(30, 70, 90)

/** Those of volume call for staged execution, those of data do not. */
const factorRule = (
  code: string,
  n: number,
  category: "volume" | "data" = "volume"
): fc.Arbitrary<FactorRule> =>
  fc.tuple(smallCondition, severity, hazardBp).map(([condition, severity, hazardBp]) => ({
    name: `${code}.${n}`,
    condition,
    match: { code, category, severity, message: code, recommendations: [], hazardBp }
  }))

const typologyRule: fc.Arbitrary<TypologyRule> = fc
  .tuple(smallCondition, floor)
  .map(([condition, floor]) => ({
    name: "a-typology",
    condition,
    match: { name: "a-typology", message: "a", floor }
  }))

const policyRule: fc.Arbitrary<PolicyRule> = fc
  .tuple(
    smallCondition,
    fc.oneof(
      floor.map((floor) => ({ effect: "raise_floor" as const, floor })),
      fc.constantFrom(...controlTypes).map((control) => ({ effect: "require_control" as const, control }))
    )
  )
  .map(([condition, does]) => ({
    name: "a-rule",
    condition,
    match: { policy: "small", rule: "a-rule", recommendations: [], ...does }
  }))

const smallRules: fc.Arbitrary<SmallRules> = fc
  .record({
    first: fc.array(factorRule("A_FACTOR", 1), { maxLength: 2 }),
    second: fc.array(factorRule("B_FACTOR", 1, "data"), { maxLength: 2 }),
    typologies: fc.array(typologyRule, { maxLength: 1 }),
    policies: fc.array(policyRule, { maxLength: 1 })
  })
  .map(({ first, policies, second, typologies }) => ({
    rules: { factors: [...first, ...second], typologies },
    policies
  }))

const editFactor = (rule: FactorRule): fc.Arbitrary<ReadonlyArray<FactorRule>> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant([rule]) },
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: smallCondition.map((condition) => [{ ...rule, condition }]) },
    {
      weight: 1,
      arbitrary: smallCondition.map((wider) => [{ ...rule, condition: { any: [rule.condition, wider] } }])
    },
    { weight: 1, arbitrary: severity.map((severity) => [{ ...rule, match: { ...rule.match, severity } }]) },
    { weight: 1, arbitrary: hazardBp.map((hazardBp) => [{ ...rule, match: { ...rule.match, hazardBp } }]) },
    { weight: 1, arbitrary: fc.constant([{ ...rule, match: { ...rule.match, code: "C_FACTOR" } }]) }
  )

const kept = <A>(list: ReadonlyArray<A>): fc.Arbitrary<ReadonlyArray<A>> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(list) }, { weight: 1, arbitrary: fc.constant([]) })

export const smallChange: fc.Arbitrary<{ readonly from: SmallRules; readonly to: SmallRules }> =
  smallRules.chain((from) =>
    fc
      .record({
        factors: fc.tuple(...from.rules.factors.map(editFactor)).map((edited) => edited.flat()),
        added: fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.tuple(factorRule("D_FACTOR", 1)) }
        ),
        typologies: kept(from.rules.typologies),
        policies: kept(from.policies)
      })
      .map(({ added, factors, policies, typologies }) => ({
        from,
        to: { rules: { factors: [...factors, ...added], typologies }, policies }
      }))
  )
