/** Counts of a backtest: counting one record, merging two tallies in the order of the history, and the result. */

import { type ActionRiskLevel, levels, severities, type Severity } from "../../domain/Opinion.ts"
import { byCodeUnit, type JsonObject } from "../../json/json.ts"
import {
  backtestFallsMax,
  backtestMoversMax,
  backtestPoliciesMax,
  backtestUnreadableShown
} from "../../limits.ts"
import type { ScoreSummary } from "../../scoring/scoreSummary.ts"
import type {
  Backtest,
  FactorMove,
  FactorShift,
  Move,
  PolicyUse,
  Position,
  Transitions,
  UnreadableLine
} from "./Backtest.ts"

interface MutableShift {
  records: number
  falls: number
  rises: number
  lowered: number
  raised: number
}

interface FactorCount {
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

const noShift = (): MutableShift => ({ records: 0, falls: 0, rises: 0, lowered: 0, raised: 0 })

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

/** The entry of a key, made when it is first asked for. */
export const getOrCreate = <K, V>(entries: Map<K, V>, key: K, make: () => V): V => {
  const there = entries.get(key)
  if (there !== undefined) return there
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

const rank = (level: ActionRiskLevel): number => levels.indexOf(level)

const countShift = (shift: MutableShift, points: number, steps: number): void => {
  shift.records++
  if (points < 0) shift.lowered++
  if (points > 0) shift.raised++
  if (steps < 0) shift.falls++
  if (steps > 0) shift.rises++
}

const countFactor = (factors: Tally["factors"], { code, from, to }: FactorMove): void => {
  const count = getOrCreate(factors, code, noFactorCount)
  if (from === null) count.appeared++
  else if (to === null) count.vanished++
  else if (severityRank(to) > severityRank(from)) count.severityRaised++
  else count.severityLowered++
}

const position = ({ complete, control, level, score }: ScoreSummary): Position => ({
  score,
  level,
  complete,
  control
})

export const countRecord = (
  tally: Tally,
  { assessmentId, from, line, request, to }: ComparedRecord
): void => {
  const points = to.score - from.score
  const steps = rank(to.level) - rank(from.level)
  countShift(tally.all, points, steps)
  countShift(getOrCreate(tally.categories, from.category, noShift), points, steps)
  countShift(getOrCreate(tally.classes, from.class, noShift), points, steps)
  addCount(tally.transitions, `${from.level} ${to.level}`)
  if (!from.complete) tally.all.incomplete++
  if (from.control !== to.control) {
    tally.all.controlsChanged++
    addCount(tally.controls, `${from.control} ${to.control}`)
  }
  const factors = factorMoves(from, to)
  for (const factor of factors) countFactor(tally.factors, factor)
  if (points !== 0) addCount(tally.scoreChanges, points)
  // Releases that draw their levels elsewhere can move a level and not the score.
  if (points === 0 && steps === 0) return
  const move = { line, assessmentId, request, from: position(from), to: position(to), factors }
  if (steps < 0 && tally.falls.length < backtestFallsMax) tally.falls.push(move)
  insertMover(tally.movers, move)
}

/** The factors that two gists of one action do not agree on. */
type Raised = ScoreSummary["factors"]

const none: ReadonlyArray<FactorMove> = []

const isSame = (from: Raised, to: Raised): boolean => {
  if (from.length !== to.length) return false
  for (let i = 0; i < from.length; i++) {
    if (from[i]?.code !== to[i]?.code || from[i]?.severity !== to[i]?.severity) return false
  }
  return true
}

const severityRank = (severity: Severity | null): number =>
  severity === null ? -1 : severities.indexOf(severity)

/** Of several that customer policies add under one code, the strongest counts. */
const strongest = (raised: Raised): ReadonlyMap<string, Severity> => {
  const byCode = new Map<string, Severity>()
  for (const { code, severity } of raised) {
    if (severityRank(severity) > severityRank(byCode.get(code) ?? null)) byCode.set(code, severity)
  }
  return byCode
}

/** Ascending by code. */
const factorMoves = (from: ScoreSummary, to: ScoreSummary): ReadonlyArray<FactorMove> => {
  // Most records move nothing, and this is asked of every one of them.
  if (isSame(from.factors, to.factors)) return none
  const before = strongest(from.factors)
  const after = strongest(to.factors)
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted(byCodeUnit)
    .map((code) => ({ code, from: before.get(code) ?? null, to: after.get(code) ?? null }))
    .filter((move) => move.from !== move.to)
}

/** The largest moves of the score so far, in their order: by points, then by their place in the history. */
const pointsOf = ({ from, to }: Move): number => Math.abs(to.score - from.score)

const isLargerMove = (a: Move, b: Move): boolean =>
  pointsOf(a) > pointsOf(b) || (pointsOf(a) === pointsOf(b) && a.line < b.line)

/** Keeps `move` in `movers` where it belongs to the largest; few are kept, so it is put in its place by hand. */
const insertMover = (movers: Array<Move>, move: Move): void => {
  const last = movers.at(-1)
  if (movers.length === backtestMoversMax && last !== undefined && !isLargerMove(move, last)) return
  const at = movers.findIndex((other) => isLargerMove(move, other))
  movers.splice(at === -1 ? movers.length : at, 0, move)
  if (movers.length > backtestMoversMax) movers.pop()
}

/**
 * Adds what was counted of the next stretch of a history to what was counted of everything before it.
 * Adds every figure of `from` to the figure of the same name.
 */
const addFigures = <Figures extends { [K in keyof Figures]: number }>(into: Figures, from: Figures): void => {
  for (const name in from) into[name] = (into[name] + from[name]) as Figures[typeof name]
}

const addCounts = <K>(into: Map<K, number>, from: ReadonlyMap<K, number>): void => {
  for (const [key, count] of from) addCount(into, key, count)
}

const addShifts = (into: Map<string, MutableShift>, from: ReadonlyMap<string, MutableShift>): void => {
  for (const [name, shift] of from) addFigures(getOrCreate(into, name, noShift), shift)
}

const otherPolicies = { recorded: "others", scoredWith: "several", exact: false }

/** Invariant: stretches are merged in the order of the history, so that the result does not know who counted what. */
export const mergeTally = (into: Tally, next: Tally): void => {
  addFigures(into.all, next.all)
  addCounts(into.transitions, next.transitions)
  addCounts(into.controls, next.controls)
  addCounts(into.scoreChanges, next.scoreChanges)
  for (const [code, count] of next.factors) addFigures(getOrCreate(into.factors, code, noFactorCount), count)
  addShifts(into.categories, next.categories)
  addShifts(into.classes, next.classes)
  into.falls.push(...next.falls.slice(0, backtestFallsMax - into.falls.length))
  for (const move of next.movers) insertMover(into.movers, move)
  into.unreadable.push(...next.unreadable.slice(0, backtestUnreadableShown - into.unreadable.length))
  for (const [recorded, { records, use }] of next.policies) {
    const told = into.policies.has(recorded) || into.policies.size < backtestPoliciesMax ? use : otherPolicies
    getOrCreate(into.policies, told.recorded, () => ({ use: told, records: 0 })).records += records
  }
}

/** What a tally comes to, in the order in which it is read. */
const transitionsOf = (counts: Tally["transitions"]): Transitions => {
  const row = (from: string) => {
    const count = (to: string) => counts.get(`${from} ${to}`) ?? 0
    return {
      low: count("low"),
      moderate: count("moderate"),
      high: count("high"),
      critical: count("critical")
    }
  }
  return { low: row("low"), moderate: row("moderate"), high: row("high"), critical: row("critical") }
}

const changesOf = ({ appeared, severityLowered, severityRaised, vanished }: FactorCount): number =>
  appeared + vanished + severityRaised + severityLowered

const factorsOf = (factors: Tally["factors"]): ReadonlyArray<FactorShift> =>
  [...factors]
    .map(([code, count]) => ({ code, ...count }))
    .toSorted((a, b) => changesOf(b) - changesOf(a) || byCodeUnit(a.code, b.code))

const named = <Value>(
  entries: ReadonlyMap<string, Value>
): ReadonlyArray<Value & { readonly name: string }> =>
  [...entries].toSorted(([a], [b]) => byCodeUnit(a, b)).map(([name, value]) => ({ name, ...value }))

const controlsOf = (controls: Tally["controls"]): Backtest["controls"] =>
  [...controls]
    .toSorted(([a, some], [b, others]) => others - some || byCodeUnit(a, b))
    .map(([key, records]) => {
      const [from, to] = key.split(" ")
      // Invariant: a key is made of two control types.
      return { from, to, records } as Backtest["controls"][number]
    })

export const toBacktest = (from: string, to: string, tally: Tally): Backtest => ({
  from,
  to,
  counts: { ...tally.all, unchanged: tally.all.records - tally.all.lowered - tally.all.raised },
  transitions: transitionsOf(tally.transitions),
  scoreChanges: [...tally.scoreChanges]
    .toSorted(([a], [b]) => a - b)
    .map(([by, records]) => ({ by, records })),
  falls: tally.falls,
  movers: tally.movers,
  factors: factorsOf(tally.factors),
  categories: named(tally.categories),
  classes: named(tally.classes),
  controls: controlsOf(tally.controls),
  unreadable: tally.unreadable,
  policies: [...tally.policies]
    .toSorted(([a], [b]) => byCodeUnit(a, b))
    .map(([, { records, use }]) => ({ ...use, records }))
})
