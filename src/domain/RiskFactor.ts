/** A named reason why an action is risky. */

export const severities = ["low", "moderate", "high", "critical"] as const
/** Weakest first. */
export type Severity = (typeof severities)[number]

export const factorCategories = [
  "destination",
  "volume",
  "data",
  "environment",
  "financial",
  "privilege",
  "reversibility",
  "operational",
  "communication",
  "behavior",
  "identity",
  "action",
  "completeness",
  "policy"
] as const
export type FactorCategory = (typeof factorCategories)[number]

export interface RiskFactor {
  readonly code: string
  readonly category: FactorCategory
  readonly severity: Severity
  readonly message: string
}
