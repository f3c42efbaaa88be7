/** The concurrency limit: how many requests are worked on at once, and each organization's share of them. */

import { Context } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { inFlightMax, overloadRetrySeconds } from "../limits.ts"
import { overloadRejected } from "../metrics.ts"

/** One instance for all requests: making an error costs more than the rest of such a response. */
export const overloadFailure = new AssessmentUnavailable({
  message: "more requests are under way than can be answered in time; ask again, and more slowly",
  retryAfterSeconds: overloadRetrySeconds
})

/** The failure of a request that gets no permit, counted in the metrics. */
export const overloaded = (): AssessmentUnavailable => {
  overloadRejected()
  return overloadFailure
}

/** How many requests one server works on at once. */
export class InFlightMax extends Context.Reference<number>("action-risk/server/InFlightMax", {
  defaultValue: () => inFlightMax
}) {}

/** An organization's live and test traffic are two tenants, so that neither takes the other's share. */
type Tenant = Pick<Caller, "mode" | "organizationId">

const tenantKey = ({ mode, organizationId }: Tenant): string => `${mode} ${organizationId}`

/** One request's permit. Each request holds at most one, and may acquire and release it repeatedly. */
export interface Permit {
  /** Whether `acquire` would succeed now. */
  readonly isFree: () => boolean
  /** False when no permit is free. */
  readonly acquire: () => boolean
  readonly release: () => void
}

/** The permit of a request that needs none, or that has not shown a valid key yet. */
export const noPermit: Permit = { isFree: () => true, acquire: () => true, release: () => undefined }

/**
 * Each tenant may hold an even share of `max` permits, where the shares are divided among the tenants that hold any.
 * A single tenant may hold all permits. When a second tenant asks, it gets a permit at once and the first tenant's share
 * shrinks at once, but the first tenant's requests still run to their end. The total can therefore exceed `max` for as
 * long as one request takes; it never exceeds 2 × `max`.
 */
export const makeConcurrencyLimit = (max: number) => {
  const held = new Map<string, number>()
  let total = 0

  const hasRoom = (key: string): boolean => {
    const own = held.get(key) ?? 0
    const tenants = own === 0 ? held.size + 1 : held.size
    return own < Math.max(1, Math.floor(max / tenants)) && total < 2 * max
  }

  const change = (key: string, by: 1 | -1): void => {
    const own = (held.get(key) ?? 0) + by
    if (own > 0) held.set(key, own)
    else held.delete(key)
    total += by
  }

  return (tenant: Tenant): Permit => {
    const key = tenantKey(tenant)
    let holds = false
    const isFree = () => holds || hasRoom(key)
    return {
      isFree,
      acquire: () => {
        if (!isFree()) return false
        if (!holds) change(key, 1)
        holds = true
        return true
      },
      release: () => {
        if (holds) change(key, -1)
        holds = false
      }
    }
  }
}
