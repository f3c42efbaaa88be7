import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, References, Schedule } from "effect"
import { Reviews } from "../../src/assessment/Reviews.ts"
import { storageWriteMsMax } from "../../src/limits.ts"
import { AssessmentRecords } from "../../src/storage/assessments/AssessmentRecords.ts"
import { TestSql } from "../support/modeSql.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller, requestId } from "../support/assessCall.ts"
import { faults, proxiedDatabase } from "../support/faultyProxy.ts"
import { outboxOf, storeEndpoint } from "../support/outbox.ts"
import { miscounted } from "../support/recount.ts"
import { listedRecord } from "../support/reviewed.ts"

const note = "the note that names this closing"

/** The first statement of a closing, the last one, and the end of its transaction. */
const moments = {
  "the closing": note,
  "the last statement": "INTO baseline_revisions",
  "the commit": "COMMIT"
}

describe("a review that is closed while its database fails", { timeout: 120_000 }, () => {
  for (const [moment, marker] of Object.entries(moments)) {
    it.live(`at ${moment} is closed once, completely, and answered in time, after a retry if needed`, () =>
      Effect.gen(function* () {
        const { proxiedSql, proxy } = yield* proxiedDatabase
        const behindProxy = Reviews.layer.pipe(Layer.provide(proxiedSql))
        for (const fault of faults) {
          const of = caller()
          const { organizationId } = of
          const record = listedRecord(7, "critical", true)
          const { write } = yield* AssessmentRecords
          // Not the subject of this test: on a busy machine a connection may be late.
          yield* Effect.retry(write(of, record, storageWriteMsMax), { times: 3 })
          yield* storeEndpoint("test", {
            organizationId,
            endpointId: caller().keyId,
            events: ["review.closed"],
            leastRank: 0,
            enabled: true
          })
          yield* Effect.gen(function* () {
            const { close } = yield* Reviews
            const closing = close(of, record.assessmentId, { outcome: "risk_rejected", note }, requestId())
            proxy.failOnce(fault, marker)
            const startedAtMs = performance.now()
            const first = yield* Effect.result(closing)
            // Three seconds, with a margin for a busy machine.
            expect(performance.now() - startedAtMs).toBeLessThan(8_000)
            if (first._tag === "Failure") expect(first.failure.code).toBe("ASSESSMENT_UNAVAILABLE")
            // A server that did not notice the end of the connection soon ends such a transaction itself.
            const again = yield* Effect.retry(closing, { schedule: Schedule.spaced("100 millis"), times: 20 })
            expect(again).toMatchObject({ state: "closed", outcome: "risk_rejected", note })
          }).pipe(Effect.provide(Layer.fresh(behindProxy)))
          expect((yield* outboxOf("test", [organizationId])).deliveries.length).toBe(1)
        }
        expect(yield* miscounted(yield* TestSql)).toEqual([])
      }).pipe(
        Effect.provide(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer))),
        Effect.scoped,
        // Every fault is logged.
        Effect.provideService(References.MinimumLogLevel, "None")
      )
    )
  }
})
