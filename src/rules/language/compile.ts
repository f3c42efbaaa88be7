/** The compiled evaluator: turns rules into a graph of tests once. Evaluation is synchronous and independent of the order of the rules. */

import { isDeepStrictEqual } from "node:util"
import { byCodeUnit } from "../../json/json.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { FactorMatch, PolicyMatches, RuleMatcher, RuleMatches } from "../../scoring/Model.ts"
import type { Numbers } from "../../scoring/Numbers.ts"
import {
  atomHolds,
  atomsOf,
  bySeverity,
  type Choice,
  choiceHolds,
  type Comparison,
  type Condition,
  type ConditionAtom,
  factKind,
  isComparison,
  type PolicyRule,
  type Rule,
  type RuleSet
} from "./Rule.ts"
import { encodeFacts, placeOf, type Texts } from "./encodeFacts.ts"

type RuleSequence<Match> = ReadonlyArray<Rule<Match>>

/** Groups rules with the same key. Keys are ascending. */
const groupByKey = <Match>(
  rules: ReadonlyArray<Rule<Match>>,
  keyOf: (match: Match) => string
): ReadonlyArray<RuleSequence<Match>> =>
  [...Map.groupBy(rules, ({ match }) => keyOf(match))]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([, group]) => group)

/** The rules that can still hold given some known facts, without the tests that those facts decide. */
const specialize = <Match>(group: RuleSequence<Match>, known: Partial<Facts>): RuleSequence<Match> =>
  group.flatMap((rule) => {
    const rest = partiallyEvaluate(rule.condition, known)
    if (rest === false) return []
    return [{ ...rule, condition: rest === true ? { all: [] } : rest }]
  })

/**
 * One graph per action class: most rules test the class, so most of them drop out of each graph. A graph is built when the first action of
 * its class is evaluated.
 */
const byClass = <Match>(sorted: ReadonlyArray<RuleSequence<Match>>, texts: Texts) => {
  const made = new Map<string, Next<Match>>()
  return (name: string): Next<Match> => {
    const known = made.get(name)
    if (known !== undefined) return known
    const first = sorted.reduceRight<Next<Match>>(
      (next, group) => groupSteps(specialize(group, { action_class: name }), texts, next),
      null
    )
    made.set(name, first)
    return first
  }
}

/** Drops the weakest rules as long as they do not weigh. The remaining rules need the stronger ones, which take precedence over them. */
const upToWeighing = (strongestFirst: RuleSequence<FactorMatch>, weighs: Weighs): RuleSequence<FactorMatch> =>
  strongestFirst.slice(0, strongestFirst.findLastIndex(({ match }) => weighs(match)) + 1)

/** Whether a factor with this severity and hazard can affect a score. */
type Weighs = (match: Pick<FactorMatch, "hazardBp" | "severity">) => boolean

/** `numbers`: those of the release. Most factors only inform: their severity sets no floor for the score, and they have no hazard. */
export const compileRules = (
  rules: RuleSet,
  numbers?: Pick<Numbers, "actionRisk" | "severityFloors">
): RuleMatcher => {
  const match = compileWeighing(rules, () => true)
  if (numbers === undefined) return match
  const { actionRisk, severityFloors } = numbers
  const weighs: Weighs = ({ hazardBp, severity }) =>
    hazardBp > 0 || severityFloors[severity] > actionRisk.scoreMin
  return Object.assign(match, { weighing: compileWeighing(rules, weighs) })
}

const compileWeighing = (
  { factors, typologies }: RuleSet,
  weighs: Weighs
): ((facts: Facts) => RuleMatches) => {
  const texts = textsOf([...factors, ...typologies])
  const strongestFirst = groupByKey(factors, ({ code }) => code).map((group) =>
    upToWeighing(
      group.toSorted((a, b) => bySeverity(a.match, b.match)),
      weighs
    )
  )
  const factorSteps = byClass(strongestFirst, texts)
  const typologySteps = byClass(
    groupByKey(typologies, ({ name }) => name),
    texts
  )
  return (facts) => {
    const values = encodeFacts(facts, texts)
    return {
      factors: evaluateSteps(factorSteps(facts.action_class), values),
      typologies: evaluateSteps(typologySteps(facts.action_class), values)
    }
  }
}

export const compilePolicies = (rules: ReadonlyArray<PolicyRule>): ((facts: Facts) => PolicyMatches) => {
  const texts = textsOf(rules)
  const steps = byClass(
    groupByKey(rules, ({ rule }) => rule),
    texts
  )
  return (facts) => {
    const first = steps(facts.action_class)
    // A shortcut: most organizations have no rule for most classes, and then the facts need no encoding.
    return {
      matched: first === null ? [] : evaluateSteps(first, encodeFacts(facts, texts)),
      incomplete: false
    }
  }
}

/**
 * A node in the graph of compiled rules. A step with a match adds that match; any other step tests one number. Both have the same shape, so
 * that V8 keeps the walk monomorphic.
 */
interface Step<Match> {
  readonly place: number
  readonly min: number
  readonly match: Match | null
  readonly ifTrue: Step<Match> | null
  readonly ifFalse: Step<Match> | null
}

type Next<Match> = Step<Match> | null

const toSteps = <Match>(formula: Formula, ifTrue: Next<Match>, ifFalse: Next<Match>): Next<Match> => {
  if ("all" in formula) {
    return formula.all.reduceRight<Next<Match>>((next, term) => toSteps(term, next, ifFalse), ifTrue)
  }
  if ("any" in formula) {
    return formula.any.reduceRight<Next<Match>>((next, term) => toSteps(term, ifTrue, next), ifFalse)
  }
  if ("not" in formula) return toSteps(formula.not, ifFalse, ifTrue)
  return { place: formula.place, min: formula.min, match: null, ifTrue, ifFalse }
}

const toFormula = (condition: Condition, texts: Texts): Formula => {
  if ("all" in condition) return { all: condition.all.map((term) => toFormula(term, texts)) }
  if ("any" in condition) return { any: condition.any.map((term) => toFormula(term, texts)) }
  return formulaOf(condition, texts)
}

/** `rules` are strongest first, and the first one that holds gives the match. Shared tests run once, before all rules. */
const groupSteps = <Match>(
  rules: ReadonlyArray<Rule<Match>>,
  texts: Texts,
  next: Next<Match>
): Next<Match> => {
  const shared = rules.length > 1 ? hoist(rules.map(({ condition }) => condition)) : []
  const first = rules.reduceRight<Next<Match>>((weaker, { condition, match }) => {
    const matched: Step<Match> = { place: 0, min: 0, match, ifTrue: next, ifFalse: next }
    return toSteps(toFormula(withoutKnown(condition, shared), texts), matched, weaker)
  }, next)
  return toSteps(toFormula({ all: shared }, texts), first, next)
}

const evaluateSteps = <Match>(start: Step<Match> | null, values: Float64Array): Array<Match> => {
  const matched: Array<Match> = []
  let step = start
  while (step !== null) {
    if (step.match === null) {
      step = (values[step.place] ?? 0) >= step.min ? step.ifTrue : step.ifFalse
    } else {
      matched.push(step.match)
      step = step.ifTrue
    }
  }
  return matched
}

/** Whether the number at index `place` is at least `min`. Every atom of a condition compiles to such tests. */
interface ThresholdTest {
  readonly place: number
  readonly min: number
}

type Formula =
  | { readonly all: ReadonlyArray<Formula> }
  | { readonly any: ReadonlyArray<Formula> }
  | { readonly not: ThresholdTest }
  | ThresholdTest

/** Counts and ranks are whole numbers, so more than 4 means at least 5. */
const comparisonFormula = ({ fact, operator, value }: Comparison): Formula => {
  const place = placeOf(fact)
  switch (operator) {
    case "greaterThan":
      return { place, min: value + 1 }
    case "greaterThanInclusive":
      return { place, min: value }
    case "lessThan":
      return { not: { place, min: value } }
    case "lessThanInclusive":
      return { not: { place, min: value + 1 } }
  }
}

/** True for the codes marked in `chosen`: each run of adjacent codes becomes one interval. */
const intervalFormula = (place: number, chosen: ReadonlyArray<boolean>): Formula => {
  const starts = chosen.flatMap((is, i) => (is && chosen[i - 1] !== true ? [i] : []))
  return {
    any: starts.map((start) => {
      const length = chosen.slice(start).indexOf(false)
      const from: ReadonlyArray<Formula> = start === 0 ? [] : [{ place, min: start }]
      return { all: length === -1 ? from : [...from, { not: { place, min: start + length } }] }
    })
  }
}

const choiceFormula = (atom: Choice, texts: Texts): Formula => {
  const place = placeOf(atom.fact)
  const kind = factKind(atom.fact)
  if (kind.kind === "flag") return intervalFormula(place, [choiceHolds(atom, false), choiceHolds(atom, true)])
  if (kind.kind === "name")
    return intervalFormula(
      place,
      kind.names.map((name) => choiceHolds(atom, name))
    )
  const chosen = [choiceHolds(atom, "")]
  for (const [text, code] of texts) chosen[code] = choiceHolds(atom, text)
  return intervalFormula(place, chosen)
}

const formulaOf = (atom: ConditionAtom, texts: Texts): Formula =>
  isComparison(atom) ? comparisonFormula(atom) : choiceFormula(atom, texts)

const comparedTexts = (condition: Condition): ReadonlyArray<string> =>
  atomsOf(condition)
    .filter(({ fact }) => factKind(fact).kind === "text")
    .flatMap(({ value }) => value)
    .filter((value) => typeof value === "string")

/** Numbers the texts used in a rule set's comparisons, so that an evaluation looks up each text once. */
const textsOf = (rules: ReadonlyArray<Rule<unknown>>): Texts =>
  new Map(
    [...new Set(rules.flatMap(({ condition }) => comparedTexts(condition)))].map((text, i) => [text, i + 1])
  )

/**
 * Evaluates a condition as far as `known` decides it: returns the remaining condition or the result. Exact: for all facts that agree with
 * `known`, the remaining condition is equivalent to the whole one.
 */
const partiallyEvaluate = (condition: Condition, known: Partial<Facts>): Condition | boolean => {
  if ("all" in condition) {
    const rest = condition.all.map((term) => partiallyEvaluate(term, known)).filter((term) => term !== true)
    if (rest.includes(false)) return false
    const open = rest.filter((term) => typeof term === "object")
    return open.length === 0 ? true : { all: open }
  }
  if ("any" in condition) {
    const rest = condition.any.map((term) => partiallyEvaluate(term, known)).filter((term) => term !== false)
    if (rest.includes(true)) return true
    const open = rest.filter((term) => typeof term === "object")
    return open.length === 0 ? false : { any: open }
  }
  const actual = known[condition.fact]
  return actual === undefined ? condition : atomHolds(condition, actual)
}

const conjunctsOf = (condition: Condition): ReadonlyArray<Condition> =>
  "all" in condition ? condition.all : [condition]

/** The terms that every condition requires, without those that an earlier one implies. */
const hoist = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> => {
  const needed = conditions
    .flatMap(conjunctsOf)
    .filter((term) =>
      conditions.every((condition) => conjunctsOf(condition).some((own) => obviouslyImplies(own, term)))
    )
  return needed.filter((term, i) => !needed.some((earlier, j) => j < i && obviouslyImplies(earlier, term)))
}

/** The rest of the condition, given that every term of `known` holds. */
const withoutKnown = (condition: Condition, known: ReadonlyArray<Condition>): Condition => ({
  all: conjunctsOf(condition).filter((term) => !known.some((other) => obviouslyImplies(other, term)))
})

const floorOf = (condition: Condition): { readonly fact: string; readonly min: number } | null => {
  if ("all" in condition || "any" in condition || !isComparison(condition)) return null
  if (condition.operator === "greaterThanInclusive") return { fact: condition.fact, min: condition.value }
  return null
}

/** Sound but incomplete: recognizes equal conditions, and lower bounds on one fact. */
const obviouslyImplies = (narrow: Condition, wide: Condition): boolean => {
  const a = floorOf(narrow)
  const b = floorOf(wide)
  return a !== null && b !== null ? a.fact === b.fact && a.min >= b.min : isDeepStrictEqual(narrow, wide)
}
