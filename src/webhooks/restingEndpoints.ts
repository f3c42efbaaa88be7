/** The circuit breaker: endpoints that fail again and again rest, so that what waits for them takes nobody's place. */

import { webhookFailuresBeforeRest, webhookPostponedMs, webhookRestMs, webhookRestsMax } from "../Limits.ts"

interface Troubled {
  readonly failures: number
  readonly restsUntilMs: number
}

export interface RestingEndpoints {
  readonly succeeded: (endpointId: string) => void
  readonly failed: (endpointId: string, nowMs: number) => void
  /** What was to be sent was put off for a reason of ours; whether the log has yet to hear of it. */
  readonly postponed: (endpointId: string, nowMs: number) => boolean
  /** Those that are not to be asked now. */
  readonly resting: (nowMs: number) => ReadonlyArray<string>
}

/**
 * Of one process, in memory: forgetting a rest costs an attempt. A rest ends by itself; since the outbox gives an endpoint
 * that fails one delivery at a time, that one is the probe, and a failure begins the next rest. A rest delays what is due
 * and uses up no attempt.
 */
export const makeRestingEndpoints = (): RestingEndpoints => {
  const troubled = new Map<string, Troubled>()
  const toldUntilMs = new Map<string, number>()
  return {
    postponed: (endpointId, nowMs) => {
      if ((toldUntilMs.get(endpointId) ?? nowMs) > nowMs) return false
      toldUntilMs.delete(endpointId)
      toldUntilMs.set(endpointId, nowMs + webhookPostponedMs)
      forgetOldest(toldUntilMs)
      return true
    },
    succeeded: (endpointId) => void troubled.delete(endpointId),
    failed: (endpointId, nowMs) => {
      const failures = (troubled.get(endpointId)?.failures ?? 0) + 1
      const rests = failures >= webhookFailuresBeforeRest
      // Behind all others, so that the one that is forgotten has not failed for the longest time.
      troubled.delete(endpointId)
      troubled.set(endpointId, { failures, restsUntilMs: rests ? nowMs + webhookRestMs : nowMs })
      forgetOldest(troubled)
    },
    resting: (nowMs) =>
      [...troubled].flatMap(([endpointId, { restsUntilMs }]) => (restsUntilMs > nowMs ? [endpointId] : []))
  }
}

const forgetOldest = (remembered: Map<string, unknown>): void => {
  for (const [oldest] of remembered) {
    if (remembered.size <= webhookRestsMax) break
    remembered.delete(oldest)
  }
}
