/** Compiled rules as a graph of steps: each asks one question or adds one match, and leads on. */

import type { Condition } from "../Condition.ts"
import type { Rule } from "../Rule.ts"
import type { Texts } from "./encodeFacts.ts"
import { hoist, without } from "./hoist.ts"
import { type Formula, formulaOf } from "./Question.ts"

/** One shape for both kinds, so that walking stays monomorphic: where there is a match, nothing is asked. */
export interface Step<Match> {
  readonly place: number
  readonly min: number
  readonly match: Match | null
  readonly ifTrue: Step<Match> | null
  readonly ifFalse: Step<Match> | null
}

type Next<Match> = Step<Match> | null

const ask = <Match>(formula: Formula, ifTrue: Next<Match>, ifFalse: Next<Match>): Next<Match> => {
  if ("all" in formula) {
    return formula.all.reduceRight<Next<Match>>((next, term) => ask(term, next, ifFalse), ifTrue)
  }
  if ("any" in formula) {
    return formula.any.reduceRight<Next<Match>>((next, term) => ask(term, ifTrue, next), ifFalse)
  }
  if ("not" in formula) return ask(formula.not, ifFalse, ifTrue)
  return { place: formula.place, min: formula.min, match: null, ifTrue, ifFalse }
}

const toFormula = (condition: Condition, texts: Texts): Formula => {
  if ("all" in condition) return { all: condition.all.map((term) => toFormula(term, texts)) }
  if ("any" in condition) return { any: condition.any.map((term) => toFormula(term, texts)) }
  return formulaOf(condition, texts)
}

/** `rules` are strongest first: of those that hold, the first matches. What they all ask is asked once, in front. */
export const ladderSteps = <Match>(
  rules: ReadonlyArray<Rule<Match>>,
  texts: Texts,
  next: Next<Match>
): Next<Match> => {
  const shared = rules.length > 1 ? hoist(rules.map(({ condition }) => condition)) : []
  const first = rules.reduceRight<Next<Match>>((weaker, { condition, match }) => {
    const matched: Step<Match> = { place: 0, min: 0, match, ifTrue: next, ifFalse: next }
    return ask(toFormula(without(condition, shared), texts), matched, weaker)
  }, next)
  return ask(toFormula({ all: shared }, texts), first, next)
}

export const walk = <Match>(start: Step<Match> | null, values: Float64Array): Array<Match> => {
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
