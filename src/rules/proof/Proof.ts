/** Whether no request scores lower under a second rulebook, how far that was established, and else the witness. */

import type { Witness } from "../witness/Witness.ts"

export interface Proof {
  /** False also where it could not be decided: `covers` then says so and there is no witness. */
  readonly holds: boolean
  /** One or two sentences for people: what was proven for every request, and what was only tried. */
  readonly covers: string
  /** A request that scores lower under the second. */
  readonly witness?: Witness
  /** Where strings had to be tried because they cannot be enumerated. */
  readonly sampled?: { readonly requests: number; readonly seed: number }
}
