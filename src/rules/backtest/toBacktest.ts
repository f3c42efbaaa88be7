/** What a tally comes to, in the order in which it is read. */

import { byCodeUnit } from "../byCodeUnit.ts"
import type { Backtest, FactorShift, Transitions } from "./Backtest.ts"
import type { FactorCount, Tally } from "./Tally.ts"

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
