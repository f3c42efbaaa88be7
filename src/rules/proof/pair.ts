/** Holds the ladders of two sides against each other: which say the same, which answer for which, and where none does. */

import { isDeepStrictEqual } from "node:util"
import type { Facts } from "../../scoring/Facts.ts"
import { pointOf } from "../analysis/Box.ts"
import { settle } from "../analysis/settle.ts"
import { all, any, not, type Term } from "../analysis/Term.ts"
import type { Comparison } from "./Comparison.ts"
import type { Ladder, Rung } from "./Ladder.ts"

export interface Pair {
  readonly from: Ladder
  /** Its hazards answer for those of the first; a ladder answers for one other at most. */
  readonly to: Ladder | undefined
  /** Where hazard, and where a floor, of the first is not answered for by any rung of the second side that asks as much. */
  readonly beyond: { readonly hazard: Term; readonly floor: Term }
}

export interface Pairs {
  /** The same on both sides: whatever they say, they say it twice. */
  readonly same: ReadonlyArray<{ readonly from: Ladder; readonly to: Ladder }>
  readonly differing: ReadonlyArray<Pair>
  /** Of the second side, without those that are the same. */
  readonly added: ReadonlyArray<Ladder>
}

/** The moved facts in their places, so that both sides can be asked of one box. */
const moveTerm = (term: Term, moved: Partial<Facts>): Term => {
  const settled = settle(term, pointOf(moved))
  return settled === true ? all() : settled === false ? any() : settled
}

const move = ({ code, rungs }: Ladder, moved: Partial<Facts>): Ladder => ({
  code,
  rungs: rungs.map((rung) => ({ ...rung, term: moveTerm(rung.term, moved) }))
})

/** Equal in all that hazards come from, and with floors no lower: such a pair cancels wherever the two are compared. */
const saysTheSame = (from: Ladder, to: Ladder): boolean =>
  from.rungs.length === to.rungs.length &&
  from.rungs.every((rung, i) => {
    const other = to.rungs[i]
    return (
      other !== undefined &&
      rung.hazardBp === other.hazardBp &&
      rung.floor <= other.floor &&
      isDeepStrictEqual(rung.term, other.term)
    )
  })

/** The rungs of a ladder that, where they hold, make it come to at least so much. */
export const reaching = ({ rungs }: Ladder, what: "floor" | "hazardBp", least: number): ReadonlyArray<Rung> =>
  rungs.filter((_, i) => rungs.slice(0, i + 1).every((rung) => rung[what] >= least))

const isAmong = (rung: Rung, rungs: ReadonlyArray<Rung>): boolean =>
  rungs.some(({ term }) => isDeepStrictEqual(term, rung.term))

/** Where a rung holds and none of `answers` does; nowhere if one of them asks the very same. */
const beyond = (rung: Rung, least: number, answers: ReadonlyArray<Rung>): Term =>
  least === 0 || isAmong(rung, answers) ? any() : all(rung.term, ...answers.map(({ term }) => not(term)))

/** A renamed ladder still answers: the first that asks something of the same. */
const successorOf = (from: Ladder, free: ReadonlySet<Ladder>): Ladder | undefined =>
  [...free].find(({ rungs }) => from.rungs.some((rung) => isAmong(rung, rungs)))

const beyondOf = (from: Ladder, to: Ladder | undefined, all: ReadonlyArray<Ladder>): Pair["beyond"] => ({
  hazard: any(
    ...from.rungs.map((rung) =>
      beyond(rung, rung.hazardBp, to === undefined ? [] : reaching(to, "hazardBp", rung.hazardBp))
    )
  ),
  floor: any(
    ...from.rungs.map((rung) =>
      beyond(
        rung,
        rung.floor,
        all.flatMap((ladder) => reaching(ladder, "floor", rung.floor))
      )
    )
  )
})

export const pair = ({ from, moved, to }: Pick<Comparison, "from" | "moved" | "to">): Pairs => {
  const placed = to.ladders.map((ladder) => move(ladder, moved))
  // In the same form, so that equal terms look alike.
  const first = from.ladders.map((ladder) => move(ladder, {}))
  const namesakes = new Map(placed.map((ladder) => [ladder.code, ladder]))
  const same = first.flatMap((ladder) => {
    const other = namesakes.get(ladder.code)
    return other !== undefined && saysTheSame(ladder, other) ? [{ from: ladder, to: other }] : []
  })
  const changed = first.filter((ladder) => !same.some((one) => one.from === ladder))
  const added = placed.filter((ladder) => !same.some((one) => one.to === ladder))
  const free = new Set(added.filter(({ code }) => !changed.some((ladder) => ladder.code === code)))
  const differing = changed.map((ladder): Pair => {
    const own = namesakes.get(ladder.code) ?? successorOf(ladder, free)
    if (own !== undefined) free.delete(own)
    return { from: ladder, to: own, beyond: beyondOf(ladder, own, placed) }
  })
  return { same, differing, added }
}
