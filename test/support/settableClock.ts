/** A test clock of which only the wall time can be set, as by an operator or NTP. */

import { Clock, Effect } from "effect"

/** Runs `body` with `setBack`, which moves the wall time and neither the monotonic time nor any sleep. */
export const withSettableClock = <A, E, R>(
  body: (setBack: (ms: number) => Effect.Effect<void>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    let backMs = 0
    const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() - backMs
    const settable: Clock.Clock = {
      ...clock,
      currentTimeMillisUnsafe,
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe)
    }
    const setBack = (ms: number) =>
      Effect.sync(() => {
        backMs += ms
      })
    return Effect.provideService(body(setBack), Clock.Clock, settable)
  })
