/** Lints about the meaning of conditions: rules and terms that never hold, always hold, or never affect the result. */

import type { Facts } from "../../scoring/Facts.ts"
import type { FileProblem } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { all, not, type Term, termHolds, termOf } from "../analysis/Term.ts"
import { describeCondition } from "../explain/describeCondition.ts"
import {
  bySeverity,
  type Condition,
  type FactorRule,
  type GroupKind,
  groupTerms,
  groupWith,
  type Rule
} from "../language/Rule.ts"
import { findFacts } from "../analysis/satisfiability.ts"

/** True only if the analysis proves, within its limits, that the term holds for no possible facts. */
type NeverHolds = (term: Term) => boolean

/** `possible`: true for facts that can occur together. Facts found by the analysis answer most later questions without another analysis. */
export const neverHoldsIn = (possible: Term): NeverHolds => {
  const examples: Array<Facts> = []
  return (term) => {
    if (examples.some((facts) => termHolds(term, facts))) return false
    const found = findFacts(all(term, possible))
    if (typeof found === "object") examples.push(found)
    return found === "none"
  }
}

const checkRuleMeaning = (
  { condition, name }: Rule<unknown>,
  index: number,
  never: NeverHolds
): ReadonlyArray<FileProblem> => {
  const path = ["rules", index, "conditions"]
  if (never(termOf(condition))) {
    return [{ rule: "never-matches", path, message: `\`${name}\` cannot hold for any request` }]
  }
  if (never(not(termOf(condition)))) {
    return [{ rule: "always-matches", path, message: `\`${name}\` holds for every request` }]
  }
  return redundantTerms(condition, never).map((problem) => ({ ...problem, path: [...path, ...problem.path] }))
}

/** Goes from the last rule to the first and drops shadowed ones, so that of two equal rules only the later one is reported. */
const checkShadowed = (rules: ReadonlyArray<FactorRule>, never: NeverHolds): ReadonlyArray<FileProblem> => {
  let deciding = rules
  return rules
    .map((rule, index) => ({ rule, index }))
    .toReversed()
    .flatMap(({ index, rule }): ReadonlyArray<FileProblem> => {
      const term = termOf(rule.condition)
      if (never(term)) return []
      const others = deciding.filter((other) => other !== rule)
      const stronger = others.filter(({ match }) => bySeverity(match, rule.match) <= 0)
      const noneHolds = stronger.map(({ condition }) => not(termOf(condition)))
      if (stronger.length === 0 || !never(all(term, ...noneHolds))) return []
      deciding = others
      const message = `\`${rule.name}\` never decides: a rule that is at least as severe holds whenever it does`
      return [{ rule: "shadowed", path: ["rules", index, "conditions"], message }]
    })
}

export const checkMeaning = (ruleGroup: RuleGroup, never: NeverHolds): ReadonlyArray<FileProblem> => [
  ...ruleGroup.rules.flatMap((rule, i) => checkRuleMeaning(rule, i, never)),
  ...(ruleGroup.kind === "factor" ? checkShadowed(ruleGroup.rules, never) : [])
]

/** Whether the condition keeps its meaning without the term. */
const isRedundant = (whole: Condition, { group, without }: TermInContext, never: NeverHolds): boolean => {
  if (without === null) return false
  const [narrow, wide] = group === "all" ? [without, whole] : [whole, without]
  return never(all(termOf(narrow), not(termOf(wide))))
}

const explainRedundant = ({ alone, group, path, term }: TermInContext, never: NeverHolds): FileProblem => {
  const words = describeCondition(term)
  if (group === "any") {
    return never(termOf(alone))
      ? { rule: "never-matches", path, message: `this branch cannot hold for any request: ${words}` }
      : { rule: "shadowed", path, message: `another branch holds whenever this one does: ${words}` }
  }
  return never(not(termOf(term)))
    ? { rule: "always-matches", path, message: `this holds for every request and tests nothing: ${words}` }
    : { rule: "duplicate-condition", path, message: `the conditions next to it already test this: ${words}` }
}

/** Outer terms first, and later terms before earlier ones, so that of two equal terms the later one is redundant. */
const outermostFirst = (condition: Condition): ReadonlyArray<TermInContext> =>
  termsOf(condition)
    .toReversed()
    .toSorted((a, b) => a.path.length - b.path.length)

/** Finds one redundant term at a time, and looks for the next in the condition without it. */
const redundantTerms = (condition: Condition, never: NeverHolds): ReadonlyArray<FileProblem> => {
  const found = outermostFirst(condition).find((term) => isRedundant(condition, term, never))
  return found?.without == null
    ? []
    : [explainRedundant(found, never), ...redundantTerms(found.without, never)]
}

type Path = FileProblem["path"]
interface TermInContext {
  readonly path: Path
  /** The kind of the group that contains the term. */
  readonly group: GroupKind
  readonly term: Condition
  /** The whole condition without the term; null if its group has no other term. */
  readonly without: Condition | null
  /** The whole condition with this as the only term of its group. */
  readonly alone: Condition
}

/** Every term of a condition, outer ones first. `around` puts `condition` back into the whole condition. */
const termsOf = (
  condition: Condition,
  path: Path = [],
  around: (inner: Condition) => Condition = (inner) => inner
): ReadonlyArray<TermInContext> => {
  const group = groupTerms(condition)
  if (group === null) return []
  const [kind, terms] = group
  const build = (inner: ReadonlyArray<Condition>): Condition => around(groupWith(kind, inner))
  return terms.flatMap((term, i) => {
    const own = [...path, kind, i]
    return [
      {
        path: own,
        group: kind,
        term,
        without: terms.length === 1 ? null : build(terms.toSpliced(i, 1)),
        alone: build([term])
      },
      ...termsOf(term, own, (inner) => build(terms.with(i, inner)))
    ]
  })
}
