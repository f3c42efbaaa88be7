/** Checks repeatedly until a condition holds. */

import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { scaled } from "./depth.ts"

const mostMs = scaled(60_000, 900_000)

/** Fails with the last observation if that takes too long. */
export const waitUntil = <A>(look: Effect.Effect<A>, holds: (seen: A) => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    const startedAtMs = performance.now()
    for (let seen = yield* look; !holds(seen); seen = yield* look) {
      if (performance.now() - startedAtMs > mostMs)
        throw new Error(`it does not come to that: ${JSON.stringify(seen)}`)
      yield* Effect.promise(() => sleep(20))
    }
  })
