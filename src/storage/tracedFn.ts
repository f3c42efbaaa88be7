/** Adds a span to the work of a hot path, but only while tracing is enabled. */

import { Effect, References } from "effect"

/** Like `Effect.fn(name)`, which captures a stack and changes the context even if tracing is disabled. */
export const tracedFn =
  (name: string) =>
  <Args extends ReadonlyArray<unknown>, A, E, R>(work: (...args: Args) => Effect.Effect<A, E, R>) =>
  (...args: Args): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber): Effect.Effect<A, E, R> => {
      const effect = work(...args)
      return fiber.getRef(References.TracerEnabled)
        ? Effect.withSpan(name, {}, { captureStackTrace: false })(effect)
        : effect
    })
