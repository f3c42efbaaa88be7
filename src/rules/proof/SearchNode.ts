/** A node of the search: a box, and for each group of both sides the tiers that can still count in the box. */

import { isDeepStrictEqual } from "node:util"
import { type Box, wholeSpace } from "../analysis/Box.ts"
import { simplify, type Term } from "../analysis/Term.ts"
import { propagate } from "../analysis/satisfiability.ts"
import type { GroupPairs, TierEffect, Uncovered } from "./EvaluationComparison.ts"
import type { Tier, TierGroup } from "./Side.ts"

/** A group of the first side that does not cancel out. */
interface ChangedGroup {
  readonly from: GroupState
  /** The code of the group of the second side that covers its hazards. */
  readonly counterpart: string | undefined
  /** Facts in the box for which the group is not covered; false if there are none. */
  readonly uncovered: Uncovered<Term | boolean>
}

export interface SearchNode {
  readonly box: Box
  /** The undecided part of the term that limits the search; true if it holds in the whole box. */
  readonly rest: Term | true
  /** Both sides share one state if not even a floor differs. */
  readonly same: ReadonlyArray<{ readonly from: GroupState; readonly to: GroupState }>
  readonly changed: ReadonlyArray<ChangedGroup>
  readonly added: ReadonlyArray<GroupState>
  /** Facts in the box for which a moderate level gets staged execution instead of a confirmation; false if there are none. */
  readonly eased: Term | boolean
}

export const rootNode = ({ added, differing, eased, same }: GroupPairs, where: Term): SearchNode => ({
  box: wholeSpace,
  rest: where,
  same: same.map((pair) => {
    const from = initialState(pair.from)
    return { from, to: isDeepStrictEqual(pair.to, pair.from) ? from : initialState(pair.to) }
  }),
  changed: differing.map(({ from, to, uncovered }) => ({
    from: initialState(from),
    counterpart: to?.code,
    uncovered
  })),
  added: added.map(initialState),
  eased
})

const simplifyIn = (term: Term | boolean, box: Box): Term | boolean =>
  typeof term === "boolean" ? term : simplify(term, box)

/** The child of a node for a part of its box; null if that part is outside the search. */
export const enterBox = (node: SearchNode, part: Box): SearchNode | null => {
  const entered = node.rest === true ? { box: part, rest: node.rest } : propagate(node.rest, part)
  if (entered === null) return null
  const { box } = entered
  return {
    ...entered,
    same: node.same.map((pair) => {
      const from = simplifyState(pair.from, box)
      return { from, to: pair.to === pair.from ? from : simplifyState(pair.to, box) }
    }),
    changed: node.changed.map(({ counterpart, from, uncovered }) => ({
      counterpart,
      from: simplifyState(from, box),
      uncovered: {
        hazardBp: simplifyIn(uncovered.hazardBp, box),
        floor: simplifyIn(uncovered.floor, box),
        control: simplifyIn(uncovered.control, box)
      }
    })),
    added: node.added.map((group) => simplifyState(group, box)),
    eased: simplifyIn(node.eased, box)
  }
}

const descending = (a: number, b: number): number => b - a

/**
 * Whether, for all facts of the box, the second side covers everything that the first side adds to its dimensions. `leastScore`: the lowest
 * score of the second side in the box, which covers every floor up to it. Hazards that cancel out are ignored. Among the others, the
 * largest uncovered hazard must not exceed the largest spare hazard of the second side, the second largest not the second largest, and so
 * on: then the noisy-or of sorted hazards is no larger either. A hazard is spare if its group covers no other group in the box.
 */
export const isCovered = ({ added, changed }: SearchNode, leastScore: () => number): boolean => {
  const uncoveredHazards: Array<number> = []
  const claimed = new Set<string>()
  for (const { counterpart, from, uncovered } of changed) {
    if (uncovered.floor !== false && maxOf(from, "floor") > leastScore()) return false
    if (uncovered.hazardBp !== false) uncoveredHazards.push(maxOf(from, "hazardBp"))
    else if (counterpart !== undefined) claimed.add(counterpart)
  }
  const spareHazards = added
    .filter(({ code }) => !claimed.has(code))
    .map((group) => minOf(group, "hazardBp"))
    .toSorted(descending)
  return uncoveredHazards.toSorted(descending).every((hazard, i) => hazard <= (spareHazards[i] ?? 0))
}

/**
 * Whether no control is weaker in a box where no score is lower: the level is no lower, and everything else that asks for a control is
 * covered. `leastControl`: the rank of the weakest control of the second side in the box.
 */
export const areControlsCovered = ({ changed, eased }: SearchNode, leastControl: () => number): boolean =>
  eased === false &&
  changed.every(
    ({ from, uncovered }) => uncovered.control === false || maxOf(from, "control") <= leastControl()
  )

/** A tier that can still count in a box. */
interface OpenTier {
  readonly tier: Tier
  /** The undecided part of its condition; true if the condition holds in the whole box. */
  readonly rest: Term | true
}

/** The state of a group in a box. */
export interface GroupState {
  readonly code: string
  readonly staged: boolean
  /** Strongest first. A tier that holds in the whole box is the last one, because no weaker tier can count. */
  readonly openTiers: ReadonlyArray<OpenTier>
}

export const initialState = ({ code, staged, tiers }: TierGroup): GroupState => ({
  code,
  staged,
  openTiers: tiers.map((tier) => ({ tier, rest: tier.term }))
})

export const simplifyState = ({ openTiers, ...group }: GroupState, box: Box): GroupState => {
  const stillOpen: Array<OpenTier> = []
  for (const { rest, tier } of openTiers) {
    const simplified = rest === true ? true : simplify(rest, box)
    if (simplified === false) continue
    stillOpen.push({ tier, rest: simplified })
    if (simplified === true) break
  }
  return { ...group, openTiers: stillOpen }
}

/** Whether, for all facts of the box, some tier of the group holds. */
export const isCertain = ({ openTiers }: GroupState): boolean => openTiers.at(-1)?.rest === true

/** The most that the group can contribute for any facts in the box. */
export const maxOf = ({ openTiers }: GroupState, what: TierEffect): number =>
  Math.max(0, ...openTiers.map(({ tier }) => tier[what]))

/** The least that the group can contribute for any facts in the box. */
export const minOf = (group: GroupState, what: TierEffect): number =>
  isCertain(group) ? Math.min(...group.openTiers.map(({ tier }) => tier[what])) : 0
