/** The concurrency limit: how many requests are worked on at once, and each organization's share of them. */

import { Context } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { makeEvenShare, tenantKey } from "../evenShare.ts"
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

/** Each tenant gets its even share of `max` permits at once, and all together never hold more than 2 × `max`. */
export const makeConcurrencyLimit = (max: number) => {
  const share = makeEvenShare(max)

  return (caller: Pick<Caller, "mode" | "organizationId">): Permit => {
    const tenant = tenantKey(caller)
    let holds = false
    return {
      isFree: () => holds || share.roomOf(tenant) > 0,
      acquire: () => {
        holds = holds || share.take(tenant)
        return holds
      },
      release: () => {
        if (holds) share.release(tenant)
        holds = false
      }
    }
  }
}
