/** The score and the control of an opinion, by which rulebooks are compared, and the control that a single rule asks for. */

import { type ActionRiskLevel, type ControlType, controlTypes, type Severity } from "../domain/Opinion.ts"
import type { FactorMatch, PolicyRuleMatch, TypologyMatch } from "../scoring/Model.ts"
import { strongestControl } from "../scoring/control.ts"

export interface ScoreAndControl {
  /** Integer 1-100. */
  readonly score: number
  readonly control: ControlType
}

/** How an opinion differs under a second rulebook: the change of its score in points, and of its control in steps. */
export interface OpinionMove {
  readonly points: number
  readonly steps: number
}

/** 0 for the weakest control. */
export const controlRank = (control: ControlType): number => controlTypes.indexOf(control)

export const moveBetween = (from: ScoreAndControl, to: ScoreAndControl): OpinionMove => ({
  points: to.score - from.score,
  steps: controlRank(to.control) - controlRank(from.control)
})

/** A lower score or a weaker control. A move can be both a fall and a rise. */
export const isFall = ({ points, steps }: OpinionMove): boolean => points < 0 || steps < 0

/** A higher score or a stronger control. */
export const isRise = ({ points, steps }: OpinionMove): boolean => points > 0 || steps > 0

/** Deepest fall first: by points, then by steps. */
export const byPoints = (a: OpinionMove, b: OpinionMove): number => a.points - b.points || a.steps - b.steps

/** Both sides of a comparison of one request. */
export interface Compared {
  readonly from: ScoreAndControl
  readonly to: ScoreAndControl
}

/** `scored 40 and now scores 28`. If the control differs too, names both controls. */
export const moveText = ({ from, to }: Compared): string =>
  from.control === to.control
    ? `scored ${from.score} and now scores ${to.score}`
    : `scored ${from.score} with ${from.control} and now scores ${to.score} with ${to.control}`

const nothing = {
  complete: true,
  level: "low",
  confidencePercent: 100,
  sufficientPercent: 0,
  factors: [],
  matches: { rules: { factors: [], typologies: [] }, policies: { matched: [], incomplete: false } }
} as const

/** The rank of the control that these grounds ask for on their own. An opinion's control is the strongest of them. */
const rankOf = (grounds: Partial<Parameters<typeof strongestControl>[0]>): number =>
  controlRank(strongestControl({ ...nothing, ...grounds }).type)

export const rankOfSeverity = (severity: Severity): number =>
  rankOf({ factors: [{ category: "action", severity }] })

/**
 * `staged`: whether some factor calls for staged execution, which at a moderate level is weaker than the confirmation that applies
 * otherwise.
 */
export const rankOfLevel = (level: ActionRiskLevel, staged: boolean): number =>
  rankOf({ level, factors: staged ? [{ category: "volume", severity: "low" }] : [] })

export const rankOfTypology = (match: TypologyMatch): number =>
  rankOf({ matches: { ...nothing.matches, rules: { factors: [], typologies: [match] } } })

export const rankOfPolicy = (match: PolicyRuleMatch): number => {
  const required = rankOf({
    matches: { ...nothing.matches, policies: { matched: [match], incomplete: false } }
  })
  return Math.max(required, match.factor === undefined ? 0 : rankOfSeverity(match.factor.severity))
}

export const incompleteRank = rankOf({ complete: false })

export const confirmationRank = rankOfLevel("moderate", false)

/**
 * For which acts a factor does not count towards the control if it rests on an assumption, in ascending order: none (typologies and
 * policies); ordinary acts; also quiet acts of a low level (telling/toldFactors.ts); all.
 */
export const silences = ["none", "ordinary", "quiet", "all"] as const
export type Silence = (typeof silences)[number]

export const silenceOf = ({ about, statedOnly }: FactorMatch): Silence =>
  statedOnly === true ? "all" : about === undefined ? "ordinary" : "quiet"
