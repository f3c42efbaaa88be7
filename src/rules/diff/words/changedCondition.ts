/** How one condition became another, in as few words as say it: `from 1,000 entities, was 500`. */

import { isDeepStrictEqual } from "node:util"
import { renderFigure } from "../../../scoring/renderFigure.ts"
import { type Choice, type Comparison, type Condition, factKind, isComparison } from "../../Condition.ts"
import { factWords } from "../../describeCondition/factWords.ts"
import { describeAtom, describeCondition } from "../../describeCondition.ts"

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

const asks = ({ operator }: Choice): "in" | "out" =>
  operator === "in" || operator === "equal" ? "in" : "out"

const changedAtom = (from: Atom, to: Atom): string | null => {
  if (from.fact !== to.fact || isFlag(from)) return null
  if (isComparison(from)) return isComparison(to) ? threshold(from, to) : null
  return !isComparison(to) && asks(from) === asks(to) ? listed(from, to) : null
}

const changedTerm = (from: Condition, to: Condition): string | null => {
  if (isAtom(from) && isAtom(to)) return changedAtom(from, to)
  return "any" in from || "any" in to ? changedGroup("any", from, to) : null
}

const joined = (group: Group, terms: ReadonlyArray<Condition>): string =>
  describeCondition(group === "all" ? { all: terms } : { any: terms })

const more: Readonly<Record<Group, string>> = { all: "only where", any: "also where" }
const fewer: Readonly<Record<Group, string>> = { all: "no longer only where", any: "no longer where" }

/** Each term that changed by itself, then those that came and those that went; null where hardly anything stayed. */
const changedGroup = (group: Group, from: Condition, to: Condition): string | null => {
  const [before, after] = [termsOf(from, group), termsOf(to, group)]
  const lost = [...lacking(before, after)]
  const gained: Array<Condition> = []
  const phrases: Array<string> = []
  for (const term of lacking(after, before)) {
    const at = lost.findIndex((one) => changedTerm(one, term) !== null)
    const phrase = at < 0 ? null : changedTerm(lost[at] ?? term, term)
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
    ...(gained.length > 0 ? [`${more[group]} ${joined(group, gained)}`] : []),
    ...(lost.length > 0 ? [`${fewer[group]} ${joined(group, lost)}`] : [])
  ].join(" and ")
}

/** Follows what the rule gives: `high `. */
export const changedCondition = (from: Condition, to: Condition): string => {
  const words = changedGroup("any" in from && "any" in to ? "any" : "all", from, to)
  return words ?? `when ${describeCondition(to)}, was when ${describeCondition(from)}`
}
