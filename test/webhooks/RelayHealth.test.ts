/** The public status reports webhooks that are late because of this service, and no others. */

import { expect, it } from "@effect/vitest"
import { Context, Effect, Logger } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { webhookLateSeconds, webhooksCountedEveryMs } from "../../src/limits.ts"
import { prometheusName } from "../../src/metrics.ts"
import { type OutboxStats, WebhookOutbox } from "../../src/storage/webhooks/WebhookOutbox.ts"
import { watchRelayHealth } from "../../src/webhooks/RelayHealth.ts"

const quiet: OutboxStats = { waiting: 0, due: 0, oldestDueSeconds: 0, lateSeconds: 0 }

it.effect("the health changes after two equal measurements, and survives a lost database", () =>
  Effect.gen(function* () {
    let seen: Effect.Effect<OutboxStats> = Effect.succeed(quiet)
    const outbox = { outboxStats: () => Effect.suspend(() => seen) } as unknown as WebhookOutbox["Service"]
    const { read } = yield* Effect.provideService(watchRelayHealth, WebhookOutbox, outbox)
    const look = (found: Effect.Effect<OutboxStats>) => {
      seen = found
      return Effect.map(TestClock.adjust(webhooksCountedEveryMs), read)
    }
    const waiting = { ...quiet, waiting: 9_000, due: 9_000, oldestDueSeconds: 40_000 }
    const late = { ...waiting, lateSeconds: webhookLateSeconds + 1 }
    expect(yield* look(Effect.succeed(waiting)), "a receiver is down").toBe("operational")
    expect(yield* look(Effect.succeed(waiting))).toBe("operational")
    expect(yield* look(Effect.succeed(late)), "once may be chance").toBe("operational")
    expect(yield* look(Effect.succeed(late))).toBe("degraded_performance")
    expect(yield* look(Effect.die(new Error("away")))).toBe("degraded_performance")
    const page = PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: prometheusName })
    expect(page).toMatch(/^action_risk_webhook_oldest_due_seconds\{mode="live".*\} 40000$/m)
    expect(page).toMatch(/^action_risk_webhook_waiting\{mode="test".*\} 9000$/m)
    expect(yield* look(Effect.succeed(waiting))).toBe("operational")
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)
