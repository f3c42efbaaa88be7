/** The counts of a backtest: counts one record, merges two tallies in history order, and builds the result. */

import { levels, severities, type Severity } from "../../domain/Opinion.ts"
import { byCodeUnit, type JsonObject } from "../../json/json.ts"
import {
  backtestActionsMax,
  backtestFallsMax,
  backtestMoversMax,
  backtestPoliciesMax,
  backtestUnreadableShown
} from "../../limits.ts"
import { byPoints, moveBetween, type OpinionMove } from "../ScoreAndControl.ts"
import { levelMatrix } from "../levelMatrix.ts"
import type {
  ActionMove,
  Backtest,
  ControlShift,
  FactorMove,
  FactorShift,
  Move,
  PolicyUse,
  Position,
  Shift,
  UnreadableLine
} from "./Backtest.ts"
import type { ScoreSummary } from "../../scoring/scoreSummary.ts"
import { Struct, type Types } from "effect"

type MutableShift = Types.Mutable<Shift>
type FactorCount = Types.Mutable<Omit<FactorShift, "code">>

export interface Tally {
  readonly all: MutableShift & { incomplete: number; unreadable: number }
  /** Keyed by `from to`: levels here, controls below. */
  readonly transitions: Map<string, number>
  readonly controls: Map<string, number>
  readonly scoreChanges: Map<number, number>
  readonly factors: Map<string, FactorCount>
  readonly categories: Map<string, MutableShift>
  readonly classes: Map<string, MutableShift>
  readonly falls: Array<Move>
  readonly weakened: Array<Move>
  readonly movers: Array<Move>
  /** Keyed by action type, environment, both levels and both controls. */
  readonly actions: Map<string, ActionMove>
  readonly unreadable: Array<UnreadableLine>
  /** Keyed by the recorded policy version. */
  readonly policies: Map<string, { readonly use: Omit<PolicyUse, "records">; records: number }>
}

const noShift = (): MutableShift => ({
  records: 0,
  falls: 0,
  rises: 0,
  lowered: 0,
  raised: 0,
  weakened: 0,
  strengthened: 0
})

export const emptyTally = (): Tally => ({
  all: { ...noShift(), incomplete: 0, unreadable: 0 },
  transitions: new Map(),
  controls: new Map(),
  scoreChanges: new Map(),
  factors: new Map(),
  categories: new Map(),
  classes: new Map(),
  falls: [],
  weakened: [],
  movers: [],
  actions: new Map(),
  unreadable: [],
  policies: new Map()
})

/** A record and its score under both rulebooks. */
interface ComparedRecord {
  readonly line: number
  readonly assessmentId: string
  readonly request: JsonObject
  readonly from: ScoreSummary
  readonly to: ScoreSummary
}

const addCount = <K>(counts: Map<K, number>, key: K, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** The entry for a key, created by the first call. */
export const getOrCreate = <K, V>(entries: Map<K, V>, key: K, make: () => V): V => {
  const existing = entries.get(key)
  if (existing !== undefined) return existing
  const made = make()
  entries.set(key, made)
  return made
}

const noFactorCount = (): FactorCount => ({
  appeared: 0,
  vanished: 0,
  severityRaised: 0,
  severityLowered: 0
})

const countShift = (shift: MutableShift, { points, steps }: OpinionMove, levels: number): void => {
  shift.records++
  if (points < 0) shift.lowered++
  if (points > 0) shift.raised++
  if (steps < 0) shift.weakened++
  if (steps > 0) shift.strengthened++
  if (levels < 0) shift.falls++
  if (levels > 0) shift.rises++
}

const countFactor = (factors: Tally["factors"], { code, from, to }: FactorMove): void => {
  const count = getOrCreate(factors, code, noFactorCount)
  if (from === null) count.appeared++
  else if (to === null) count.vanished++
  else if (severityRank(to) > severityRank(from)) count.severityRaised++
  else count.severityLowered++
}

const position = (summary: ScoreSummary): Position =>
  Struct.pick(summary, ["score", "level", "complete", "control"])

export const countRecord = (
  tally: Tally,
  { assessmentId, from, line, request, to }: ComparedRecord
): void => {
  const moved = moveBetween(from, to)
  const levelSteps = levels.indexOf(to.level) - levels.indexOf(from.level)
  countShift(tally.all, moved, levelSteps)
  countShift(getOrCreate(tally.categories, from.category, noShift), moved, levelSteps)
  countShift(getOrCreate(tally.classes, from.class, noShift), moved, levelSteps)
  addCount(tally.transitions, `${from.level} ${to.level}`)
  if (!from.complete) tally.all.incomplete++
  if (moved.steps !== 0) addCount(tally.controls, `${from.control} ${to.control}`)
  const factors = factorMoves(from, to)
  for (const factor of factors) countFactor(tally.factors, factor)
  if (moved.points !== 0) addCount(tally.scoreChanges, moved.points)
  // If level boundaries differ between releases, the level can change without the score.
  if (moved.points === 0 && moved.steps === 0 && levelSteps === 0) return
  const move = { line, assessmentId, request, from: position(from), to: position(to), factors }
  if (levelSteps < 0 && tally.falls.length < backtestFallsMax) tally.falls.push(move)
  if (moved.steps < 0 && tally.weakened.length < backtestFallsMax) tally.weakened.push(move)
  insertMover(tally.movers, move)
  addAction(tally.actions, {
    actionType: String(request["action_type"]),
    environment: String(request["environment"]),
    records: 1,
    largest: move
  })
}

type RaisedFactors = ScoreSummary["factors"]

const noMoves: ReadonlyArray<FactorMove> = []

const severityRank = (severity: Severity | null): number =>
  severity === null ? -1 : severities.indexOf(severity)

/** The severity of each code. If customer policies add several factors with one code, the most severe one counts. */
const strongest = (raised: RaisedFactors): ReadonlyMap<string, Severity> => {
  const byCode = new Map<string, Severity>()
  for (const { code, severity } of raised) {
    if (severityRank(severity) > severityRank(byCode.get(code) ?? null)) byCode.set(code, severity)
  }
  return byCode
}

/** The factors that differ between the two scores, ascending by code. */
const factorMoves = (from: ScoreSummary, to: ScoreSummary): ReadonlyArray<FactorMove> => {
  // A shortcut: for most records nothing differs, so this comparison saves most of the time.
  const isSame = from.factors.every(
    ({ code, severity }, i) => code === to.factors[i]?.code && severity === to.factors[i]?.severity
  )
  if (isSame && from.factors.length === to.factors.length) return noMoves
  const before = strongest(from.factors)
  const after = strongest(to.factors)
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .map((code) => ({ code, from: before.get(code) ?? null, to: after.get(code) ?? null }))
    .filter((move) => move.from !== move.to)
}

/** Orders moves by points, then by steps of the control, then by position in the history. */
const isLargerMove = (a: Move, b: Move): boolean => {
  const [one, other] = [moveBetween(a.from, a.to), moveBetween(b.from, b.to)]
  const points = Math.abs(one.points) - Math.abs(other.points)
  const steps = Math.abs(one.steps) - Math.abs(other.steps)
  return (points || steps || b.line - a.line) > 0
}

/** Inserts `move` into the sorted list if it is one of the largest moves. A plain list suffices, because it is short. */
const insertMover = (movers: Array<Move>, move: Move): void => {
  const last = movers.at(-1)
  if (movers.length === backtestMoversMax && last !== undefined && !isLargerMove(move, last)) return
  const at = movers.findIndex((other) => isLargerMove(move, other))
  movers.splice(at === -1 ? movers.length : at, 0, move)
  if (movers.length > backtestMoversMax) movers.pop()
}

/** Among equal moves, the first one is kept. */
const addAction = (actions: Tally["actions"], next: ActionMove): void => {
  const { actionType, environment, largest, records } = next
  const { from, to } = largest
  const key = JSON.stringify([actionType, environment, from.level, to.level, from.control, to.control])
  const known = actions.get(key)
  if (known === undefined) {
    if (actions.size < backtestActionsMax) actions.set(key, next)
    return
  }
  const larger = isLargerMove(largest, known.largest) ? largest : known.largest
  actions.set(key, { ...known, records: known.records + records, largest: larger })
}

/** Adds every count of `from` to the count of the same name. */
const addNamedCounts = <Counts extends { [K in keyof Counts]: number }>(into: Counts, from: Counts): void => {
  for (const name in from) into[name] = (into[name] + from[name]) as Counts[typeof name]
}

const addCounts = <K>(into: Map<K, number>, from: ReadonlyMap<K, number>): void => {
  for (const [key, count] of from) addCount(into, key, count)
}

const addShifts = (into: Map<string, MutableShift>, from: ReadonlyMap<string, MutableShift>): void => {
  for (const [name, shift] of from) addNamedCounts(getOrCreate(into, name, noShift), shift)
}

/** Combines all policy versions beyond the limit. */
const otherPolicies = { recorded: "others", scoredWith: "several", exact: false }

/**
 * Adds the counts of the next block to those of all earlier blocks. Invariant: blocks are merged in history order, so that the result does
 * not depend on which worker counted which block.
 */
export const mergeTally = (into: Tally, next: Tally): void => {
  addNamedCounts(into.all, next.all)
  addCounts(into.transitions, next.transitions)
  addCounts(into.controls, next.controls)
  addCounts(into.scoreChanges, next.scoreChanges)
  for (const [code, count] of next.factors)
    addNamedCounts(getOrCreate(into.factors, code, noFactorCount), count)
  addShifts(into.categories, next.categories)
  addShifts(into.classes, next.classes)
  into.falls.push(...next.falls.slice(0, backtestFallsMax - into.falls.length))
  into.weakened.push(...next.weakened.slice(0, backtestFallsMax - into.weakened.length))
  for (const move of next.movers) insertMover(into.movers, move)
  for (const action of next.actions.values()) addAction(into.actions, action)
  into.unreadable.push(...next.unreadable.slice(0, backtestUnreadableShown - into.unreadable.length))
  for (const [recorded, { records, use }] of next.policies) {
    const counted =
      into.policies.has(recorded) || into.policies.size < backtestPoliciesMax ? use : otherPolicies
    getOrCreate(into.policies, counted.recorded, () => ({ use: counted, records: 0 })).records += records
  }
}

const changesOf = ({ appeared, severityLowered, severityRaised, vanished }: FactorCount): number =>
  appeared + vanished + severityRaised + severityLowered

const named = <Value>(
  entries: ReadonlyMap<string, Value>
): ReadonlyArray<Value & { readonly name: string }> =>
  [...entries].toSorted(([a], [b]) => byCodeUnit(a, b)).map(([name, value]) => ({ name, ...value }))

const actionsOf = (actions: Tally["actions"]): ReadonlyArray<ActionMove> =>
  [...actions.values()].toSorted(
    (a, b) =>
      byPoints(moveBetween(a.largest.from, a.largest.to), moveBetween(b.largest.from, b.largest.to)) ||
      b.records - a.records ||
      byCodeUnit(a.actionType, b.actionType)
  )

export const toBacktest = (from: string, to: string, tally: Tally): Backtest => ({
  from,
  to,
  counts: { ...tally.all, unchanged: tally.all.records - tally.all.lowered - tally.all.raised },
  transitions: levelMatrix((before, after) => tally.transitions.get(`${before} ${after}`) ?? 0),
  scoreChanges: [...tally.scoreChanges]
    .toSorted(([a], [b]) => a - b)
    .map(([by, records]) => ({ by, records })),
  falls: tally.falls,
  weakened: tally.weakened,
  movers: tally.movers,
  actions: actionsOf(tally.actions),
  factors: [...tally.factors]
    .map(([code, count]) => ({ code, ...count }))
    .toSorted((a, b) => changesOf(b) - changesOf(a) || byCodeUnit(a.code, b.code)),
  categories: named(tally.categories),
  classes: named(tally.classes),
  controls: [...tally.controls]
    .toSorted(([a, some], [b, others]) => others - some || byCodeUnit(a, b))
    .map(([key, records]) => {
      const [before, after] = key.split(" ")
      // Invariant: the key consists of two control types.
      return { from: before, to: after, records } as ControlShift
    }),
  unreadable: tally.unreadable,
  policies: [...tally.policies]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([, { records, use }]) => ({ ...use, records }))
})
