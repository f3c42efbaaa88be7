/** What becomes of the mutants of some rule files: how many the cases kill, and every one that they do not. */

import type { LocatedFinding } from "../LocatedFinding.ts"
import type { KillingCase } from "./killingCase.ts"

export interface Tally {
  readonly total: number
  /** Some case fails with the change. */
  readonly killed: number
  /** No case does, although the change means something. */
  readonly survived: number
  /** The change means the same for everything that can be asked, so that no case could fail. */
  readonly equivalent: number
}

export interface Survivor extends LocatedFinding {
  readonly code: string
  /** The name of the changed rule. */
  readonly name: string
  readonly change: string
  /** A case that would fail with the change; absent where none was found. */
  readonly killer?: KillingCase
}

export interface MutationReport {
  /** Whether enough are killed. */
  readonly ok: boolean
  readonly mutants: Tally
  /** Of the mutants that mean something, rounded down: 100 only where all are killed. */
  readonly percent: number
  readonly byCode: ReadonlyArray<Tally & { readonly code: string; readonly percent: number }>
  readonly survivors: ReadonlyArray<Survivor>
  /** Cases that fail without any change; they kill nothing. */
  readonly failing: number
}
