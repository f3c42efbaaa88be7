/** Adds what was counted of the next stretch of a history to what was counted of everything before it. */

import { backtestFallsMax, backtestPoliciesMax, backtestUnreadableShown } from "../../Limits.ts"
import { keepMover } from "./movers.ts"
import { add, entry, type MutableShift, noFactorCount, noShift, type Tally } from "./Tally.ts"

/** Adds every figure of `from` to the figure of the same name. */
const addFigures = <Figures extends { [K in keyof Figures]: number }>(into: Figures, from: Figures): void => {
  for (const name in from) into[name] = (into[name] + from[name]) as Figures[typeof name]
}

const addCounts = <K>(into: Map<K, number>, from: ReadonlyMap<K, number>): void => {
  for (const [key, count] of from) add(into, key, count)
}

const addShifts = (into: Map<string, MutableShift>, from: ReadonlyMap<string, MutableShift>): void => {
  for (const [name, shift] of from) addFigures(entry(into, name, noShift), shift)
}

const others = { recorded: "others", scoredWith: "several", exact: false }

/** Invariant: stretches are merged in the order of the history, so that the result does not know who counted what. */
export const mergeTally = (into: Tally, next: Tally): void => {
  addFigures(into.all, next.all)
  addCounts(into.transitions, next.transitions)
  addCounts(into.controls, next.controls)
  addCounts(into.scoreChanges, next.scoreChanges)
  for (const [code, count] of next.factors) addFigures(entry(into.factors, code, noFactorCount), count)
  addShifts(into.categories, next.categories)
  addShifts(into.classes, next.classes)
  into.falls.push(...next.falls.slice(0, backtestFallsMax - into.falls.length))
  for (const move of next.movers) keepMover(into.movers, move)
  into.unreadable.push(...next.unreadable.slice(0, backtestUnreadableShown - into.unreadable.length))
  for (const [recorded, { records, use }] of next.policies) {
    const told = into.policies.has(recorded) || into.policies.size < backtestPoliciesMax ? use : others
    entry(into.policies, told.recorded, () => ({ use: told, records: 0 })).records += records
  }
}
