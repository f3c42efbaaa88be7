/** Lints about the meaning of conditions: rules and terms that never hold, always hold, or never decide alone. */

import type { Facts } from "../../scoring/Facts.ts"
import type { Numbers } from "../../scoring/Model.ts"
import type { FileProblem } from "../Finding.ts"
import type { RuleGroup } from "../Rulebook.ts"
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
  inquiry: ConditionAnalyzer
): ReadonlyArray<FileProblem> => {
  const path = ["rules", index, "conditions"]
  if (inquiry.never(rule.condition)) {
    return [{ rule: "never-matches", path, message: `\`${rule.name}\` can hold for no request` }]
  }
  if (inquiry.always(rule.condition)) {
    return [{ rule: "always-matches", path, message: `\`${rule.name}\` holds for every request` }]
  }
  return redundantTerms(rule.condition, inquiry).map((problem) => ({
    ...problem,
    path: [...path, ...problem.path]
  }))
}

/** From the last rule to the first, each among those not yet found shadowed: of two alike only the later is. */
const checkShadowed = (
  rules: ReadonlyArray<FactorRule>,
  inquiry: ConditionAnalyzer
): ReadonlyArray<FileProblem> => {
  let deciding = rules
  return rules
    .map((rule, index) => ({ rule, index }))
    .toReversed()
    .flatMap(({ index, rule }): ReadonlyArray<FileProblem> => {
      if (inquiry.never(rule.condition)) return []
      const others = deciding.filter((other) => other !== rule)
      if (others.length === 0 || !inquiry.neverDecides(rule, others)) return []
      deciding = others
      const message = `\`${rule.name}\` never decides: a rule as severe or more so holds whenever it does`
      return [{ rule: "shadowed", path: ["rules", index, "conditions"], message }]
    })
}

export const checkMeaning = (ladder: RuleGroup, inquiry: ConditionAnalyzer): ReadonlyArray<FileProblem> => [
  ...ladder.rules.flatMap((rule, i) => checkRuleMeaning(rule, i, inquiry)),
  ...(ladder.kind === "factor" ? checkShadowed(ladder.rules, inquiry) : [])
]

/** Terms that could be taken out of a condition without changing what it says, and why each is idle. */
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
  const said = describeCondition(term)
  if (group === "any") {
    return never(alone)
      ? { rule: "never-matches", path, message: `this branch can hold for no request: ${said}` }
      : { rule: "shadowed", path, message: `another branch holds whenever this one does: ${said}` }
  }
  return always(term)
    ? { rule: "always-matches", path, message: `this holds for every request and asks nothing: ${said}` }
    : { rule: "duplicate-condition", path, message: `what stands beside it asks this already: ${said}` }
}

/** Outer terms first, later ones before earlier ones: of two that say the same, the later is the idle one. */
const outermostFirst = (condition: Condition): ReadonlyArray<TermInContext> =>
  termsOf(condition)
    .toReversed()
    .toSorted((a, b) => a.path.length - b.path.length)

/** One at a time, each found in what is left without the others. */
const redundantTerms = (condition: Condition, inquiry: ConditionAnalyzer): ReadonlyArray<FileProblem> => {
  const found = outermostFirst(condition).find((term) => isRedundant(condition, term, inquiry))
  return found?.without == null
    ? []
    : [explainRedundant(found, inquiry), ...redundantTerms(found.without, inquiry)]
}

/** The terms of a condition, each with its place and with what the condition is without it. */
type Path = FileProblem["path"]
type Group = "all" | "any"

interface TermInContext {
  readonly path: Path
  /** The group that it stands in. */
  readonly group: Group
  readonly term: Condition
  /** The whole condition without it; null where it is alone in its group. */
  readonly without: Condition | null
  /** The whole condition with nothing beside it in its group. */
  readonly alone: Condition
}

const groupOf = (condition: Condition): readonly [Group, ReadonlyArray<Condition>] | null => {
  if ("all" in condition) return ["all", condition.all]
  return "any" in condition ? ["any", condition.any] : null
}

const build = (group: Group, terms: ReadonlyArray<Condition>): Condition =>
  group === "all" ? { all: terms } : { any: terms }

/** Outer terms before inner ones; `around` puts the condition back into the whole. */
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

/**
 * Questions about the meaning of conditions; facts that answered one are tried on the next, since they mostly answer it too.
 * Each true only where it is certain; what could not be decided within the bounds of the analysis is not.
 */
export interface ConditionAnalyzer {
  readonly never: (condition: Condition) => boolean
  readonly always: (condition: Condition) => boolean
  readonly implies: (narrow: Condition, wide: Condition) => boolean
  /** Among the other rules of its factor. */
  readonly neverDecides: (rule: FactorRule, others: ReadonlyArray<FactorRule>) => boolean
}

export const makeConditionAnalyzer = (numbers: Numbers): ConditionAnalyzer => {
  const examples: Array<Facts> = []
  const learn = (answer: ForAllAnswer): boolean => {
    if (answer.is === "no") examples.push(answer.example)
    return answer.is === "yes"
  }
  const refuted = (refutes: (facts: Facts) => boolean): boolean => examples.some(refutes)
  return {
    never: (condition) =>
      !refuted((facts) => conditionHolds(condition, facts)) && learn(neverHolds(condition, numbers)),
    always: (condition) =>
      !refuted((facts) => !conditionHolds(condition, facts)) && learn(alwaysHolds(condition, numbers)),
    implies: (narrow, wide) =>
      !refuted((facts) => conditionHolds(narrow, facts) && !conditionHolds(wide, facts)) &&
      learn(conditionImplies(narrow, wide, numbers)),
    neverDecides: (rule, others) => learn(alwaysShadowed(rule, others, numbers))
  }
}
