/** Describes in plain words how the rules of one factor, typology or policy rule changed. */

import { isDeepStrictEqual } from "node:util"
import { renderFigure } from "../../scoring/renderMessage.ts"
import type { RuleGroup } from "../Rulebook.ts"
import { describeAtom, describeCondition, factWords } from "../explain/describeCondition.ts"
import { type Choice, type Comparison, type Condition, factKind, isComparison } from "../language/Rule.ts"

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

/** The closest first, so that no rule takes the counterpart of another. */
const likenesses: ReadonlyArray<Likeness> = [
  (before, after) => givesTheSame(before, after) && asksTheSame(before, after),
  givesTheSame,
  asksTheSame
]

const counterparts = (from: ReadonlyArray<GroupRule>, to: ReadonlyArray<GroupRule>) => {
  const found = new Map<GroupRule, GroupRule>()
  const taken = new Set<GroupRule>()
  for (const alike of likenesses) {
    for (const after of to) {
      if (found.has(after)) continue
      const before = from.find((rule) => !taken.has(rule) && alike(rule, after))
      if (before === undefined) continue
      found.set(after, before)
      taken.add(before)
    }
  }
  return { found, lost: from.filter((rule) => !taken.has(rule)) }
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

/** One phrase for each rule that changed; none where only words did. */
export const describeGroupChange = (from: RuleGroup, to: RuleGroup): ReadonlyArray<string> => {
  const { found, lost } = counterparts(from.rules, to.rules)
  return [
    ...lost.map((rule) => `no longer ${describeRule(rule)}`),
    ...to.rules.flatMap((after) => {
      const before = found.get(after)
      return before === undefined ? [`now ${describeRule(after)}`] : describeChangedRule(before, after)
    })
  ]
}

/** How one condition became another, in as few words as say it: `from 1,000 entities, was 500`. */
type Group = "all" | "any"
type Atom = Comparison | Choice

const termsOf = (condition: Condition, group: Group): ReadonlyArray<Condition> => {
  if (group === "all" && "all" in condition) return condition.all
  if (group === "any" && "any" in condition) return condition.any
  return [condition]
}

const isAtom = (condition: Condition): condition is Atom => !("all" in condition) && !("any" in condition)

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

/** A list that grew or shrank: `also for transact`, `no longer for export`. */
const listed = (from: Choice, to: Choice): string => {
  const [before, after] = [[from.value].flat(), [to.value].flat()]
  const [lost, gained] = [
    before.filter((value) => !after.includes(value)),
    after.filter((value) => !before.includes(value))
  ]
  const excludes = to.operator === "notIn" || to.operator === "notEqual"
  const [more, less] = excludes ? [lost, gained] : [gained, lost]
  return [
    ...(more.length > 0 ? [`also for ${names(to, more)}`] : []),
    ...(less.length > 0 ? [`no longer for ${names(to, less)}`] : [])
  ].join(" and ")
}

const isFlag = ({ fact }: Atom): boolean => factKind(fact).kind === "flag"

const includesOrExcludes = ({ operator }: Choice): "in" | "out" =>
  operator === "in" || operator === "equal" ? "in" : "out"

const describeAtomChange = (from: Atom, to: Atom): string | null => {
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

/** Each term that changed by itself, then those that came and those that went; null where hardly anything stayed. */
const describeGroupTermsChange = (group: Group, from: Condition, to: Condition): string | null => {
  const [before, after] = [termsOf(from, group), termsOf(to, group)]
  const lost = [...lacking(before, after)]
  const gained: Array<Condition> = []
  const phrases: Array<string> = []
  for (const term of lacking(after, before)) {
    const at = lost.findIndex((one) => describeTermChange(one, term) !== null)
    const phrase = at < 0 ? null : describeTermChange(lost[at] ?? term, term)
    if (phrase === null) gained.push(term)
    else {
      phrases.push(phrase)
      lost.splice(at, 1)
    }
  }
  const nothingStayed = lost.length === before.length || gained.length === after.length
  if (nothingStayed && lost.length > 0 && gained.length > 0) return null
  return [
    ...phrases,
    ...(gained.length > 0 ? [`${addedTerm[group]} ${joined(group, gained)}`] : []),
    ...(lost.length > 0 ? [`${removedTerm[group]} ${joined(group, lost)}`] : [])
  ].join(" and ")
}

/** Follows what the rule gives: `high `. */
const describeConditionChange = (from: Condition, to: Condition): string => {
  const words = describeGroupTermsChange("any" in from && "any" in to ? "any" : "all", from, to)
  return words ?? `when ${describeCondition(to)}, was when ${describeCondition(from)}`
}

/**
 * What a rule gives where it holds, in a word or two: its severity, its floor, what a policy asks for.
 * Rules of one ladder with the same key are the same step of it, before and after.
 */
const effectOf = ({ match }: GroupRule): string => {
  if ("code" in match) return match.severity
  if ("name" in match) return `floor ${match.floor}`
  if (match.floor !== undefined) return `floor ${match.floor}`
  if (match.factor !== undefined) return `a ${match.factor.severity} factor`
  if (match.control !== undefined) return `control ${match.control}`
  return match.note === undefined ? `recommends ${match.recommendations.join(", ")}` : "a note"
}

/** Basis points; only a factor carries any. */
const hazardOf = ({ match }: GroupRule): number => ("hazardBp" in match ? match.hazardBp : 0)

const percent = (basisPoints: number): string => `${basisPoints / 100} %`
