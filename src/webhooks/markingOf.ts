/** What an attempt means for its delivery: made, to be made again, or dead. */

import type { ClaimedDelivery } from "../storage/webhookOutbox/ClaimedDelivery.ts"
import type { Marking } from "../storage/webhookOutbox/mark.ts"
import type { Attempt } from "./attempt.ts"
import { nextAttemptMs } from "./schedule.ts"

const httpGone = 410

/** `random`: in [0, 1). */
export const markingOf = (delivery: ClaimedDelivery, attempt: Attempt, random: number): Marking => {
  const { attempts, deliveryId, organizationId, token, url } = delivery
  const own = { organizationId, deliveryId, token, url }
  const failedAttempt = attempts + 1
  switch (attempt.is) {
    case "untellable":
      return { ...own, outcome: "unmade", answered: null, nextAttemptMs: null }
    case "unanswered": {
      const next = nextAttemptMs({ attempt: failedAttempt, retryAfterSeconds: null, random })
      return { ...own, outcome: "failed", answered: null, nextAttemptMs: next }
    }
    case "answered": {
      const { retryAfterSeconds, status } = attempt
      const answered = { ...own, answered: status, nextAttemptMs: null }
      if (status >= 200 && status < 300) return { ...answered, outcome: "delivered" }
      if (status === httpGone) return { ...answered, outcome: "gone" }
      const next = nextAttemptMs({ attempt: failedAttempt, retryAfterSeconds, random })
      return { ...answered, outcome: "failed", nextAttemptMs: next }
    }
  }
}
