/** The five levels that a score of 0-100 is read as. */

export const levels = ["minimal", "low", "moderate", "high", "critical"] as const
export type Level = (typeof levels)[number]

/** Action risk is at least 1 and never called minimal (specification 2.2). Weakest first. */
export const actionRiskLevels = [
  "low",
  "moderate",
  "high",
  "critical"
] as const satisfies ReadonlyArray<Level>
export type ActionRiskLevel = (typeof actionRiskLevels)[number]
