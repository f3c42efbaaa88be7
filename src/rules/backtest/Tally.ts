/** What a backtest has counted so far: plain data of bounded size that can be added to another, in the history's order. */

import type { JsonObject } from "../../domain/Action.ts"
import { type ActionRiskLevel, levels } from "../../domain/Level.ts"
import { backtestFallsMax } from "../../Limits.ts"
import type { Gist } from "../../scoring/gist.ts"
import type { FactorMove, Move, PolicyUse, Position, UnreadableLine } from "./Backtest.ts"
import { factorMoves, rankOf } from "./factorMoves.ts"
import { keepMover } from "./movers.ts"

export interface MutableShift {
  records: number
  falls: number
  rises: number
  lowered: number
  raised: number
}

export interface FactorCount {
  appeared: number
  vanished: number
  severityRaised: number
  severityLowered: number
}

export interface Tally {
  readonly all: MutableShift & { incomplete: number; controlsChanged: number; unreadable: number }
  /** By `from to` of levels, and of controls. */
  readonly transitions: Map<string, number>
  readonly controls: Map<string, number>
  readonly scoreChanges: Map<number, number>
  readonly factors: Map<string, FactorCount>
  readonly categories: Map<string, MutableShift>
  readonly classes: Map<string, MutableShift>
  readonly falls: Array<Move>
  readonly movers: Array<Move>
  readonly unreadable: Array<UnreadableLine>
  /** By what was recorded. */
  readonly policies: Map<string, { readonly use: Omit<PolicyUse, "records">; records: number }>
}

export const noShift = (): MutableShift => ({ records: 0, falls: 0, rises: 0, lowered: 0, raised: 0 })

export const emptyTally = (): Tally => ({
  all: { ...noShift(), incomplete: 0, controlsChanged: 0, unreadable: 0 },
  transitions: new Map(),
  controls: new Map(),
  scoreChanges: new Map(),
  factors: new Map(),
  categories: new Map(),
  classes: new Map(),
  falls: [],
  movers: [],
  unreadable: [],
  policies: new Map()
})

/** A record and what the two rulebooks say of it. */
export interface Compared {
  readonly line: number
  readonly assessmentId: string
  readonly request: JsonObject
  readonly from: Gist
  readonly to: Gist
}

export const add = <K>(counts: Map<K, number>, key: K, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** The entry of a key, made when it is first asked for. */
export const entry = <K, V>(entries: Map<K, V>, key: K, make: () => V): V => {
  const there = entries.get(key)
  if (there !== undefined) return there
  const made = make()
  entries.set(key, made)
  return made
}

export const noFactorCount = (): FactorCount => ({
  appeared: 0,
  vanished: 0,
  severityRaised: 0,
  severityLowered: 0
})

const rank = (level: ActionRiskLevel): number => levels.indexOf(level)

const countShift = (shift: MutableShift, points: number, steps: number): void => {
  shift.records++
  if (points < 0) shift.lowered++
  if (points > 0) shift.raised++
  if (steps < 0) shift.falls++
  if (steps > 0) shift.rises++
}

const countFactor = (factors: Tally["factors"], { code, from, to }: FactorMove): void => {
  const count = entry(factors, code, noFactorCount)
  if (from === null) count.appeared++
  else if (to === null) count.vanished++
  else if (rankOf(to) > rankOf(from)) count.severityRaised++
  else count.severityLowered++
}

const position = ({ complete, control, level, score }: Gist): Position => ({
  score,
  level,
  complete,
  control
})

export const countRecord = (tally: Tally, { assessmentId, from, line, request, to }: Compared): void => {
  const points = to.score - from.score
  const steps = rank(to.level) - rank(from.level)
  countShift(tally.all, points, steps)
  countShift(entry(tally.categories, from.category, noShift), points, steps)
  countShift(entry(tally.classes, from.class, noShift), points, steps)
  add(tally.transitions, `${from.level} ${to.level}`)
  if (!from.complete) tally.all.incomplete++
  if (from.control !== to.control) {
    tally.all.controlsChanged++
    add(tally.controls, `${from.control} ${to.control}`)
  }
  const factors = factorMoves(from, to)
  for (const factor of factors) countFactor(tally.factors, factor)
  if (points !== 0) add(tally.scoreChanges, points)
  // Releases that draw their levels elsewhere can move a level and not the score.
  if (points === 0 && steps === 0) return
  const move = { line, assessmentId, request, from: position(from), to: position(to), factors }
  if (steps < 0 && tally.falls.length < backtestFallsMax) tally.falls.push(move)
  keepMover(tally.movers, move)
}
