/** A box on the way of a walk, with what it leaves of the ladders of both sides. */

import { anywhere, type Box } from "../analysis/Box.ts"
import { confine } from "../analysis/regions.ts"
import { settle } from "../analysis/settle.ts"
import type { Term } from "../analysis/Term.ts"
import type { Pairs } from "./pair.ts"
import { leastOf, mostOf, settleStanding, type Standing, standingOf } from "./Standing.ts"

/** A ladder of the first side that the second does not have as it was. */
interface Changed {
  readonly from: Standing
  /** The code of the ladder that answers for it. */
  readonly answering: string | undefined
  /** Where it is left without an answer; false where that is nowhere. */
  readonly beyond: { readonly hazard: Term | boolean; readonly floor: Term | boolean }
}

export interface Place {
  readonly box: Box
  /** What is left of where the walk goes at all; true where all of the box belongs to it. */
  readonly rest: Term | true
  readonly same: ReadonlyArray<{ readonly from: Standing; readonly to: Standing }>
  readonly changed: ReadonlyArray<Changed>
  readonly added: ReadonlyArray<Standing>
}

export const placeAnywhere = ({ added, differing, same }: Pairs, where: Term): Place => ({
  box: anywhere,
  rest: where,
  same: same.map(({ from, to }) => ({ from: standingOf(from), to: standingOf(to) })),
  changed: differing.map(({ beyond, from, to }) => ({
    from: standingOf(from),
    answering: to?.code,
    beyond
  })),
  added: added.map(standingOf)
})

const settleIn = (term: Term | boolean, box: Box): Term | boolean =>
  typeof term === "boolean" ? term : settle(term, box)

/** Null where nothing of the box belongs to the walk. */
export const enter = (place: Place, box: Box): Place | null => {
  const confined = place.rest === true ? { box, rest: place.rest } : confine(place.rest, box)
  if (confined === null) return null
  const within = confined.box
  const at = (standing: Standing) => settleStanding(standing, within)
  return {
    ...confined,
    same: place.same.map(({ from, to }) => ({ from: at(from), to: at(to) })),
    changed: place.changed.map(({ answering, beyond, from }) => ({
      answering,
      from: at(from),
      beyond: { hazard: settleIn(beyond.hazard, within), floor: settleIn(beyond.floor, within) }
    })),
    added: place.added.map(at)
  }
}

const descending = (a: number, b: number): number => b - a

/**
 * Whether all that the first side has over dimensions is answered for wherever in the box, `least` being the least score of the
 * second there. Of hazards, what is the same cancels, and of the rest the largest, the second largest and so on are no
 * smaller: folding sorted hazards keeps that. Floors are answered by any score that is as high.
 */
export const isAnswered = ({ added, changed }: Place, least: number): boolean => {
  const lost: Array<number> = []
  const spoken = new Set<string>()
  for (const { answering, beyond, from } of changed) {
    if (beyond.floor !== false && mostOf(from, "floor") > least) return false
    if (beyond.hazard !== false) lost.push(mostOf(from, "hazardBp"))
    else if (answering !== undefined) spoken.add(answering)
  }
  const gained = added.filter(({ code }) => !spoken.has(code)).map((to) => leastOf(to, "hazardBp"))
  const gains = gained.toSorted(descending)
  return lost.toSorted(descending).every((hazard, i) => hazard <= (gains[i] ?? 0))
}
