/** When a delivery that failed is tried again. */

import { webhookDelaysSeconds, webhookJitterPercent, webhookRetryAfterSecondsMax } from "../Limits.ts"

export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number
  /** What the receiver asked for; null where it asked for nothing. */
  readonly retryAfterSeconds: number | null
  /** In [0, 1). */
  readonly random: number
}

/**
 * Milliseconds until the next attempt; null after the last. A receiver may ask for a later attempt, within a bound, and
 * never for an earlier one: who answers an error with `retry-after: 0` would be sent everything at once.
 */
export const nextAttemptMs = ({ attempt, random, retryAfterSeconds }: FailedAttempt): number | null => {
  const seconds = webhookDelaysSeconds[attempt - 1]
  if (seconds === undefined) return null
  const share = 1 + ((2 * random - 1) * webhookJitterPercent) / 100
  const asked = Math.min(retryAfterSeconds ?? 0, webhookRetryAfterSecondsMax)
  return Math.ceil(1_000 * Math.max(seconds * share, asked))
}
