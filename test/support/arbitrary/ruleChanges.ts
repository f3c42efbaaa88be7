/** Changes of a few working rules, in every part that affects a score or a control. */

import fc from "fast-check"
import { severities } from "../../../src/domain/Opinion.ts"
import type { Rulebook } from "../../../src/rules/Rulebook.ts"
import type { Condition, FactorRule, RuleSet } from "../../../src/rules/language/Rule.ts"
import { compileRules } from "../../../src/rules/language/compile.ts"
import type { FactorMatch } from "../../../src/scoring/Model.ts"
import { workingBook } from "../rulebooks.ts"

const { rules } = workingBook.release
const codes = [...new Set(rules.factors.map(({ match }) => match.code))]

type ChangeRule = (rule: FactorRule) => ReadonlyArray<FactorRule>

/** Every threshold of a condition, except those of ranks, at this share of its value. */
const scaled = (condition: Condition, share: number): Condition => {
  if ("all" in condition) return { all: condition.all.map((part) => scaled(part, share)) }
  if ("any" in condition) return { any: condition.any.map((part) => scaled(part, share)) }
  return typeof condition.value === "number" && condition.value >= 10 && "operator" in condition
    ? ({ ...condition, value: Math.ceil(condition.value * share) } as Condition)
    : condition
}

const withMatch =
  (edit: (match: FactorMatch) => Partial<FactorMatch>): ChangeRule =>
  (rule) => [{ ...rule, match: { ...rule.match, ...edit(rule.match) } }]

const severityBeside = (steps: number) =>
  withMatch(({ severity }) => ({
    severity:
      severities[Math.max(0, Math.min(severities.length - 1, severities.indexOf(severity) + steps))] ??
      severity
  }))

const withoutAbout: ChangeRule = ({ match: { about: _about, ...match }, ...rule }) => [{ ...rule, match }]

const changeRule: fc.Arbitrary<ChangeRule> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(0.1, 0.3, 0.5, 0.9, 2)
      .map((share) => (rule: FactorRule) => [{ ...rule, condition: scaled(rule.condition, share) }])
  },
  { weight: 4, arbitrary: fc.constantFrom(1, 1, 2, -1).map(severityBeside) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...rules.factors).map(({ condition }) => (rule: FactorRule) => [
      { ...rule, condition: { any: [rule.condition, condition] } }
    ])
  },
  { weight: 1, arbitrary: fc.constantFrom<ChangeRule>(() => [], withoutAbout) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      withMatch(() => ({ about: "reach" })),
      withMatch(() => ({ statedOnly: true })),
      withMatch(() => ({ category: "data" })),
      withMatch(() => ({ category: "volume" })),
      withMatch(() => ({ hazardBp: 900 }))
    )
  }
)

/** All rules of one factor, or the severest of them. */
const changeFactor = fc
  .record({ code: fc.constantFrom(...codes), change: changeRule, severestAlone: fc.boolean() })
  .map(({ change, code, severestAlone }) => (set: RuleSet): RuleSet => {
    const severest = set.factors.findLast(({ match }) => match.code === code)
    return {
      ...set,
      factors: set.factors.flatMap((rule) =>
        rule.match.code === code && (!severestAlone || rule === severest) ? change(rule) : [rule]
      )
    }
  })

/** The working rules with one to three changes. */
export const changedBook: fc.Arbitrary<Rulebook> = fc
  .array(changeFactor, { minLength: 1, maxLength: 3 })
  .map((changes) => {
    const changed = changes.reduce<RuleSet>((set, change) => change(set), rules)
    const { release } = workingBook
    return {
      ...workingBook,
      label: "changed",
      release: { ...release, rules: changed, model: { ...release.model, match: compileRules(changed) } }
    }
  })
