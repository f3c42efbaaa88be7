/** Lints about the meaning of conditions: rules and terms that never hold, always hold, or never change the result. */

import type { Facts } from "../../scoring/Facts.ts"
import type { FileProblem } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
import type { Term } from "../analysis/Term.ts"
import {
  alwaysHolds,
  alwaysShadowed,
  conditionImplies,
  type ForAllAnswer,
  neverHolds
} from "../analysis/satisfiability.ts"
import { describeCondition } from "../explain/describeCondition.ts"
import { type Condition, conditionHolds, type FactorRule, type Rule } from "../language/Rule.ts"

const checkRuleMeaning = (
  rule: Rule<unknown>,
  index: number,
  analyzer: ConditionAnalyzer
): ReadonlyArray<FileProblem> => {
  const path = ["rules", index, "conditions"]
  if (analyzer.never(rule.condition)) {
    return [{ rule: "never-matches", path, message: `\`${rule.name}\` can hold for no request` }]
  }
  if (analyzer.always(rule.condition)) {
    return [{ rule: "always-matches", path, message: `\`${rule.name}\` holds for every request` }]
  }
  return redundantTerms(rule.condition, analyzer).map((problem) => ({
    ...problem,
    path: [...path, ...problem.path]
  }))
}

/** Goes from the last rule to the first and drops each shadowed one, so of two equal rules only the later is reported. */
const checkShadowed = (
  rules: ReadonlyArray<FactorRule>,
  analyzer: ConditionAnalyzer
): ReadonlyArray<FileProblem> => {
  let deciding = rules
  return rules
    .map((rule, index) => ({ rule, index }))
    .toReversed()
    .flatMap(({ index, rule }): ReadonlyArray<FileProblem> => {
      if (analyzer.never(rule.condition)) return []
      const others = deciding.filter((other) => other !== rule)
      if (others.length === 0 || !analyzer.neverDecides(rule, others)) return []
      deciding = others
      const message = `\`${rule.name}\` never decides: a rule as severe or more so holds whenever it does`
      return [{ rule: "shadowed", path: ["rules", index, "conditions"], message }]
    })
}

export const checkMeaning = (
  ruleGroup: RuleGroup,
  analyzer: ConditionAnalyzer
): ReadonlyArray<FileProblem> => [
  ...ruleGroup.rules.flatMap((rule, i) => checkRuleMeaning(rule, i, analyzer)),
  ...(ruleGroup.kind === "factor" ? checkShadowed(ruleGroup.rules, analyzer) : [])
]

/** Whether the condition means the same without the term. */
const isRedundant = (
  whole: Condition,
  { group, without }: TermInContext,
  { implies }: ConditionAnalyzer
): boolean => {
  if (without === null) return false
  return group === "all" ? implies(without, whole) : implies(whole, without)
}

const explainRedundant = (
  { alone, group, path, term }: TermInContext,
  { always, never }: ConditionAnalyzer
): FileProblem => {
  const words = describeCondition(term)
  if (group === "any") {
    return never(alone)
      ? { rule: "never-matches", path, message: `this branch can hold for no request: ${words}` }
      : { rule: "shadowed", path, message: `another branch holds whenever this one does: ${words}` }
  }
  return always(term)
    ? { rule: "always-matches", path, message: `this holds for every request and asks nothing: ${words}` }
    : { rule: "duplicate-condition", path, message: `what stands beside it asks this already: ${words}` }
}

/** Outer terms first, and later terms before earlier ones: of two equal terms the later one is redundant. */
const outermostFirst = (condition: Condition): ReadonlyArray<TermInContext> =>
  termsOf(condition)
    .toReversed()
    .toSorted((a, b) => a.path.length - b.path.length)

/** Finds one redundant term at a time and searches the next in the condition without it. */
const redundantTerms = (condition: Condition, analyzer: ConditionAnalyzer): ReadonlyArray<FileProblem> => {
  const found = outermostFirst(condition).find((term) => isRedundant(condition, term, analyzer))
  return found?.without == null
    ? []
    : [explainRedundant(found, analyzer), ...redundantTerms(found.without, analyzer)]
}

type Path = FileProblem["path"]
type Group = "all" | "any"

interface TermInContext {
  readonly path: Path
  /** The kind of the group that contains the term. */
  readonly group: Group
  readonly term: Condition
  /** The whole condition without the term; null if the term is alone in its group. */
  readonly without: Condition | null
  /** The whole condition with the term alone in its group. */
  readonly alone: Condition
}

const groupOf = (condition: Condition): readonly [Group, ReadonlyArray<Condition>] | null => {
  if ("all" in condition) return ["all", condition.all]
  return "any" in condition ? ["any", condition.any] : null
}

const build = (group: Group, terms: ReadonlyArray<Condition>): Condition =>
  group === "all" ? { all: terms } : { any: terms }

/** Every term of a condition, outer ones before inner ones; `around` puts `condition` back into the whole condition. */
const termsOf = (
  condition: Condition,
  path: Path = [],
  around: (inner: Condition) => Condition = (inner) => inner
): ReadonlyArray<TermInContext> => {
  const group = groupOf(condition)
  if (group === null) return []
  const [kind, terms] = group
  return terms.flatMap((term, i) => {
    const own = [...path, kind, i]
    return [
      {
        path: own,
        group: kind,
        term,
        without: terms.length === 1 ? null : around(build(kind, terms.toSpliced(i, 1))),
        alone: around(build(kind, [term]))
      },
      ...termsOf(term, own, (inner) => around(build(kind, terms.with(i, inner))))
    ]
  })
}

/** Each method answers true only if the analysis proves it within its bounds; an undecided question answers false. */
export interface ConditionAnalyzer {
  readonly never: (condition: Condition) => boolean
  readonly always: (condition: Condition) => boolean
  readonly implies: (narrow: Condition, wide: Condition) => boolean
  /** `others`: the other rules of the same factor. */
  readonly neverDecides: (rule: FactorRule, others: ReadonlyArray<FactorRule>) => boolean
}

/**
 * Keeps the counterexamples that it finds: they refute most later questions without another analysis.
 * `possible` holds for the facts that can occur together.
 */
export const makeConditionAnalyzer = (possible: Term): ConditionAnalyzer => {
  const examples: Array<Facts> = []
  const learn = (answer: ForAllAnswer): boolean => {
    if (answer.is === "no") examples.push(answer.example)
    return answer.is === "yes"
  }
  const refuted = (refutes: (facts: Facts) => boolean): boolean => examples.some(refutes)
  return {
    never: (condition) =>
      !refuted((facts) => conditionHolds(condition, facts)) && learn(neverHolds(condition, possible)),
    always: (condition) =>
      !refuted((facts) => !conditionHolds(condition, facts)) && learn(alwaysHolds(condition, possible)),
    implies: (narrow, wide) =>
      !refuted((facts) => conditionHolds(narrow, facts) && !conditionHolds(wide, facts)) &&
      learn(conditionImplies(narrow, wide, possible)),
    neverDecides: (rule, others) => learn(alwaysShadowed(rule, others, possible))
  }
}
