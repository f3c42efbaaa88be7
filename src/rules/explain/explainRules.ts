/** Every rule of a rulebook with what it asked and saw: why it holds, or how near it came. */

import type { Severity } from "../../domain/Opinion.ts"
import { nearMissPercentMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { isAssumed } from "../../scoring/renderMessage.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook, type RuleGroup } from "../Rulebook.ts"
import { atomHolds, type Choice, type Comparison, type Condition, isComparison } from "../language/Rule.ts"

export interface ExplainedRule {
  readonly kind: RuleGroup["kind"]
  /** A factor's code, a typology's name, a policy rule's id. */
  readonly code: string
  readonly name: string
  /** What it gives where it holds: a severity, the floor of a typology, the effect of a policy rule. */
  readonly gives: Severity | number | string
  readonly tree: Trace
  readonly near: boolean
}

type LadderRule = RuleGroup["rules"][number]

const givesOf = ({ match }: LadderRule): ExplainedRule["gives"] => {
  if ("severity" in match) return match.severity
  return "effect" in match ? match.effect : match.floor
}

const explainRuleGroup = ({ code, kind, rules }: RuleGroup, facts: Facts): ReadonlyArray<ExplainedRule> =>
  rules.map((rule) => {
    const tree = trace(rule.condition, facts)
    return { kind, code, name: rule.name, gives: givesOf(rule), tree, near: isNear(tree) }
  })

/** In the order of the files; typologies after factors, policies last. */
export const explainRules = ({ policies, release }: Rulebook, facts: Facts): ReadonlyArray<ExplainedRule> =>
  [...releaseRuleGroups(release), ...policyRuleGroups(policies)].flatMap((ladder) =>
    explainRuleGroup(ladder, facts)
  )

/** Nearest first, as far as they do not hold. */
export const byNearness = (a: ExplainedRule, b: ExplainedRule): number =>
  distance(lacking(a.tree)) - distance(lacking(b.tree))

/** A condition with what each of its questions saw: the tree that an explanation shows. */
export type TracedAtom = Comparison | Choice
type Value = Facts[keyof Facts]

export interface AtomTrace {
  readonly kind: "atom"
  readonly atom: TracedAtom
  readonly actual: Value
  readonly result: boolean
  /** The value was completed, because its field was left out. */
  readonly assumed?: true
  /** How far a comparison that fails is from holding, in the fact's own unit. */
  readonly shortBy?: number
}

interface GroupTrace {
  readonly kind: "all" | "any"
  readonly terms: ReadonlyArray<Trace>
  readonly result: boolean
}

export type Trace = AtomTrace | GroupTrace

const shortfall = ({ operator, value }: Comparison, actual: number): number => {
  switch (operator) {
    case "greaterThan":
      return value + 1 - actual
    case "greaterThanInclusive":
      return value - actual
    case "lessThan":
      return actual - value + 1
    case "lessThanInclusive":
      return actual - value
  }
}

const traceAtom = (atom: TracedAtom, facts: Facts): AtomTrace => {
  const actual = facts[atom.fact]
  const result = atomHolds(atom, actual)
  const short = !result && isComparison(atom) && typeof actual === "number"
  return {
    kind: "atom",
    atom,
    actual,
    result,
    ...(isAssumed(atom.fact, facts) ? { assumed: true } : {}),
    ...(short ? { shortBy: shortfall(atom, actual) } : {})
  }
}

export const trace = (condition: Condition, facts: Facts): Trace => {
  if ("all" in condition) {
    const terms = condition.all.map((term) => trace(term, facts))
    return { kind: "all", terms, result: terms.every(({ result }) => result) }
  }
  if ("any" in condition) {
    const terms = condition.any.map((term) => trace(term, facts))
    return { kind: "any", terms, result: terms.some(({ result }) => result) }
  }
  return traceAtom(condition, facts)
}

/** In the order of the file. */
export const atomsOf = (tree: Trace): ReadonlyArray<AtomTrace> =>
  tree.kind === "atom" ? [tree] : tree.terms.flatMap(atomsOf)

/**
 * What a rule that does not hold still lacks, and how near it is to holding.
 * A figure that lacks all of its threshold is as far as a name or a flag that is another one.
 */
const shareOf = ({ atom, shortBy }: AtomTrace): number =>
  shortBy === undefined ? 1 : Math.min(1, shortBy / Math.max(1, Number(atom.value)))

/** Smaller is nearer: how many questions are lacking, and within that how far their figures are from their thresholds. */
export const distance = (atoms: ReadonlyArray<AtomTrace>): number =>
  atoms.reduce((sum, atom) => sum + 1 + shareOf(atom), 0)

/** The fewest questions that would have to be answered otherwise for the tree to hold; none where it does. */
export const lacking = (tree: Trace): ReadonlyArray<AtomTrace> => {
  if (tree.result) return []
  if (tree.kind === "atom") return [tree]
  const each = tree.terms.filter(({ result }) => !result).map(lacking)
  if (tree.kind === "all") return each.flat()
  return each.reduce((least, some) => (distance(some) < distance(least) ? some : least))
}

/** One figure away, and by little of its threshold or by a single step. What has not begun to rise is not near. */
export const isNear = (tree: Trace): boolean => {
  const [only, ...more] = lacking(tree)
  if (only?.shortBy === undefined || only.actual === 0 || more.length > 0) return false
  return only.shortBy <= Math.max(1, (Number(only.atom.value) * nearMissPercentMax) / 100)
}
