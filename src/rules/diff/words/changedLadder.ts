/** What became of the rules of one factor, typology or policy rule, in plain words. */

import { isDeepStrictEqual } from "node:util"
import { describeCondition } from "../../describeCondition.ts"
import type { Ladder } from "../../ladders.ts"
import { changedCondition } from "./changedCondition.ts"
import { effectOf, hazardOf, percent } from "./effect.ts"

type LadderRule = Ladder["rules"][number]

/** `high with hazard 30 % when the destination is novel` */
export const describeRule = (rule: LadderRule): string => {
  const hazard = hazardOf(rule)
  const carried = hazard === 0 ? "" : ` with hazard ${percent(hazard)}`
  return `${effectOf(rule)}${carried} when ${describeCondition(rule.condition)}`
}

type Likeness = (before: LadderRule, after: LadderRule) => boolean

const givesTheSame: Likeness = (before, after) => effectOf(before) === effectOf(after)
const asksTheSame: Likeness = (before, after) => isDeepStrictEqual(before.condition, after.condition)

/** The closest first, so that no rule takes the counterpart of another. */
const likenesses: ReadonlyArray<Likeness> = [
  (before, after) => givesTheSame(before, after) && asksTheSame(before, after),
  givesTheSame,
  asksTheSame
]

const counterparts = (from: ReadonlyArray<LadderRule>, to: ReadonlyArray<LadderRule>) => {
  const found = new Map<LadderRule, LadderRule>()
  const taken = new Set<LadderRule>()
  for (const alike of likenesses) {
    for (const after of to) {
      if (found.has(after)) continue
      const before = from.find((rule) => !taken.has(rule) && alike(rule, after))
      if (before === undefined) continue
      found.set(after, before)
      taken.add(before)
    }
  }
  return { found, lost: from.filter((rule) => !taken.has(rule)) }
}

const changedRule = (before: LadderRule, after: LadderRule): ReadonlyArray<string> => {
  const [was, is] = [effectOf(before), effectOf(after)]
  const sameCondition = isDeepStrictEqual(before.condition, after.condition)
  const [hadHazard, hasHazard] = [hazardOf(before), hazardOf(after)]
  return [
    ...(was === is ? [] : [`${is}, was ${was}, when ${describeCondition(after.condition)}`]),
    ...(sameCondition ? [] : [`${is} ${changedCondition(before.condition, after.condition)}`]),
    ...(hadHazard === hasHazard ? [] : [`${is} with hazard ${percent(hasHazard)}, was ${percent(hadHazard)}`])
  ]
}

/** One phrase for each rule that changed; none where only words did. */
export const changedLadder = (from: Ladder, to: Ladder): ReadonlyArray<string> => {
  const { found, lost } = counterparts(from.rules, to.rules)
  return [
    ...lost.map((rule) => `no longer ${describeRule(rule)}`),
    ...to.rules.flatMap((after) => {
      const before = found.get(after)
      return before === undefined ? [`now ${describeRule(after)}`] : changedRule(before, after)
    })
  ]
}
