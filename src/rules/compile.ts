/** The compiled evaluator: rules become a graph of questions once at load; evaluation is synchronous and order-free. */

import { actionClasses } from "../domain/ActionType.ts"
import type { Facts } from "../scoring/Facts.ts"
import type { PolicyMatches, RuleMatches } from "../scoring/Model.ts"
import { byCodeUnit } from "./byCodeUnit.ts"
import { bySeverity } from "./bySeverity.ts"
import { assume } from "./compile/assume.ts"
import { encodeFacts, type Texts } from "./compile/encodeFacts.ts"
import { ladderSteps, type Step, walk } from "./compile/Step.ts"
import { textsOf } from "./compile/textsOf.ts"
import type { PolicyRule, Rule, RuleSet } from "./Rule.ts"

type Ladder<Match> = ReadonlyArray<Rule<Match>>

/** Rules that give the same key, together; keys ascending. */
const ladders = <Match>(
  rules: ReadonlyArray<Rule<Match>>,
  keyOf: (match: Match) => string
): ReadonlyArray<Ladder<Match>> =>
  [...Map.groupBy(rules, ({ match }) => keyOf(match))]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([, ladder]) => ladder)

/** The rules that can still hold once some facts are known, without the questions that those settle. */
const open = <Match>(ladder: Ladder<Match>, known: Partial<Facts>): Ladder<Match> =>
  ladder.flatMap((rule) => {
    const rest = assume(rule.condition, known)
    if (rest === false) return []
    return [{ ...rule, condition: rest === true ? { all: [] } : rest }]
  })

/** One graph for each action class: most rules ask for the class, and most of those for another one. */
const byClass = <Match>(sorted: ReadonlyArray<Ladder<Match>>, texts: Texts) =>
  new Map<string, Step<Match> | null>(
    actionClasses.map((name) => [
      name,
      sorted.reduceRight<Step<Match> | null>(
        (next, ladder) => ladderSteps(open(ladder, { action_class: name }), texts, next),
        null
      )
    ])
  )

export const compileRules = ({ factors, typologies }: RuleSet): ((facts: Facts) => RuleMatches) => {
  const texts = textsOf([...factors, ...typologies])
  const strongestFirst = ladders(factors, ({ code }) => code).map((ladder) =>
    ladder.toSorted((a, b) => bySeverity(a.match, b.match))
  )
  const factorSteps = byClass(strongestFirst, texts)
  const typologySteps = byClass(
    ladders(typologies, ({ name }) => name),
    texts
  )
  return (facts) => {
    const values = encodeFacts(facts, texts)
    return {
      factors: walk(factorSteps.get(facts.action_class) ?? null, values),
      typologies: walk(typologySteps.get(facts.action_class) ?? null, values)
    }
  }
}

export const compilePolicies = (rules: ReadonlyArray<PolicyRule>): ((facts: Facts) => PolicyMatches) => {
  const texts = textsOf(rules)
  const steps = byClass(
    ladders(rules, ({ rule }) => rule),
    texts
  )
  return (facts) => {
    const first = steps.get(facts.action_class) ?? null
    // Most organizations have no rule for most classes, and then there is nothing to encode the facts for.
    return { matched: first === null ? [] : walk(first, encodeFacts(facts, texts)), incomplete: false }
  }
}
