/** What a release answers: which gates it passed, what they found, and what was frozen. */

import type { LocatedFinding } from "../LocatedFinding.ts"

/** In the order in which they are passed. */
export const gateNames = ["version", "changelog", "check", "evaluators", "test", "prove"] as const
export type GateName = (typeof gateNames)[number]

export interface Gate {
  readonly name: GateName
  /** - `not run`: an earlier gate left nothing that could be looked at. */
  readonly outcome: "passed" | "failed" | "not run"
  readonly ms: number
  /** What it looked at, or what it made of it: a few words. */
  readonly says: string
  /** None where it passed, but for warnings. */
  readonly findings: ReadonlyArray<LocatedFinding>
}

export interface Frozen {
  readonly file: string
  readonly digest: string
  readonly releasedAt: string
}

export interface ReleaseReport {
  /** Every gate is passed. */
  readonly ok: boolean
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
  /** The newest release before; null where this is the first. */
  readonly from: string | null
  readonly gates: ReadonlyArray<Gate>
  /** What was written; null at a failed gate and where it was only tried. */
  readonly frozen: Frozen | null
}
