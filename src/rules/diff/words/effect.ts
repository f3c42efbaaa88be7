/** What a rule gives where it holds, in a word or two: its severity, its floor, what a policy asks for. */

import type { Ladder } from "../../ladders.ts"

type LadderRule = Ladder["rules"][number]

/** Rules of one ladder with the same key are the same step of it, before and after. */
export const effectOf = ({ match }: LadderRule): string => {
  if ("code" in match) return match.severity
  if ("name" in match) return `floor ${match.floor}`
  if (match.floor !== undefined) return `floor ${match.floor}`
  if (match.factor !== undefined) return `a ${match.factor.severity} factor`
  if (match.control !== undefined) return `control ${match.control}`
  return match.note === undefined ? `recommends ${match.recommendations.join(", ")}` : "a note"
}

/** Basis points; only a factor carries any. */
export const hazardOf = ({ match }: LadderRule): number => ("hazardBp" in match ? match.hazardBp : 0)

export const percent = (basisPoints: number): string => `${basisPoints / 100} %`
