/** The circuit breaker: an endpoint that fails repeatedly gets no attempts for a while and takes no capacity from others. */

import { setBounded } from "../boundedMap.ts"
import {
  webhookCircuitFailuresMax,
  webhookCircuitOpenMs,
  webhookCircuitsMax,
  webhookPostponedMs
} from "../limits.ts"

/** Every `nowMs` is on the clock of `monotonicMs`: with a wall clock that is set back, a circuit would stay open. */
export interface CircuitBreaker {
  readonly succeeded: (endpointId: string) => void
  readonly failed: (endpointId: string, nowMs: number) => void
  /** Called when a delivery is postponed because of the service itself. Returns true if this should be logged. */
  readonly postponed: (endpointId: string, nowMs: number) => boolean
  /** Endpoints that currently get no attempts. */
  readonly openEndpoints: (nowMs: number) => ReadonlyArray<string>
}

interface FailingEndpoint {
  readonly failures: number
  readonly openUntilMs: number
}

/**
 * Kept in the memory of one process: losing it costs one attempt per endpoint. An open circuit closes by itself. The outbox then gives a
 * failing endpoint one delivery at a time; that delivery is the probe, and its failure opens the circuit again. An open circuit delays due
 * deliveries without using up attempts.
 */
export const makeCircuitBreaker = (): CircuitBreaker => {
  const failing = new Map<string, FailingEndpoint>()
  const loggedUntilMs = new Map<string, number>()
  return {
    postponed: (endpointId, nowMs) => {
      if ((loggedUntilMs.get(endpointId) ?? nowMs) > nowMs) return false
      setBounded(loggedUntilMs, webhookCircuitsMax, endpointId, nowMs + webhookPostponedMs)
      return true
    },
    succeeded: (endpointId) => void failing.delete(endpointId),
    failed: (endpointId, nowMs) => {
      const failures = (failing.get(endpointId)?.failures ?? 0) + 1
      const opens = failures >= webhookCircuitFailuresMax
      // Evicts the entry whose last failure is the oldest.
      const openUntilMs = opens ? nowMs + webhookCircuitOpenMs : nowMs
      setBounded(failing, webhookCircuitsMax, endpointId, { failures, openUntilMs })
    },
    openEndpoints: (nowMs) =>
      [...failing].flatMap(([endpointId, { openUntilMs }]) => (openUntilMs > nowMs ? [endpointId] : []))
  }
}
