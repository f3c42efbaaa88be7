/** The circuit breaker: endpoints that fail again and again rest, so that what waits for them takes nobody's place. */

import {
  webhookCircuitFailuresMax,
  webhookCircuitOpenMs,
  webhookCircuitsMax,
  webhookPostponedMs
} from "../limits.ts"

interface FailingEndpoint {
  readonly failures: number
  readonly openUntilMs: number
}

export interface CircuitBreaker {
  readonly succeeded: (endpointId: string) => void
  readonly failed: (endpointId: string, nowMs: number) => void
  /** What was to be sent was put off for a reason of ours; whether the log has yet to hear of it. */
  readonly postponed: (endpointId: string, nowMs: number) => boolean
  /** Those that are not to be asked now. */
  readonly openEndpoints: (nowMs: number) => ReadonlyArray<string>
}

/**
 * Of one process, in memory: forgetting a rest costs an attempt. A rest ends by itself; since the outbox gives an endpoint
 * that fails one delivery at a time, that one is the probe, and a failure begins the next rest. A rest delays what is due
 * and uses up no attempt.
 */
export const makeCircuitBreaker = (): CircuitBreaker => {
  const troubled = new Map<string, FailingEndpoint>()
  const toldUntilMs = new Map<string, number>()
  return {
    postponed: (endpointId, nowMs) => {
      if ((toldUntilMs.get(endpointId) ?? nowMs) > nowMs) return false
      toldUntilMs.delete(endpointId)
      toldUntilMs.set(endpointId, nowMs + webhookPostponedMs)
      evictOldest(toldUntilMs)
      return true
    },
    succeeded: (endpointId) => void troubled.delete(endpointId),
    failed: (endpointId, nowMs) => {
      const failures = (troubled.get(endpointId)?.failures ?? 0) + 1
      const rests = failures >= webhookCircuitFailuresMax
      // Behind all others, so that the one that is forgotten has not failed for the longest time.
      troubled.delete(endpointId)
      troubled.set(endpointId, { failures, openUntilMs: rests ? nowMs + webhookCircuitOpenMs : nowMs })
      evictOldest(troubled)
    },
    openEndpoints: (nowMs) =>
      [...troubled].flatMap(([endpointId, { openUntilMs: restsUntilMs }]) =>
        restsUntilMs > nowMs ? [endpointId] : []
      )
  }
}

const evictOldest = (remembered: Map<string, unknown>): void => {
  for (const [oldest] of remembered) {
    if (remembered.size <= webhookCircuitsMax) break
    remembered.delete(oldest)
  }
}
