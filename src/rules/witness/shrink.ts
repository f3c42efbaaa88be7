/** Makes a situation smaller, greedily, for as long as it still shows what it is to show. */

import type { Situation } from "../cases.ts"
import type { Request } from "./realize/statements.ts"

type Entry = NonNullable<Situation["history"]>["earlier"][number]

const needed: ReadonlySet<string> = new Set(["actionType", "environment"])
const figures = ["entitiesAffected", "recordsAffected", "financialValue"] as const

const without = <A extends object>(value: A, key: string): A =>
  // What is left out is optional in every type that is passed here.
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as A

/** One digit and zeros: 487 as 400 and 500. */
const rounder = (figure: number): ReadonlyArray<number> => {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, figure)))
  return [1, Math.floor(figure / unit) * unit, Math.ceil(figure / unit) * unit].filter(
    (one) => one !== figure
  )
}

const smallerRequests = (request: Request): ReadonlyArray<Request> => [
  ...Object.keys(request)
    .filter((key) => !needed.has(key))
    .map((key) => without(request, key)),
  ...figures.flatMap((key) => {
    const figure = request[key]
    return figure === undefined ? [] : rounder(figure).map((rounded) => ({ ...request, [key]: rounded }))
  })
]

const smallerEntries = (entry: Entry): ReadonlyArray<Entry> => [
  ...(entry.repeat === undefined ? [] : [without(entry, "repeat")]),
  ...Object.keys(entry.request)
    .filter((key) => !needed.has(key))
    .map((key) => ({ ...entry, request: without(entry.request, key) }))
]

function* smaller({ history, request }: Situation): Generator<Situation> {
  if (history !== undefined) {
    yield { request }
    for (const [i, entry] of history.earlier.entries()) {
      const { earlier, now } = history
      if (earlier.length > 1) yield { request, history: { now, earlier: earlier.toSpliced(i, 1) } }
      for (const less of smallerEntries(entry)) {
        yield { request, history: { now, earlier: earlier.with(i, less) } }
      }
    }
  }
  for (const less of smallerRequests(request)) {
    yield history === undefined ? { request: less } : { request: less, history }
  }
}

const isRounder = (figure: number | undefined): number =>
  figure === undefined ? 0 : String(figure).replace(/0+$/, "").length

/** What a reader has to read: characters, where a digit that is not a closing zero counts for more. */
const weightOf = ({ history, request }: Situation): number => {
  const digits = figures.reduce((sum, key) => sum + isRounder(request[key]), 0)
  return JSON.stringify({ history, request }).length + 10 * digits
}

/** Every step makes it lighter, so that it ends. */
export const shrink = (situation: Situation, shows: (smaller: Situation) => boolean): Situation => {
  let best = situation
  for (;;) {
    const weight = weightOf(best)
    const next = [...smaller(best)].find((less) => weightOf(less) < weight && shows(less))
    if (next === undefined) return best
    best = next
  }
}
