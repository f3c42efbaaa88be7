/** Explains every rule of a rulebook for one record of facts, why it holds or how near it is to holding, and the entries of its catalogue. */

import type { Action } from "../../domain/Action.ts"
import type { Assumption, Opinion, Severity } from "../../domain/Opinion.ts"
import { nearMissPercentMax } from "../../limits.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { entriesOfCall, knowledgeAt } from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { isAssumed } from "../../scoring/renderMessage.ts"
import { policyRuleGroups, releaseRuleGroups, type Rulebook, type RuleGroup } from "../Rulebook.ts"
import { defaultNow } from "../cases/Situation.ts"
import {
  atomHolds,
  type Comparison,
  type Condition,
  type ConditionAtom,
  isComparison
} from "../language/Rule.ts"

export interface ExplainedRule {
  readonly kind: RuleGroup["kind"]
  /** A factor's code, a typology's name, a policy rule's id. */
  readonly code: string
  readonly name: string
  /** The result of a match: a factor's severity, a typology's floor, a policy rule's effect. */
  readonly gives: Severity | number | string
  readonly tree: Trace
  readonly near: boolean
}

type GroupRule = RuleGroup["rules"][number]

const givesOf = ({ match }: GroupRule): ExplainedRule["gives"] => {
  if ("severity" in match) return match.severity
  return "effect" in match ? match.effect : match.floor
}

const explainRuleGroup = ({ code, kind, rules }: RuleGroup, facts: Facts): ReadonlyArray<ExplainedRule> =>
  rules.map((rule) => {
    const tree = trace(rule.condition, facts)
    return { kind, code, name: rule.name, gives: givesOf(rule), tree, near: isNear(tree) }
  })

/** Factors first, then typologies, then policies; each in the order of the files. */
export const explainRules = ({ policies, release }: Rulebook, facts: Facts): ReadonlyArray<ExplainedRule> =>
  [...releaseRuleGroups(release), ...policyRuleGroups(policies)].flatMap((ruleGroup) =>
    explainRuleGroup(ruleGroup, facts)
  )

/** Sorts rules that do not hold, the nearest to holding first. */
export const byNearness = (a: ExplainedRule, b: ExplainedRule): number =>
  distance(lacking(a.tree)) - distance(lacking(b.tree))

/** An entry of the catalogue that covers a request, and its effect. */
export interface ExplainedEntry {
  readonly entry: string
  readonly expired: boolean
  readonly reading: boolean
  readonly fills: ReadonlyArray<Pick<Assumption, "assumed" | "field">>
}

/** `now`: the instant of the case, if it has one. */
export const explainEntries = (
  { policies: { policySet }, release: { model } }: Rulebook,
  action: Action,
  { assumptions, reading }: Opinion,
  now = defaultNow
): ReadonlyArray<ExplainedEntry> => {
  const { catalogue } = policySet
  if (catalogue === undefined) return []
  const found = entriesOfCall(action, catalogue, model.lexicon.vocabulary, undefined)
  const { day = "" } = knowledgeAt(policySet, Date.parse(now))
  const ofCall = [...(found?.exact ?? []), ...(found?.broad ?? [])]
  // An entry about people or places is no entry about the call.
  const further = catalogue.entries.filter((entry) => entry.id === reading.entry && !ofCall.includes(entry))
  return [...ofCall, ...further].map(({ id, reviewBy }) => ({
    entry: id,
    expired: reviewBy < day,
    reading: reading.entry === id,
    fills: assumptions.flatMap(({ assumed, entry, field }) => (entry === id ? [{ field, assumed }] : []))
  }))
}

type Value = Facts[keyof Facts]

export interface AtomTrace {
  readonly kind: "atom"
  readonly atom: ConditionAtom
  readonly actual: Value
  readonly result: boolean
  /** The request left the field out, and the score filled in the value. */
  readonly assumed?: true
  /** How far a failing comparison is from holding, in the fact's own unit. */
  readonly shortBy?: number
}

interface GroupTrace {
  readonly kind: "all" | "any"
  readonly terms: ReadonlyArray<Trace>
  readonly result: boolean
}

/** A condition with the value that each of its atoms saw: the tree that an explanation shows. */
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

const traceAtom = (atom: ConditionAtom, facts: Facts): AtomTrace => {
  const actual = facts[atom.fact]
  const result = atomHolds(atom, actual)
  const fallsShort = !result && isComparison(atom) && typeof actual === "number"
  return {
    kind: "atom",
    atom,
    actual,
    result,
    ...(isAssumed(atom.fact, facts) ? { assumed: true } : {}),
    ...(fallsShort ? { shortBy: shortfall(atom, actual) } : {})
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
export const atomTraces = (tree: Trace): ReadonlyArray<AtomTrace> =>
  tree.kind === "atom" ? [tree] : tree.terms.flatMap(atomTraces)

/** 0-1. A number that lacks its whole threshold counts 1, like a name or a flag with another value. */
const shareOf = ({ atom, shortBy }: AtomTrace): number =>
  shortBy === undefined ? 1 : Math.min(1, shortBy / Math.max(1, Number(atom.value)))

/** Smaller is nearer. The number of lacking atoms decides first, then how far their values are from the thresholds. */
export const distance = (atoms: ReadonlyArray<AtomTrace>): number =>
  atoms.reduce((sum, atom) => sum + 1 + shareOf(atom), 0)

/** The smallest set of atoms that would have to change for the tree to hold; empty if it holds. */
export const lacking = (tree: Trace): ReadonlyArray<AtomTrace> => {
  if (tree.result) return []
  if (tree.kind === "atom") return [tree]
  const perTerm = tree.terms.filter(({ result }) => !result).map(lacking)
  if (tree.kind === "all") return perTerm.flat()
  return perTerm.reduce((least, other) => (distance(other) < distance(least) ? other : least))
}

/** True if one number alone misses its threshold, by a small share of it or by a single step. A value of 0 is never near. */
export const isNear = (tree: Trace): boolean => {
  const [only, ...more] = lacking(tree)
  if (only?.shortBy === undefined || only.actual === 0 || more.length > 0) return false
  return only.shortBy <= Math.max(1, (Number(only.atom.value) * nearMissPercentMax) / 100)
}
