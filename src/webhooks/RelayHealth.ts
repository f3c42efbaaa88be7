/** The health of the relay, from what waits in the outbox: for metrics and for the public status. */

import { Context, Effect, Schedule } from "effect"
import type { Health } from "../api/Status.ts"
import { modes } from "../domain/Caller.ts"
import { webhookLateSeconds, webhooksCountedEveryMs } from "../limits.ts"
import { registerGauge } from "../metrics.ts"
import { retryOnceOrLog } from "../storage/storageErrors.ts"
import { type OutboxStats, WebhookOutbox } from "../storage/webhooks/WebhookOutbox.ts"

/** Operational where no relay runs. */
export class RelayHealth extends Context.Reference<{ readonly read: () => Health }>(
  "action-risk/webhooks/RelayHealth",
  { defaultValue: () => ({ read: () => "operational" }) }
) {}

/** Looks at what waits in the outbox, for metrics and for the public status. */
const emptyOutbox: OutboxStats = { waiting: 0, due: 0, oldestDueSeconds: 0, lateSeconds: 0 }

/** Until its scope closes. */
export const watchRelayHealth = Effect.gen(function* () {
  const { outboxStats: outlook } = yield* WebhookOutbox
  const seen = { live: emptyOutbox, test: emptyOutbox }
  let late = false
  let health: Health = "operational"

  const look = Effect.gen(function* () {
    for (const mode of modes) {
      yield* retryOnceOrLog(
        "count webhook deliveries",
        Effect.map(outlook(mode), (found) => (seen[mode] = found))
      )
    }
    const lateNow = modes.some((mode) => seen[mode].lateSeconds > webhookLateSeconds)
    const now: Health = late && lateNow ? "degraded_performance" : "operational"
    // Twice in a row: an endpoint whose five are in flight has room for a moment whenever one of them ends.
    late = lateNow
    if (now !== health) yield* Effect.logWarning("the webhooks' health changed", { from: health, to: now })
    health = now
  })
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(webhooksCountedEveryMs)))

  for (const mode of modes) {
    const figure = (id: string, description: string, read: (outlook: OutboxStats) => number, suffix = "") =>
      registerGauge(id, description, { mode }, () => read(seen[mode]), suffix)
    yield* figure(
      "action_risk.webhook.waiting",
      "Deliveries that are yet to be made.",
      ({ waiting }) => waiting
    )
    yield* figure("action_risk.webhook.due", "Deliveries that are due and not under way.", ({ due }) => due)
    yield* figure(
      "action_risk.webhook.oldest_due",
      "How long the oldest of these has been due.",
      ({ oldestDueSeconds }) => oldestDueSeconds,
      "_seconds"
    )
    yield* figure(
      "action_risk.webhook.late",
      "The same of those that wait for nobody but us.",
      ({ lateSeconds }) => lateSeconds,
      "_seconds"
    )
  }
  return { read: () => health }
})
