/** Explains for one facts record why each rule of a rulebook holds or how close it is to holding, and which catalogue entries apply. */

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
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly code: string
  readonly name: string
  /** The result of a match: the severity of a factor, the floor of a typology, or the effect of a policy rule. */
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

/** Factors first, then typologies, then policies, each in file order. */
export const explainRules = ({ policies, release }: Rulebook, facts: Facts): ReadonlyArray<ExplainedRule> =>
  [...releaseRuleGroups(release), ...policyRuleGroups(policies)].flatMap((ruleGroup) =>
    explainRuleGroup(ruleGroup, facts)
  )

/** Sorts rules that do not hold; the closest to holding comes first. */
export const byNearness = (a: ExplainedRule, b: ExplainedRule): number =>
  distance(lacking(a.tree)) - distance(lacking(b.tree))

/** A catalogue entry that covers a request, and its effect. */
export interface ExplainedEntry {
  readonly entry: string
  readonly expired: boolean
  readonly reading: boolean
  readonly fills: ReadonlyArray<Pick<Assumption, "assumed" | "field">>
}

/** `now`: the time of the case, if it states one. */
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
  // Entries about people or places are not about the call itself, so they are looked up separately.
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
  /** The request omitted the field, and the score assumed the value. */
  readonly assumed?: true
  /** How far a failing comparison is from holding, in the unit of the fact. */
  readonly shortBy?: number
}

interface GroupTrace {
  readonly kind: "all" | "any"
  readonly terms: ReadonlyArray<Trace>
  readonly result: boolean
}

/** A condition with the value that each of its atoms got, for an explanation. */
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

/** In file order. */
export const atomTraces = (tree: Trace): ReadonlyArray<AtomTrace> =>
  tree.kind === "atom" ? [tree] : tree.terms.flatMap(atomTraces)

/** From 0 to 1: the missing share of the threshold. For names and flags with a different value, 1. */
const shareOf = ({ atom, shortBy }: AtomTrace): number =>
  shortBy === undefined ? 1 : Math.min(1, shortBy / Math.max(1, Number(atom.value)))

/** Smaller means closer. The number of failing atoms decides first, then how far their values are from the thresholds. */
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

/** Whether a single number misses its threshold by a small share or by one step. A value of 0 is never near. */
export const isNear = (tree: Trace): boolean => {
  const [only, ...more] = lacking(tree)
  if (only?.shortBy === undefined || only.actual === 0 || more.length > 0) return false
  return only.shortBy <= Math.max(1, (Number(only.atom.value) * nearMissPercentMax) / 100)
}
