/** The input of a search: two evaluations of the same facts, and which groups of the second side cover which groups of the first. */

import { isDeepStrictEqual } from "node:util"
import type { Facts } from "../../scoring/Facts.ts"
import { pointOf } from "../analysis/Box.ts"
import { all, any, not, simplify, type Term } from "../analysis/Term.ts"
import { confirmationRank, silences } from "../ScoreAndControl.ts"
import type { Side, Tier, TierGroup } from "./Side.ts"

export interface EvaluationComparison {
  readonly from: Side
  readonly to: Side
  /** Facts that have these values in the second evaluation, whatever they are in the first. */
  readonly overrides: Partial<Facts>
  /** The facts for which the two evaluations are compared. */
  readonly where: Term
  /** For each number of the dimensions that is lower on the second side, the facts for which it applies. */
  readonly lowered: ReadonlyArray<Term>
}

/** A group of the first side, and the group of the second side that covers it. */
export interface GroupPair {
  readonly from: TierGroup
  /** Its hazards cover those of `from`. It covers no other group's hazards. */
  readonly to: TierGroup | undefined
  /**
   * The facts for which a hazard, a floor or a control of `from` is not covered: no tier of the second side that is at least as high is
   * certain to count. Only `to` can cover a hazard; any group of the second side can cover a floor or a control.
   */
  readonly uncovered: Uncovered<Term>
}

export type Uncovered<T> = Readonly<Record<TierEffect, T>>

/** The effects of a tier. None of these figures may fall. */
export const tierEffects = ["hazardBp", "floor", "control"] as const
export type TierEffect = (typeof tierEffects)[number]

export interface GroupPairs {
  /** Groups that do the same on both sides, so that they cancel out. */
  readonly same: ReadonlyArray<{ readonly from: TierGroup; readonly to: TierGroup }>
  readonly differing: ReadonlyArray<GroupPair>
  /** All groups of the second side that are not in `same`. */
  readonly added: ReadonlyArray<TierGroup>
  /** The facts for which a group in `added` allows staged execution at a moderate level, and no group in `differing` did. */
  readonly eased: Term
}

/** Rewrites a term of the second side as a term over the facts of the first. */
const termWithOverrides = (term: Term, overrides: Partial<Facts>): Term => {
  const simplified = simplify(term, pointOf(overrides))
  return simplified === true ? all() : simplified === false ? any() : simplified
}

const withOverrides = (group: TierGroup, overrides: Partial<Facts>): TierGroup => ({
  ...group,
  tiers: group.tiers.map((tier) => ({ ...tier, term: termWithOverrides(tier.term, overrides) }))
})

/** Equal conditions, hazards and controls, and no lower floor: such a pair cancels out for all facts. */
const cancelsOut = (from: TierGroup, to: TierGroup): boolean =>
  from.staged === to.staged &&
  isNoMoreSilent(from, to) &&
  from.tiers.length === to.tiers.length &&
  from.tiers.every((tier, i) => {
    const other = to.tiers[i]
    return (
      other !== undefined &&
      tier.hazardBp === other.hazardBp &&
      tier.control === other.control &&
      tier.floor <= other.floor &&
      isDeepStrictEqual(tier.term, other.term)
    )
  })

/** Whether the second group counts wherever the first one does, if both hold alike. */
export const isNoMoreSilent = (from: TierGroup, to: TierGroup): boolean =>
  silences.indexOf(to.silence) <= silences.indexOf(from.silence)

/** The tiers that make the group reach at least `least` wherever they hold: no stronger tier of the group has less. */
export const tiersReaching = ({ tiers }: TierGroup, what: TierEffect, least: number): ReadonlyArray<Tier> =>
  tiers.filter((_, i) => tiers.slice(0, i + 1).every((tier) => tier[what] >= least))

export const hasSameTerm = (tier: Tier, tiers: ReadonlyArray<Tier>): boolean =>
  tiers.some(({ term }) => isDeepStrictEqual(term, tier.term))

/** The facts for which the tier holds and none of `covers` does. Empty if one of them has the same condition. */
const uncoveredTier = (tier: Tier, least: number, covers: ReadonlyArray<Tier>): Term =>
  least === 0 || hasSameTerm(tier, covers) ? any() : all(tier.term, ...covers.map(({ term }) => not(term)))

/** The counterpart of a group whose code is gone: the first free group that shares a condition with it. */
const renamedCounterpart = (from: TierGroup, free: ReadonlySet<TierGroup>): TierGroup | undefined =>
  [...free].find(({ tiers }) => from.tiers.some((tier) => hasSameTerm(tier, tiers)))

const uncoveredTerms = (
  from: TierGroup,
  to: TierGroup | undefined,
  everyGroup: ReadonlyArray<TierGroup>
): GroupPair["uncovered"] => {
  const by = (what: TierEffect, covers: ReadonlyArray<TierGroup>): Term =>
    any(
      ...from.tiers.map((tier) =>
        uncoveredTier(
          tier,
          tier[what],
          covers.flatMap((group) => tiersReaching(group, what, tier[what]))
        )
      )
    )
  return {
    hazardBp: by("hazardBp", to === undefined ? [] : [to]),
    floor: by("floor", everyGroup),
    control: by("control", everyGroup)
  }
}

/** Excludes stronger tiers of the group that ask for a confirmation themselves. */
const easing = ({ staged, tiers }: TierGroup): Term =>
  staged ? any(...tiers.filter(({ control }) => control < confirmationRank).map(({ term }) => term)) : any()

const raising = ({ staged, tiers }: TierGroup): Term =>
  staged ? any(...tiers.map(({ term }) => term)) : any()

export const pairGroups = ({
  from,
  overrides,
  to
}: Pick<EvaluationComparison, "from" | "overrides" | "to">): GroupPairs => {
  const after = to.groups.map((group) => withOverrides(group, overrides))
  // Needed even without overrides: `simplify` gives both sides the same form, so that equal terms are deeply equal.
  const before = from.groups.map((group) => withOverrides(group, {}))
  const byCode = new Map(after.map((group) => [group.code, group]))
  const same = before.flatMap((group) => {
    const other = byCode.get(group.code)
    return other !== undefined && cancelsOut(group, other) ? [{ from: group, to: other }] : []
  })
  const changed = before.filter((group) => !same.some((pair) => pair.from === group))
  const added = after.filter((group) => !same.some((pair) => pair.to === group))
  const free = new Set(added.filter(({ code }) => !changed.some((group) => group.code === code)))
  const differing = changed.map((group): GroupPair => {
    const counterpart = byCode.get(group.code) ?? renamedCounterpart(group, free)
    if (counterpart !== undefined) free.delete(counterpart)
    return { from: group, to: counterpart, uncovered: uncoveredTerms(group, counterpart, after) }
  })
  const wasEased = any(...differing.map(({ from }) => raising(from)))
  return { same, differing, added, eased: all(any(...added.map(easing)), not(wasEased)) }
}
