/** What a search compares: two evaluations of the same facts, and which groups of the second side cover which groups of the first. */

import { isDeepStrictEqual } from "node:util"
import type { Facts } from "../../scoring/Facts.ts"
import { pointOf } from "../analysis/Box.ts"
import { all, any, not, simplify, type Term } from "../analysis/Term.ts"
import type { Side, Tier, TierGroup } from "./Side.ts"

export interface ScoreComparison {
  readonly from: Side
  readonly to: Side
  /** Facts that the second evaluation has otherwise than the first. */
  readonly moved: Partial<Facts>
  /** Where it is compared at all. */
  readonly where: Term
  /** Figures of the dimensions that fell, and where they count. */
  readonly lowered: ReadonlyArray<LoweredNumber>
}

/** A figure of the ruleset that lets something score lower than before, and the facts for which it counts. */
export interface LoweredNumber {
  /** As a reviewer finds it in the file: `anchors.usd`. */
  readonly what: string
  readonly where: Term
}

/** Holds the ladders of two sides against each other: which say the same, which answer for which, and where none does. */
export interface GroupPair {
  readonly from: TierGroup
  /** Its hazards answer for those of the first; a ladder answers for one other at most. */
  readonly to: TierGroup | undefined
  /** Where hazard, and where a floor, of the first is not answered for by any rung of the second side that asks as much. */
  readonly beyond: { readonly hazard: Term; readonly floor: Term }
}

export interface GroupPairs {
  /** The same on both sides: whatever they say, they say it twice. */
  readonly same: ReadonlyArray<{ readonly from: TierGroup; readonly to: TierGroup }>
  readonly differing: ReadonlyArray<GroupPair>
  /** Of the second side, without those that are the same. */
  readonly added: ReadonlyArray<TierGroup>
}

/** The moved facts in their places, so that both sides can be asked of one box. */
const termWithOverrides = (term: Term, moved: Partial<Facts>): Term => {
  const settled = simplify(term, pointOf(moved))
  return settled === true ? all() : settled === false ? any() : settled
}

const withOverrides = ({ code, rungs }: TierGroup, moved: Partial<Facts>): TierGroup => ({
  code,
  rungs: rungs.map((rung) => ({ ...rung, term: termWithOverrides(rung.term, moved) }))
})

/** Equal in all that hazards come from, and with floors no lower: such a pair cancels wherever the two are compared. */
const cancelsOut = (from: TierGroup, to: TierGroup): boolean =>
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
export const tiersReaching = (
  { rungs }: TierGroup,
  what: "floor" | "hazardBp",
  least: number
): ReadonlyArray<Tier> => rungs.filter((_, i) => rungs.slice(0, i + 1).every((rung) => rung[what] >= least))

const hasSameTerm = (rung: Tier, rungs: ReadonlyArray<Tier>): boolean =>
  rungs.some(({ term }) => isDeepStrictEqual(term, rung.term))

/** Where a rung holds and none of `answers` does; nowhere if one of them asks the very same. */
const uncoveredTier = (rung: Tier, least: number, answers: ReadonlyArray<Tier>): Term =>
  least === 0 || hasSameTerm(rung, answers) ? any() : all(rung.term, ...answers.map(({ term }) => not(term)))

/** A renamed ladder still answers: the first that asks something of the same. */
const successorOf = (from: TierGroup, free: ReadonlySet<TierGroup>): TierGroup | undefined =>
  [...free].find(({ rungs }) => from.rungs.some((rung) => hasSameTerm(rung, rungs)))

const uncoveredTerms = (
  from: TierGroup,
  to: TierGroup | undefined,
  all: ReadonlyArray<TierGroup>
): GroupPair["beyond"] => ({
  hazard: any(
    ...from.rungs.map((rung) =>
      uncoveredTier(rung, rung.hazardBp, to === undefined ? [] : tiersReaching(to, "hazardBp", rung.hazardBp))
    )
  ),
  floor: any(
    ...from.rungs.map((rung) =>
      uncoveredTier(
        rung,
        rung.floor,
        all.flatMap((ladder) => tiersReaching(ladder, "floor", rung.floor))
      )
    )
  )
})

export const pairGroups = ({
  from,
  moved,
  to
}: Pick<ScoreComparison, "from" | "moved" | "to">): GroupPairs => {
  const placed = to.groups.map((ladder) => withOverrides(ladder, moved))
  // In the same form, so that equal terms look alike.
  const first = from.groups.map((ladder) => withOverrides(ladder, {}))
  const namesakes = new Map(placed.map((ladder) => [ladder.code, ladder]))
  const same = first.flatMap((ladder) => {
    const other = namesakes.get(ladder.code)
    return other !== undefined && cancelsOut(ladder, other) ? [{ from: ladder, to: other }] : []
  })
  const changed = first.filter((ladder) => !same.some((one) => one.from === ladder))
  const added = placed.filter((ladder) => !same.some((one) => one.to === ladder))
  const free = new Set(added.filter(({ code }) => !changed.some((ladder) => ladder.code === code)))
  const differing = changed.map((ladder): GroupPair => {
    const own = namesakes.get(ladder.code) ?? successorOf(ladder, free)
    if (own !== undefined) free.delete(own)
    return { from: ladder, to: own, beyond: uncoveredTerms(ladder, own, placed) }
  })
  return { same, differing, added }
}
