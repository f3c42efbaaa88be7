/** A node of the search: a box, and for each group of both sides the tiers that can still count in the box. */

import { type Box, wholeSpace } from "../analysis/Box.ts"
import { simplify, type Term } from "../analysis/Term.ts"
import { propagate } from "../analysis/satisfiability.ts"
import type { GroupPairs } from "./ScoreComparison.ts"
import type { Tier, TierGroup } from "./Side.ts"

/** A ladder of the first side that the second does not have as it was. */
interface ChangedGroup {
  readonly from: GroupState
  /** The code of the ladder that answers for it. */
  readonly answering: string | undefined
  /** Where it is left without an answer; false where that is nowhere. */
  readonly beyond: { readonly hazard: Term | boolean; readonly floor: Term | boolean }
}

export interface SearchNode {
  readonly box: Box
  /** What is left of where the walk goes at all; true where all of the box belongs to it. */
  readonly rest: Term | true
  readonly same: ReadonlyArray<{ readonly from: GroupState; readonly to: GroupState }>
  readonly changed: ReadonlyArray<ChangedGroup>
  readonly added: ReadonlyArray<GroupState>
}

export const rootNode = ({ added, differing, same }: GroupPairs, where: Term): SearchNode => ({
  box: wholeSpace,
  rest: where,
  same: same.map(({ from, to }) => ({ from: initialState(from), to: initialState(to) })),
  changed: differing.map(({ beyond, from, to }) => ({
    from: initialState(from),
    answering: to?.code,
    beyond
  })),
  added: added.map(initialState)
})

const simplifyIn = (term: Term | boolean, box: Box): Term | boolean =>
  typeof term === "boolean" ? term : simplify(term, box)

/** Null where nothing of the box belongs to the walk. */
export const enterBox = (place: SearchNode, box: Box): SearchNode | null => {
  const confined = place.rest === true ? { box, rest: place.rest } : propagate(place.rest, box)
  if (confined === null) return null
  const within = confined.box
  const at = (standing: GroupState) => simplifyState(standing, within)
  return {
    ...confined,
    same: place.same.map(({ from, to }) => ({ from: at(from), to: at(to) })),
    changed: place.changed.map(({ answering, beyond, from }) => ({
      answering,
      from: at(from),
      beyond: { hazard: simplifyIn(beyond.hazard, within), floor: simplifyIn(beyond.floor, within) }
    })),
    added: place.added.map(at)
  }
}

const byDescending = (a: number, b: number): number => b - a

/**
 * Whether all that the first side has over dimensions is answered for wherever in the box, `least` being the least score of the
 * second there. Of hazards, what is the same cancels, and of the rest the largest, the second largest and so on are no
 * smaller: folding sorted hazards keeps that. Floors are answered by any score that is as high.
 */
export const isCovered = ({ added, changed }: SearchNode, least: number): boolean => {
  const lost: Array<number> = []
  const spoken = new Set<string>()
  for (const { answering, beyond, from } of changed) {
    if (beyond.floor !== false && maxOf(from, "floor") > least) return false
    if (beyond.hazard !== false) lost.push(maxOf(from, "hazardBp"))
    else if (answering !== undefined) spoken.add(answering)
  }
  const gained = added.filter(({ code }) => !spoken.has(code)).map((to) => minOf(to, "hazardBp"))
  const gains = gained.toSorted(byDescending)
  return lost.toSorted(byDescending).every((hazard, i) => hazard <= (gains[i] ?? 0))
}

/** What a box leaves of a ladder: the rungs that can still count there. */
interface OpenTier {
  readonly rung: Tier
  /** What is left to ask; true where it holds throughout. */
  readonly rest: Term | true
}

export interface GroupState {
  readonly code: string
  /** Strongest first; nothing comes after one that is sure. */
  readonly openTiers: ReadonlyArray<OpenTier>
}

export const initialState = ({ code, rungs }: TierGroup): GroupState => ({
  code,
  openTiers: rungs.map((rung) => ({ rung, rest: rung.term }))
})

export const simplifyState = ({ code, openTiers: open }: GroupState, box: Box): GroupState => {
  const left: Array<OpenTier> = []
  for (const { rest, rung } of open) {
    const settled = rest === true ? true : simplify(rest, box)
    if (settled === false) continue
    left.push({ rung, rest: settled })
    if (settled === true) break
  }
  return { code, openTiers: left }
}

const isCertain = ({ openTiers: open }: GroupState): boolean => open.at(-1)?.rest === true

/** At most and at least, wherever in the box. */
export const maxOf = (standing: GroupState, what: "floor" | "hazardBp"): number =>
  Math.max(0, ...standing.openTiers.map(({ rung }) => rung[what]))

export const minOf = (standing: GroupState, what: "floor" | "hazardBp"): number =>
  isCertain(standing) ? Math.min(...standing.openTiers.map(({ rung }) => rung[what])) : 0
