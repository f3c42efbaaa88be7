/** A number for each pair of levels: how a backtest moves assessments, how answers compare with labels, what a wrong level costs. */

import type { ActionRiskLevel } from "../domain/Opinion.ts"

/** `matrix[row][column]` */
export type LevelMatrix = Readonly<Record<ActionRiskLevel, Readonly<Record<ActionRiskLevel, number>>>>

export const levelMatrix = (
  figure: (row: ActionRiskLevel, column: ActionRiskLevel) => number
): LevelMatrix => {
  const rowOf = (row: ActionRiskLevel) => ({
    low: figure(row, "low"),
    moderate: figure(row, "moderate"),
    high: figure(row, "high"),
    critical: figure(row, "critical")
  })
  return {
    low: rowOf("low"),
    moderate: rowOf("moderate"),
    high: rowOf("high"),
    critical: rowOf("critical")
  }
}
