/** What a rate limit store does: count one request, or say that it cannot. */

import { Cause, type Effect, Schema } from "effect"

/** The count could not be kept; nothing may pass uncounted. */
export class RateLimitsAway extends Schema.TaggedError<RateLimitsAway>()("RateLimitsAway", {
  cause: Schema.declare(Cause.isCause)
}) {}

/** Counts one request of `subject` in the window that starts at `windowMs`; gives the count with this one. */
export type Count = (subject: string, windowMs: number) => Effect.Effect<number, RateLimitsAway>

/** The same in this process, where nothing is waited for. */
export type CountHere = (subject: string, windowMs: number) => number
