/** Lets one at a time work under a key, in the order of asking; whoever finds it free waits for nothing. */

import { Effect } from "effect"

type Wake = () => void

/** Who does not get its turn within `waitMsMax` gets what `late` makes. */
export const makeTurns = <Late>(waitMsMax: number, late: () => Late) => {
  /** By key, those who wait behind the one that has its turn. */
  const queues = new Map<string, Set<Wake>>()

  const wait = (queue: Set<Wake>): Effect.Effect<void, Late> =>
    Effect.callback<void>((resume) => {
      const wake = () => resume(Effect.void)
      queue.add(wake)
      return Effect.sync(() => queue.delete(wake))
    }).pipe(Effect.timeoutOrElse({ duration: waitMsMax, orElse: () => Effect.fail(late()) }))

  const take = (key: string): Effect.Effect<void, Late> =>
    Effect.suspend(() => {
      const queue = queues.get(key)
      if (queue !== undefined) return wait(queue)
      queues.set(key, new Set())
      return Effect.void
    })

  /** The turn passes on by hand: between one and the next nobody else can take it. */
  const give = (key: string): void => {
    const queue = queues.get(key)
    const [next] = queue ?? []
    if (next === undefined) queues.delete(key)
    else {
      queue?.delete(next)
      next()
    }
  }

  return <A, E, R>(key: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Late, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(take(key)), () =>
        Effect.onExit(restore(work), () => Effect.sync(() => give(key)))
      )
    )
}
