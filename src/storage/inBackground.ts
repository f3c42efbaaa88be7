/** Work with storage that nobody waits for: it fails for good only when it failed twice, and then a log says so. */

import { Effect, Option, Schedule } from "effect"
import { backgroundRetryMs } from "../Limits.ts"
import { logStorageFailure } from "./logStorageFailure.ts"

const onceMore = { times: 1, schedule: Schedule.jittered(Schedule.spaced(backgroundRetryMs)) }

/** None where it failed: the next round does what this one did not. `task`: `count webhook deliveries`. */
export const inBackground = <A, E, R>(
  task: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, never, R> =>
  work.pipe(
    // A connection that opens slowly on a busy machine, at start above all, is nothing to wake an operator for.
    Effect.retry(onceMore),
    Effect.asSome,
    Effect.catchCause((cause) => Effect.as(logStorageFailure(task, cause), Option.none()))
  )
