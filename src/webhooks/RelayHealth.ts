/** The health of the relay, measured by the outbox, for metrics and the public status. */

import { Context, Effect, Schedule } from "effect"
import type { Health } from "../api/Status.ts"
import { modes } from "../domain/Caller.ts"
import { webhookLateSeconds, webhooksCountedEveryMs } from "../limits.ts"
import { registerGauge } from "../metrics.ts"
import { retryOnceOrLog } from "../storage/storageErrors.ts"
import { type OutboxStats, WebhookOutbox } from "../storage/webhooks/WebhookOutbox.ts"

/** Without a relay, the health is `operational`. */
export class RelayHealth extends Context.Reference<{ readonly read: () => Health }>(
  "action-risk/webhooks/RelayHealth",
  { defaultValue: () => ({ read: () => "operational" }) }
) {}

const emptyOutbox: OutboxStats = { waiting: 0, due: 0, oldestDueSeconds: 0, lateSeconds: 0 }

/** Reads the statistics of the outbox repeatedly until its scope closes. */
export const watchRelayHealth = Effect.gen(function* () {
  const { outboxStats } = yield* WebhookOutbox
  const stats = { live: emptyOutbox, test: emptyOutbox }
  let late = false
  let health: Health = "operational"

  const measure = Effect.gen(function* () {
    for (const mode of modes) {
      yield* retryOnceOrLog(
        "count webhook deliveries",
        Effect.map(outboxStats(mode), (read) => (stats[mode] = read))
      )
    }
    const lateNow = modes.some((mode) => stats[mode].lateSeconds > webhookLateSeconds)
    const now: Health = late && lateNow ? "degraded_performance" : "operational"
    // Only counts if late twice in a row, because an endpoint with five attempts in flight has room for a moment whenever one of them ends.
    late = lateNow
    if (now !== health) yield* Effect.logWarning("the webhooks' health changed", { from: health, to: now })
    health = now
  })
  yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced(webhooksCountedEveryMs)))

  for (const mode of modes) {
    const gauge = (id: string, description: string, read: (of: OutboxStats) => number, suffix = "") =>
      registerGauge(id, description, { mode }, () => read(stats[mode]), suffix)
    yield* gauge("action_risk.webhook.waiting", "Deliveries that are not yet made.", ({ waiting }) => waiting)
    yield* gauge("action_risk.webhook.due", "Deliveries that are due and not in progress.", ({ due }) => due)
    yield* gauge(
      "action_risk.webhook.oldest_due",
      "How long the oldest of these has been due.",
      ({ oldestDueSeconds }) => oldestDueSeconds,
      "_seconds"
    )
    yield* gauge(
      "action_risk.webhook.late",
      "The same for deliveries whose receiver last answered.",
      ({ lateSeconds }) => lateSeconds,
      "_seconds"
    )
  }
  return { read: () => health }
})
