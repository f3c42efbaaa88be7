/** The compiled evaluator: rules become a graph of questions once at load; evaluation is synchronous and order-free. */

import { isDeepStrictEqual } from "node:util"
import { actionClasses } from "../../domain/Action.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { PolicyMatches, RuleMatches } from "../../scoring/Model.ts"
import {
  atomHolds,
  bySeverity,
  type Choice,
  choiceHolds,
  type Comparison,
  type Condition,
  factKind,
  isComparison,
  type PolicyRule,
  type Rule,
  type RuleSet
} from "./Rule.ts"
import { encodeFacts, placeOf, type Texts } from "./encodeFacts.ts"

type RuleSequence<Match> = ReadonlyArray<Rule<Match>>

/** Rules that give the same key, together; keys ascending. */
const groupByKey = <Match>(
  rules: ReadonlyArray<Rule<Match>>,
  keyOf: (match: Match) => string
): ReadonlyArray<RuleSequence<Match>> =>
  [...Map.groupBy(rules, ({ match }) => keyOf(match))]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([, ladder]) => ladder)

/** The rules that can still hold once some facts are known, without the questions that those settle. */
const specialize = <Match>(ladder: RuleSequence<Match>, known: Partial<Facts>): RuleSequence<Match> =>
  ladder.flatMap((rule) => {
    const rest = partiallyEvaluate(rule.condition, known)
    if (rest === false) return []
    return [{ ...rule, condition: rest === true ? { all: [] } : rest }]
  })

/** One graph for each action class: most rules ask for the class, and most of those for another one. */
const byClass = <Match>(sorted: ReadonlyArray<RuleSequence<Match>>, texts: Texts) =>
  new Map<string, Step<Match> | null>(
    actionClasses.map((name) => [
      name,
      sorted.reduceRight<Step<Match> | null>(
        (next, ladder) => groupSteps(specialize(ladder, { action_class: name }), texts, next),
        null
      )
    ])
  )

export const compileRules = ({ factors, typologies }: RuleSet): ((facts: Facts) => RuleMatches) => {
  const texts = textsOf([...factors, ...typologies])
  const strongestFirst = groupByKey(factors, ({ code }) => code).map((ladder) =>
    ladder.toSorted((a, b) => bySeverity(a.match, b.match))
  )
  const factorSteps = byClass(strongestFirst, texts)
  const typologySteps = byClass(
    groupByKey(typologies, ({ name }) => name),
    texts
  )
  return (facts) => {
    const values = encodeFacts(facts, texts)
    return {
      factors: evaluateSteps(factorSteps.get(facts.action_class) ?? null, values),
      typologies: evaluateSteps(typologySteps.get(facts.action_class) ?? null, values)
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
    const first = steps.get(facts.action_class) ?? null
    // Most organizations have no rule for most classes, and then there is nothing to encode the facts for.
    return {
      matched: first === null ? [] : evaluateSteps(first, encodeFacts(facts, texts)),
      incomplete: false
    }
  }
}

/**
 * Compiled rules as a graph of steps: each asks one question or adds one match, and leads on.
 * One shape for both kinds, so that walking stays monomorphic: where there is a match, nothing is asked.
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

/** `rules` are strongest first: of those that hold, the first matches. What they all ask is asked once, in front. */
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

/** What every atom of a condition comes down to: is the number in one place at least this? */
interface ThresholdTest {
  readonly place: number
  readonly min: number
}

type Formula =
  | { readonly all: ReadonlyArray<Formula> }
  | { readonly any: ReadonlyArray<Formula> }
  | { readonly not: ThresholdTest }
  | ThresholdTest

/** Counts and ranks are whole, so that more than 4 is at least 5. */
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

/** Exactly the codes for which `chosen` says yes, as stretches from one code up to another. */
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

const formulaOf = (atom: Comparison | Choice, texts: Texts): Formula =>
  isComparison(atom) ? comparisonFormula(atom) : choiceFormula(atom, texts)

/** Numbers the texts that a rule set compares with, so that a text is looked up once per evaluation. */
const comparedTexts = (condition: Condition): ReadonlyArray<string> => {
  if ("all" in condition) return condition.all.flatMap(comparedTexts)
  if ("any" in condition) return condition.any.flatMap(comparedTexts)
  if (factKind(condition.fact).kind !== "text") return []
  return [condition.value].flat().filter((value) => typeof value === "string")
}

const textsOf = (rules: ReadonlyArray<Rule<unknown>>): Texts =>
  new Map(
    [...new Set(rules.flatMap(({ condition }) => comparedTexts(condition)))].map((text, i) => [text, i + 1])
  )

/**
 * Evaluates as much of a condition as some known facts settle.
 * What is left to ask, or the answer. Exact: for facts that agree with `known`, the rest means what the whole meant.
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

/** Finds what the rules of one ladder all ask, so that it is asked once. */
const conjunctsOf = (condition: Condition): ReadonlyArray<Condition> =>
  "all" in condition ? condition.all : [condition]

/** Terms without which none of the conditions can hold; the weakest of each kind. */
const hoist = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> => {
  const needed = conditions
    .flatMap(conjunctsOf)
    .filter((term) =>
      conditions.every((condition) => conjunctsOf(condition).some((own) => obviouslyImplies(own, term)))
    )
  return needed.filter((term, i) => !needed.some((earlier, j) => j < i && obviouslyImplies(earlier, term)))
}

/** The condition for where `known` is already seen to hold. */
const withoutKnown = (condition: Condition, known: ReadonlyArray<Condition>): Condition => ({
  all: conjunctsOf(condition).filter((term) => !known.some((one) => obviouslyImplies(one, term)))
})

/** Whether one condition can only hold where another does, as far as a glance can tell. */
const floorOf = (condition: Condition): { readonly fact: string; readonly min: number } | null => {
  if ("all" in condition || "any" in condition || !isComparison(condition)) return null
  if (condition.operator === "greaterThanInclusive") return { fact: condition.fact, min: condition.value }
  return null
}

/** Sound and incomplete: equal conditions, and thresholds of one fact. */
const obviouslyImplies = (narrow: Condition, wide: Condition): boolean => {
  const a = floorOf(narrow)
  const b = floorOf(wide)
  return a !== null && b !== null ? a.fact === b.fact && a.min >= b.min : isDeepStrictEqual(narrow, wide)
}
