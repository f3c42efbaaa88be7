/** The concurrency limit: how many requests are processed at once, and each organization's share of them. */

import { Context } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { makeEvenShare, tenantKey } from "../evenShare.ts"
import { inFlightMax, overloadRetrySeconds } from "../limits.ts"
import { overloadRejected } from "../metrics.ts"

/** One instance for all requests, because creating an error costs more than the rest of such a response. */
export const overloadFailure = new AssessmentUnavailable({
  message: "too many requests are in progress to be answered in time; retry later, and more slowly",
  retryAfterSeconds: overloadRetrySeconds
})

/** The failure of a request that gets no permit, counted in the metrics. */
export const overloaded = (): AssessmentUnavailable => {
  overloadRejected()
  return overloadFailure
}

/** How many requests one server processes at once. */
export class InFlightMax extends Context.Reference<number>("action-risk/server/InFlightMax", {
  defaultValue: () => inFlightMax
}) {}

/** The permit of one request. A request holds at most one, and may acquire and release it repeatedly. */
export interface Permit {
  /** Whether `acquire` would succeed now. */
  readonly isFree: () => boolean
  /** False if no permit is free. */
  readonly acquire: () => boolean
  readonly release: () => void
}

/** For a request that needs no permit or has not presented a valid key yet. */
export const noPermit: Permit = { isFree: () => true, acquire: () => true, release: () => undefined }

/** Each tenant gets its even share of `max` permits, and all tenants together never hold more than 2 × `max`. */
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
