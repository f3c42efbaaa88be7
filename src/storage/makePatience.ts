/** Bounds the waits of many with one timer: whoever has waited for long enough is told so, a moment late at most. */

import { Clock, Effect, Fiber, type Scope } from "effect"
import { patienceLookMs } from "../Limits.ts"
import { monotonicMs } from "./monotonicMs.ts"

export interface Wait {
  /** By `monotonicMs`; a wait with Infinity is bounded elsewhere. */
  readonly untilMs: number
}

export interface Patience<W extends Wait> {
  readonly begin: (wait: W) => void
  readonly end: (wait: W) => void
}

/** `giveUp` is called for a wait that was not ended in time. */
export const makePatience = Effect.fnUntraced(function* <W extends Wait>(
  giveUp: (wait: W) => void
): Effect.fn.Return<Patience<W>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const waits = new Set<W>()
  let looking = false

  const look = Effect.gen(function* () {
    while (waits.size > 0) {
      yield* Effect.sleep(patienceLookMs)
      const nowMs = monotonicMs(clock)
      for (const wait of waits) {
        if (wait.untilMs > nowMs) continue
        waits.delete(wait)
        giveUp(wait)
      }
    }
    looking = false
  })

  return {
    begin: (wait) => {
      if (wait.untilMs === Infinity) return
      waits.add(wait)
      if (looking) return
      looking = true
      Fiber.runIn(run(look), scope)
    },
    end: (wait) => waits.delete(wait)
  }
})
