/** How many requests are worked on at once, and what share of them is one organization's: beyond that, refused at once. */

import { Context } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { inFlightMax, overloadRetrySeconds } from "../limits.ts"
import { overloadRejected } from "../metrics.ts"

/** One for all: it says nothing of the request, and making an error costs more than the rest of a refusal. */
export const overloadFailure = new AssessmentUnavailable({
  message: "more requests are under way than can be answered in time; ask again, and more slowly",
  retryAfterSeconds: overloadRetrySeconds
})

/** Counts the refusal; what is refused here was not looked at. */
export const overloaded = (): AssessmentUnavailable => {
  overloadRejected()
  return overloadFailure
}

/** How many one server works on at once. */
export class InFlightMax extends Context.Reference<number>("action-risk/server/InFlightMax", {
  defaultValue: () => inFlightMax
}) {}

/** Live and test traffic of an organization share like two: neither crowds the other out. */
type Tenant = Pick<Caller, "mode" | "organizationId">

const tenantKey = ({ mode, organizationId }: Tenant): string => `${mode} ${organizationId}`

export interface Permit {
  /** Whether `take` would find one. */
  readonly isFree: () => boolean
  /** False where there is none. */
  readonly acquire: () => boolean
  readonly release: () => void
}

/** Of a request that needs none, or has not shown its key yet. */
export const noPermit: Permit = { isFree: () => true, acquire: () => true, release: () => undefined }

/**
 * An organization may have as many under way as an even share among those that have any: alone all of them, and room for
 * another as soon as that asks. Shares shrink at once, while what is under way ends by itself; so all together may be
 * more than `max` for as long as one request takes, and never twice as many.
 */
export const makeConcurrencyLimit = (max: number) => {
  const held = new Map<string, number>()
  let all = 0

  const hasRoom = (name: string): boolean => {
    const own = held.get(name) ?? 0
    const sharing = own === 0 ? held.size + 1 : held.size
    return own < Math.max(1, Math.floor(max / sharing)) && all < 2 * max
  }

  const change = (name: string, by: 1 | -1): void => {
    const own = (held.get(name) ?? 0) + by
    if (own > 0) held.set(name, own)
    else held.delete(name)
    all += by
  }

  // The place of one request, which takes it and gives it back as often as it likes, and holds one at most.
  return (who: Tenant): Permit => {
    const name = tenantKey(who)
    let holds = false
    const isFree = () => holds || hasRoom(name)
    return {
      isFree,
      acquire: () => {
        if (!isFree()) return false
        if (!holds) change(name, 1)
        holds = true
        return true
      },
      release: () => {
        if (holds) change(name, -1)
        holds = false
      }
    }
  }
}
