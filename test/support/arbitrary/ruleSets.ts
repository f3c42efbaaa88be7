/** Any rule set of the dialect, and facts that often fall on its boundaries. */

import fc from "fast-check"
import { severities } from "../../../src/domain/Opinion.ts"
import {
  type Choice,
  choiceOperators,
  type Comparison,
  comparisonOperators,
  type Condition,
  factKind,
  type FactorRule,
  type RuleSet,
  type TypologyRule
} from "../../../src/rules/language/Rule.ts"
import { factKinds, type FactName, type Facts } from "../../../src/scoring/Facts.ts"

const factNames = Object.keys(factKinds).filter((name): name is FactName => name in factKinds)

/** Few of each, so that rules often name the value of a fact. */
const valuesOf = (fact: FactName): ReadonlyArray<Facts[FactName]> => {
  const kind = factKind(fact)
  switch (kind.kind) {
    case "flag":
      return [false, true]
    case "name":
      return kind.names
    case "text":
      return ["customer.read", "customer.export", "refund.pay", "other.read"]
    case "rank":
      return Array.from({ length: kind.max + 1 }, (_, rank) => rank)
    case "count":
      return [0, 1, 2, 3, 4, Number.MAX_SAFE_INTEGER]
  }
}

const valueOf = (fact: FactName): fc.Arbitrary<Facts[FactName]> => fc.constantFrom(...valuesOf(fact))

const choices = factNames.map((fact) => [fact, valuesOf(fact)] as const)

/** Mulberry32: drawing every fact a hundred thousand times through arbitraries would take minutes. */
const dice = (seed: number) => (sides: number) => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % sides
}

/** As many records of facts as asked for, the same for the same seed. */
export const factsFrom = (seed: number, count: number): ReadonlyArray<Facts> => {
  const roll = dice(seed)
  return Array.from({ length: count }, () => {
    const drawn = choices.map(([fact, values]) => [fact, values[roll(values.length)]] as const)
    return Object.fromEntries(drawn) as unknown as Facts
  })
}

const comparison = (fact: FactName): fc.Arbitrary<Comparison> =>
  fc.record({
    fact: fc.constant(fact),
    operator: fc.constantFrom(...comparisonOperators),
    value: valueOf(fact).map(Number)
  })

const choosable = (fact: FactName) =>
  valueOf(fact).map((value) => (typeof value === "number" ? String(value) : value))

const choice = (fact: FactName): fc.Arbitrary<Choice> =>
  fc
    .constantFrom(...choiceOperators)
    .chain((operator): fc.Arbitrary<Choice> =>
      operator === "in" || operator === "notIn"
        ? fc
            .array(choosable(fact), { minLength: 1, maxLength: 4 })
            .map((value) => ({ fact, operator, value }))
        : choosable(fact).map((value) => ({ fact, operator, value }))
    )

const atom: fc.Arbitrary<Condition> = fc.constantFrom(...factNames).chain((fact): fc.Arbitrary<Condition> => {
  const { kind } = factKind(fact)
  return kind === "count" || kind === "rank" ? comparison(fact) : choice(fact)
})

/** Atoms about the class are what specialization works on, so they come up often. */
const anyAtom = fc.oneof({ weight: 3, arbitrary: atom }, { weight: 1, arbitrary: choice("action_class") })

const group = (depth: number): fc.Arbitrary<Condition> => {
  const term =
    depth === 1
      ? anyAtom
      : fc.oneof(
          anyAtom,
          fc.constant(null).chain(() => group(depth - 1))
        )
  const terms = fc.array(term, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    terms.map((all) => ({ all })),
    terms.map((any) => ({ any }))
  )
}

/** Mostly flat as rules are, sometimes as deep as the dialect goes: the engine's time grows with the number of atoms. */
export const anyCondition: fc.Arbitrary<Condition> = fc
  .constantFrom(1, 1, 1, 1, 2, 2, 2, 3, 4, 5)
  .chain(group)

const factorRule = (code: string, i: number): fc.Arbitrary<FactorRule> =>
  fc.record({
    name: fc.constant(`${code}.${i}`),
    condition: anyCondition,
    match: fc.record({
      code: fc.constant(code),
      category: fc.constant("volume" as const),
      severity: fc.constantFrom(...severities),
      message: fc.constant(code),
      recommendations: fc.constant([]),
      hazardBp: fc.constantFrom(0, 1_000, 3_000)
    })
  })

const typologyRule = (name: string): fc.Arbitrary<TypologyRule> =>
  fc.record({
    name: fc.constant(name),
    condition: anyCondition,
    match: fc.constant({ name, message: name, floor: 90 })
  })

const ladder = (code: string): fc.Arbitrary<ReadonlyArray<FactorRule>> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((rules) => fc.tuple(...Array.from({ length: rules }, (_, i) => factorRule(code, i))))

export const anyRuleSet: fc.Arbitrary<RuleSet> = fc.record({
  factors: fc
    .oneof(fc.tuple(ladder("A_FACTOR")), fc.tuple(ladder("B_FACTOR"), ladder("A_FACTOR")))
    .map((ladders) => ladders.flat()),
  typologies: fc.array(typologyRule("a-typology"), { maxLength: 1 })
})
