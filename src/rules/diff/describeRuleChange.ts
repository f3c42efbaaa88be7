/** Describes in plain words how the rules of one factor, typology or policy rule changed. */

import { isDeepStrictEqual } from "node:util"
import { renderFigure } from "../../scoring/renderMessage.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { describeAtom, describeCondition, factWords } from "../explain/describeCondition.ts"
import {
  type Choice,
  type Comparison,
  type Condition,
  type ConditionAtom,
  factKind,
  isComparison
} from "../language/Rule.ts"

type GroupRule = RuleGroup["rules"][number]

/** `high with hazard 30 % when the destination is novel` */
export const describeRule = (rule: GroupRule): string => {
  const hazard = hazardOf(rule)
  const carried = hazard === 0 ? "" : ` with hazard ${percent(hazard)}`
  return `${effectOf(rule)}${carried} when ${describeCondition(rule.condition)}`
}

type Likeness = (before: GroupRule, after: GroupRule) => boolean

const givesTheSame: Likeness = (before, after) => effectOf(before) === effectOf(after)
const asksTheSame: Likeness = (before, after) => isDeepStrictEqual(before.condition, after.condition)

/** Closest likeness first, so that no rule takes the counterpart of a more similar one. */
const likenesses: ReadonlyArray<Likeness> = [
  (before, after) => givesTheSame(before, after) && asksTheSame(before, after),
  givesTheSame,
  asksTheSame
]

const counterparts = (from: ReadonlyArray<GroupRule>, to: ReadonlyArray<GroupRule>) => {
  const found = new Map<GroupRule, GroupRule>()
  const taken = new Set<GroupRule>()
  for (const isAlike of likenesses) {
    for (const after of to) {
      if (found.has(after)) continue
      const before = from.find((rule) => !taken.has(rule) && isAlike(rule, after))
      if (before === undefined) continue
      found.set(after, before)
      taken.add(before)
    }
  }
  return { found, removed: from.filter((rule) => !taken.has(rule)) }
}

const describeChangedRule = (before: GroupRule, after: GroupRule): ReadonlyArray<string> => {
  const [was, is] = [effectOf(before), effectOf(after)]
  const sameCondition = isDeepStrictEqual(before.condition, after.condition)
  const [hadHazard, hasHazard] = [hazardOf(before), hazardOf(after)]
  return [
    ...(was === is ? [] : [`${is}, was ${was}, when ${describeCondition(after.condition)}`]),
    ...(sameCondition ? [] : [`${is} ${describeConditionChange(before.condition, after.condition)}`]),
    ...(hadHazard === hasHazard ? [] : [`${is} with hazard ${percent(hasHazard)}, was ${percent(hadHazard)}`])
  ]
}

/** One phrase for each rule that changed; none if only texts changed. */
export const describeGroupChange = (from: RuleGroup, to: RuleGroup): ReadonlyArray<string> => {
  const { found, removed } = counterparts(from.rules, to.rules)
  return [
    ...removed.map((rule) => `no longer ${describeRule(rule)}`),
    ...to.rules.flatMap((after) => {
      const before = found.get(after)
      return before === undefined ? [`now ${describeRule(after)}`] : describeChangedRule(before, after)
    })
  ]
}

type Group = "all" | "any"

const termsOf = (condition: Condition, group: Group): ReadonlyArray<Condition> => {
  if (group === "all" && "all" in condition) return condition.all
  if (group === "any" && "any" in condition) return condition.any
  return [condition]
}

const isAtom = (condition: Condition): condition is ConditionAtom =>
  !("all" in condition) && !("any" in condition)

const lacking = (terms: ReadonlyArray<Condition>, others: ReadonlyArray<Condition>) =>
  terms.filter((term) => !others.some((other) => isDeepStrictEqual(term, other)))

/** ` entities`, ` times the usual` */
const unitOf = ({ fact }: Comparison): string => {
  const [words, kind] = [factWords[fact], factKind(fact)]
  if ("unit" in words && words.unit !== undefined) return words.unit
  const named = kind.kind === "count" && (kind.unit === "entities" || kind.unit === "records")
  return named ? ` ${kind.unit}` : ""
}

const threshold = (from: Comparison, to: Comparison): string => {
  const figure = ({ fact, value }: Comparison) => renderFigure(fact, value)
  const rises = from.operator === "greaterThanInclusive" && to.operator === from.operator
  return rises
    ? `from ${figure(to)}${unitOf(to)}, was ${figure(from)}`
    : `when ${describeAtom(to)}, was when ${describeAtom(from)}`
}

const names = ({ fact }: Choice, values: ReadonlyArray<string | boolean>): string =>
  values.map((value) => renderFigure(fact, value)).join(", ")

/** The change of a list: `also for transact`, `no longer for export`. */
const listed = (from: Choice, to: Choice): string => {
  const [before, after] = [[from.value].flat(), [to.value].flat()]
  const removed = before.filter((value) => !after.includes(value))
  const added = after.filter((value) => !before.includes(value))
  const [more, less] = includesOrExcludes(to) === "out" ? [removed, added] : [added, removed]
  return [
    ...(more.length > 0 ? [`also for ${names(to, more)}`] : []),
    ...(less.length > 0 ? [`no longer for ${names(to, less)}`] : [])
  ].join(" and ")
}

const isFlag = ({ fact }: ConditionAtom): boolean => factKind(fact).kind === "flag"

const includesOrExcludes = ({ operator }: Choice): "in" | "out" =>
  operator === "in" || operator === "equal" ? "in" : "out"

const describeAtomChange = (from: ConditionAtom, to: ConditionAtom): string | null => {
  if (from.fact !== to.fact || isFlag(from)) return null
  if (isComparison(from)) return isComparison(to) ? threshold(from, to) : null
  return !isComparison(to) && includesOrExcludes(from) === includesOrExcludes(to) ? listed(from, to) : null
}

const describeTermChange = (from: Condition, to: Condition): string | null => {
  if (isAtom(from) && isAtom(to)) return describeAtomChange(from, to)
  return "any" in from || "any" in to ? describeGroupTermsChange("any", from, to) : null
}

const joined = (group: Group, terms: ReadonlyArray<Condition>): string =>
  describeCondition(group === "all" ? { all: terms } : { any: terms })

const addedTerm: Readonly<Record<Group, string>> = { all: "only where", any: "also where" }
const removedTerm: Readonly<Record<Group, string>> = { all: "no longer only where", any: "no longer where" }

/** Each changed term, then the added and the removed terms; null if every term of one side was replaced by other terms. */
const describeGroupTermsChange = (group: Group, from: Condition, to: Condition): string | null => {
  const [before, after] = [termsOf(from, group), termsOf(to, group)]
  const removed = [...lacking(before, after)]
  const added: Array<Condition> = []
  const phrases: Array<string> = []
  for (const term of lacking(after, before)) {
    const at = removed.findIndex((other) => describeTermChange(other, term) !== null)
    const phrase = at < 0 ? null : describeTermChange(removed[at] ?? term, term)
    if (phrase === null) added.push(term)
    else {
      phrases.push(phrase)
      removed.splice(at, 1)
    }
  }
  const allReplaced = removed.length === before.length || added.length === after.length
  if (allReplaced && removed.length > 0 && added.length > 0) return null
  return [
    ...phrases,
    ...(added.length > 0 ? [`${addedTerm[group]} ${joined(group, added)}`] : []),
    ...(removed.length > 0 ? [`${removedTerm[group]} ${joined(group, removed)}`] : [])
  ].join(" and ")
}

/** In a few words, to follow the effect of the rule: `from 1,000 entities, was 500`. */
const describeConditionChange = (from: Condition, to: Condition): string => {
  const words = describeGroupTermsChange("any" in from && "any" in to ? "any" : "all", from, to)
  return words ?? `when ${describeCondition(to)}, was when ${describeCondition(from)}`
}

/**
 * The effect of a rule in a word or two: its severity, its floor, or the action of a policy rule.
 * Two rules of one group with equal texts are the same tier, before and after.
 */
const effectOf = ({ match }: GroupRule): string => {
  if ("code" in match) return match.severity
  if ("name" in match) return `floor ${match.floor}`
  if (match.floor !== undefined) return `floor ${match.floor}`
  if (match.factor !== undefined) return `a ${match.factor.severity} factor`
  if (match.control !== undefined) return `control ${match.control}`
  return match.note === undefined ? `recommends ${match.recommendations.join(", ")}` : "a note"
}

/** Basis points. Only rules of a factor have a hazard. */
const hazardOf = ({ match }: GroupRule): number => ("hazardBp" in match ? match.hazardBp : 0)

const percent = (basisPoints: number): string => `${basisPoints / 100} %`
