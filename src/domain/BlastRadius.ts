/** How far the consequences of an action reach, in six dimensions. */

import type { Level } from "./Level.ts"

/** The dimensions that say how bad it would be; `reversibility` amplifies them and is no impact by itself. */
export const impactDimensions = [
  "financialImpact",
  "entityImpact",
  "dataImpact",
  "operationalImpact",
  "privilegeImpact"
] as const
export type ImpactDimension = (typeof impactDimensions)[number]

/** Integers 0-100 in a report, basis points 0-10000 inside scoring; higher is worse for all six. */
export type Dimensions = Readonly<Record<ImpactDimension | "reversibility", number>>

export interface BlastRadius {
  readonly score: number
  readonly level: Level
  readonly dimensions: Dimensions
}
