/** What waits for its seal is counted as an operator sees it. */

import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { randomUUID } from "node:crypto"
import { unsealedGauge } from "../../src/evidence/Seals.ts"
import { prometheusName } from "../../src/metrics.ts"
import { LiveSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

layer(TestDatabase.layer, { excludeTestServices: true })("evidence that waits for its seal", (it) => {
  it.effect("is a metric of each mode", () =>
    Effect.gen(function* () {
      const sql = yield* LiveSql
      for (const id of [randomUUID(), randomUUID()]) {
        yield* sql`INSERT INTO unsealed (organization_id, assessment_id) VALUES (${randomUUID()}, ${id})`
      }
      yield* Layer.build(unsealedGauge)
      const page = Effect.sync(() =>
        PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: prometheusName })
      )
      yield* Effect.repeat(Effect.delay(page, 20), {
        until: (text) => text.includes('action_risk_seals_waiting{mode="live"} 2')
      })
      expect(yield* page).toContain('action_risk_seals_waiting{mode="test"} 0')
    }).pipe(Effect.scoped)
  )
})
