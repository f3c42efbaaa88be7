/** Time that only runs forward, for bounds on waits: the wall clock may be set while somebody waits. */

import type { Clock } from "effect"

/** Whole milliseconds since some instant: good for differences only. */
export const monotonicMs = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
