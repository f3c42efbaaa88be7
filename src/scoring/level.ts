/** Reads a score of 0-100 as a level. */

import { type ActionRiskLevel, type Level, levels } from "../domain/Level.ts"
import type { Numbers } from "./Model.ts"

export const levelOf = (score: number, numbers: Numbers): Level =>
  levels.findLast((level) => score >= numbers.levels[level]) ?? "minimal"

/** Spec 2.2: the level of action risk is never `minimal`. */
export const actionRiskLevelOf = (score: number, numbers: Numbers): ActionRiskLevel => {
  const level = levelOf(score, numbers)
  return level === "minimal" ? "low" : level
}
