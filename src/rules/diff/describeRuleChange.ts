/** Describes in plain words how the rules of a factor, typology or policy rule changed. */

import { Array as Arrays } from "effect"
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
  type GroupKind,
  groupTerms,
  groupWith,
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

/** Most similar first, so that no rule takes the counterpart of a more similar one. */
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

/** One phrase per changed rule; none if only texts changed. */
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

const termsOf = (condition: Condition, kind: GroupKind): ReadonlyArray<Condition> => {
  const group = groupTerms(condition)
  return group?.[0] === kind ? group[1] : [condition]
}

const isAtom = (condition: Condition): condition is ConditionAtom => groupTerms(condition) === null

const lacking = Arrays.differenceWith<Condition>(isDeepStrictEqual)

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

/** How a list changed: `also for transact`, `no longer for export`. */
const listed = (from: Choice, to: Choice): string => {
  const [before, after] = [[from.value].flat(), [to.value].flat()]
  const [removed, added] = [Arrays.difference(before, after), Arrays.difference(after, before)]
  const [more, less] = includesOrExcludes(to) === "out" ? [removed, added] : [added, removed]
  return joinedPhrases(["also for", names(to, more)], ["no longer for", names(to, less)])
}

/** Joins each beginning with its rest (skipping those without one) by `and`. */
const joinedPhrases = (...phrases: ReadonlyArray<readonly [beginning: string, rest: string]>): string =>
  phrases.flatMap(([beginning, rest]) => (rest === "" ? [] : [`${beginning} ${rest}`])).join(" and ")

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

const joined = (kind: GroupKind, terms: ReadonlyArray<Condition>): string =>
  terms.length === 0 ? "" : describeCondition(groupWith(kind, terms))

const addedTerm: Readonly<Record<GroupKind, string>> = { all: "only where", any: "also where" }
const removedTerm: Readonly<Record<GroupKind, string>> = {
  all: "no longer only where",
  any: "no longer where"
}

/** Each changed term, then the added and the removed ones; null if every term of one side was replaced. */
const describeGroupTermsChange = (kind: GroupKind, from: Condition, to: Condition): string | null => {
  const [before, after] = [termsOf(from, kind), termsOf(to, kind)]
  const removed = [...lacking(before, after)]
  const added: Array<Condition> = []
  const phrases: Array<string> = []
  for (const term of lacking(after, before)) {
    const changes = removed.map((other) => describeTermChange(other, term))
    const at = changes.findIndex((phrase) => phrase !== null)
    if (at < 0) added.push(term)
    else {
      phrases.push(changes[at] ?? "")
      removed.splice(at, 1)
    }
  }
  const allReplaced = removed.length === before.length || added.length === after.length
  if (allReplaced && removed.length > 0 && added.length > 0) return null
  const rest = joinedPhrases(
    [addedTerm[kind], joined(kind, added)],
    [removedTerm[kind], joined(kind, removed)]
  )
  return [...phrases, ...(rest === "" ? [] : [rest])].join(" and ")
}

/** A short phrase to follow the rule's effect: `from 1,000 entities, was 500`. */
const describeConditionChange = (from: Condition, to: Condition): string => {
  const words = describeGroupTermsChange("any" in from && "any" in to ? "any" : "all", from, to)
  return words ?? `when ${describeCondition(to)}, was when ${describeCondition(from)}`
}

/**
 * The effect of a rule in a word or two: its severity, its floor, or its policy action. Rules of one group with equal texts are the same
 * tier before and after.
 */
const effectOf = ({ match }: GroupRule): string => {
  if ("code" in match) return match.severity
  if ("name" in match) return `floor ${match.floor}`
  if (match.floor !== undefined) return `floor ${match.floor}`
  if (match.factor !== undefined) return `a ${match.factor.severity} factor`
  if (match.control !== undefined) return `control ${match.control}`
  return match.note === undefined ? `recommends ${match.recommendations.join(", ")}` : "a note"
}

/** In basis points. Only rules of a factor have a hazard. */
const hazardOf = ({ match }: GroupRule): number => ("hazardBp" in match ? match.hazardBp : 0)

const percent = (basisPoints: number): string => `${basisPoints / 100} %`
