/** Attempts to store assessments show whether storing works. */

import { expect, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { randomUUID } from "node:crypto"
import { failedWritesMin, storageWriteMsMax } from "../../../src/limits.ts"
import { AssessmentRecords, WritingHealth } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { proxiedDatabase } from "../../support/faultyProxy.ts"

it.live("writing fails after several failures in a row, and no more once an assessment is stored", () =>
  Effect.gen(function* () {
    const { proxiedSql, proxy } = yield* proxiedDatabase
    const services = Layer.mergeAll(AssessmentRecords.layer, WritingHealth.layer).pipe(
      Layer.provide(proxiedSql)
    )
    const claim = Effect.gen(function* () {
      const { write } = yield* AssessmentRecords
      const { fails } = yield* WritingHealth
      const owner = { organizationId: randomUUID(), mode: "test" } as const
      const writing = (unit: number) =>
        Effect.exit(write(owner, assessmentRecord(unit, {}), storageWriteMsMax))
      const writeAll = (count: number) => Effect.forEach(Array.from({ length: count }).keys(), writing)
      yield* writeAll(1)
      proxy.setReachable(false)
      yield* writeAll(failedWritesMin - 1)
      expect(fails()).toBe(false)
      yield* writeAll(1)
      expect(fails()).toBe(true)
      proxy.setReachable(true)
      yield* Effect.repeat(writing(1), { until: () => !fails(), times: 50 })
      expect(fails()).toBe(false)
    })
    yield* Effect.provide(claim, services)
  }).pipe(
    Effect.provide(TestDatabase.layer),
    Effect.scoped,
    Effect.provideService(References.MinimumLogLevel, "None")
  )
)
