/** The bound on a wait for storage. */

import { Effect, Schema } from "effect"

/** No answer within the bound. */
export class StorageSilent extends Schema.TaggedError<StorageSilent>()("StorageSilent", {
  waitedMs: Schema.Finite
}) {}

/** Fails with `StorageSilent` after `ms`; the statement is given up on in the background. */
export const within = <A, E, R>(ms: number, effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(effect, {
    duration: ms,
    orElse: () => Effect.fail(new StorageSilent({ waitedMs: ms }))
  })
