/** Walks through every place where a second evaluation could be lower than the first, by branch and bound. */

import type { Facts } from "../../scoring/Facts.ts"
import { anywhere, type Box, narrow, pick, pointOf } from "../analysis/Box.ts"
import { firstAsk, sides } from "../analysis/regions.ts"
import { settle } from "../analysis/settle.ts"
import { all, any, type Ask, type Term } from "../analysis/Term.ts"
import { bound, type End } from "./bound.ts"
import type { Comparison } from "./Comparison.ts"
import { parted, partings } from "./partings.ts"
import { type Pair, pair } from "./pair.ts"
import { enter, isAnswered, type Place, placeAnywhere } from "./Place.ts"
import { leastOf, mostOf, type Standing } from "./Standing.ts"

/** Facts for which the second evaluation is lower, with the scores of both. */
export interface Lower {
  readonly facts: Facts
  /** Where they were found. */
  readonly box: Box
  readonly from: number
  readonly to: number
}

const openTerms = (standings: ReadonlyArray<Standing>): ReadonlyArray<Term> =>
  standings.flatMap(({ open }) => open.flatMap(({ rest }) => (rest === true ? [] : [rest])))

const onBothSides = (ask: Ask, box: Box): ReadonlyArray<Box> =>
  sides(ask, box)
    .map((values) => narrow(box, ask.fact, values))
    .filter((part) => part !== null)

const pointsPerFloorPoint = 100

/** How much hangs on what is open of a ladder, in basis points. */
const stakeOf = (standing: Standing): number =>
  mostOf(standing, "hazardBp") -
  leastOf(standing, "hazardBp") +
  pointsPerFloorPoint * (mostOf(standing, "floor") - leastOf(standing, "floor"))

/**
 * Yields facts of the second evaluation being lower as it finds them, and null for each step between. Where it ends without
 * any, there are none: a part is left alone only where the second is proven to be as high throughout.
 */
export function* walk(comparison: Comparison): Generator<Lower | null> {
  const { from, lowered, moved, to, where } = comparison
  const pairs = pair(comparison)
  const looser = pairs.differing.flatMap(({ beyond }: Pair) => [beyond.hazard, beyond.floor])
  const fell = lowered.map((figure) => figure.where)
  const shift = pointOf(moved)

  const fromIn = ({ box, changed, same }: Place, end: End) =>
    bound(
      box,
      [...same, ...changed].map((one) => one.from),
      from.numbers,
      end
    )
  const toIn = ({ added, box, same }: Place, end: End) =>
    bound({ ...box, ...shift }, [...same.map((one) => one.to), ...added], to.numbers, end)

  const isProven = (place: Place): boolean => {
    const least = toIn(place, "least")
    const measuresAlike = fell.every((term) => settle(term, place.box) === false)
    return (measuresAlike && isAnswered(place, least)) || fromIn(place, "most") <= least
  }

  const lowerAt = (place: Place, facts: Facts): Lower | null => {
    const point = enter(place, pointOf(facts))
    if (point === null) return null
    const scores = { from: fromIn(point, "most"), to: toIn(point, "most") }
    return scores.to < scores.from ? { facts, box: place.box, ...scores } : null
  }

  /** By what changed first, and by what weighs most after that. */
  const parts = ({ added, box, changed, rest, same }: Place): ReadonlyArray<Box> => {
    if (rest !== true) return onBothSides(firstAsk(rest), box)
    const [turning] = openTerms([...changed.map((one) => one.from), ...added])
    if (turning !== undefined) return onBothSides(firstAsk(turning), box)
    const measured = [from, to]
      .flatMap(({ numbers }) => partings(box, numbers))
      .map((parting) => ({
        stake: parting.stake,
        boxes: () => parted(box, parting)
      }))
    const asked = same.flatMap(({ from: standing }) =>
      openTerms([standing])
        .slice(0, 1)
        .map((term) => ({ stake: stakeOf(standing), boxes: () => onBothSides(firstAsk(term), box) }))
    )
    const [most] = [...measured, ...asked].toSorted((a, b) => b.stake - a.stake)
    return most?.boxes() ?? []
  }

  function* descend(above: Place, box: Box): Generator<Lower | null> {
    const place = enter(above, box)
    if (place === null || isProven(place)) return yield null
    yield place.rest === true ? lowerAt(place, pick(place.box)) : null
    for (const part of parts(place)) yield* descend(place, part)
  }

  // What changed is asked first: most of what can be is left out by it at once.
  yield* descend(placeAnywhere(pairs, all(any(...looser, ...fell), where)), anywhere)
}
