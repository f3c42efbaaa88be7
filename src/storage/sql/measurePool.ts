/** Counts who holds a connection of a pool and who waits for one. */

import { Effect, Exit } from "effect"
import { watch } from "../../Metrics.ts"

/** What it gives wraps an acquisition; the connection counts as used until the scope of the acquisition closes. */
export const measurePool = Effect.fnUntraced(function* (name: string) {
  const now = { used: 0, waiting: 0 }
  const pool = { "db.client.connection.pool.name": name }
  yield* watch(
    "db.client.connection.count",
    "Connections in use.",
    { ...pool, "db.client.connection.state": "used" },
    () => now.used
  )
  yield* watch(
    "db.client.connection.pending_requests",
    "Statements that wait for a free connection.",
    pool,
    () => now.waiting
  )
  return <A, E, R>(acquire: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) => {
      now.waiting += 1
      return Effect.onExit(restore(acquire), (exit) => {
        now.waiting -= 1
        if (Exit.isFailure(exit)) return Effect.void
        now.used += 1
        return Effect.addFinalizer(() => Effect.sync(() => (now.used -= 1)))
      })
    })
})
