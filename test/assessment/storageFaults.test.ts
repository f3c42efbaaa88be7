import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, References } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import { Assess } from "../../src/assessment/Assess.ts"
import type { AssessAnswer } from "../../src/assessment/AssessRequest.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { Database } from "../../src/storage/Database.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { assessCall, type CallOverrides } from "../support/assessCall.ts"
import { faults, type FaultyProxy, proxiedDatabase } from "../support/faultyProxy.ts"
import { jsonOf, textOf } from "../support/jsonOf.ts"
import { plainScorer } from "../support/plainScorer.ts"
import { assess, noRows, rowsOf } from "../support/useCase.ts"

/** The use case behind a proxy, on a database that the test itself reaches directly. */
const behindProxy = <A, E>(
  test: (
    proxy: FaultyProxy,
    services: Layer.Layer<Assess | Assessments, SqlError.SqlError>
  ) => Effect.Effect<A, E, Layer.Success<typeof TestDatabase.layer>>
) =>
  Effect.gen(function* () {
    const { proxiedSql, proxy } = yield* proxiedDatabase
    const services = Layer.mergeAll(Assess.layer, Assessments.layer).pipe(
      Layer.provide([plainScorer(), proxiedSql])
    )
    return yield* test(proxy, services)
  }).pipe(
    Effect.provide(TestDatabase.layer),
    Effect.scoped,
    // Every fault is logged, and there are many.
    Effect.provideService(References.MinimumLogLevel, "None")
  )

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const startedAtMs = performance.now()
    const value = yield* effect
    return { value, ms: performance.now() - startedAtMs }
  })

const outcomeOf = (overrides: CallOverrides) =>
  assess(overrides).pipe(
    Effect.match({
      onFailure: ({ code }) => ({ code, body: "" }),
      onSuccess: ({ body }) => ({ code: "", body: textOf(body) })
    })
  )

/** An overloaded machine may not read history in time: only complete assessments become history. */
const historyOf = (...answers: ReadonlyArray<AssessAnswer>): number =>
  answers.filter(({ complete }) => complete).length

describe("storage faults", () => {
  for (const fault of faults) {
    it.live(`a write whose connection is ${fault} gives one assessment and an answer`, () =>
      behindProxy((proxy, services) =>
        Effect.gen(function* () {
          const warm = assessCall()
          const call = assessCall({
            caller: warm.caller,
            idempotencyKey: "k",
            action: { entitiesAffected: 9 }
          })
          const warmed = yield* (yield* Assess).assess(warm)
          // The first statement that names the request is the one that writes it.
          proxy.failOnce(fault, call.requestId)
          const { ms, value: answer } = yield* timed((yield* Assess).assess(call))
          expect(answer).toMatchObject({ replayed: false, requestId: call.requestId })
          expect(ms).toBeLessThan(3_000)
          expect(yield* rowsOf(call.caller.organizationId)).toEqual({
            assessments: 2,
            history: historyOf(warmed, answer),
            idempotency_keys: 1
          })
          const again = yield* (yield* Assess).assess({ ...call, requestId: warm.requestId })
          expect(textOf(again.body)).toBe(textOf(answer.body))
          const { body } = yield* (yield* Assessments).get(call.caller, jsonOf(answer.body).assessment_id)
          expect(textOf(body).startsWith(textOf(answer.body).slice(0, -1))).toBe(true)
        }).pipe(Effect.provide(services))
      )
    )

    it.live(`without a key, a write whose connection is ${fault} gives one assessment and an answer`, () =>
      behindProxy((proxy, services) =>
        Effect.gen(function* () {
          const call = assessCall()
          proxy.failOnce(fault, call.requestId)
          const answer = yield* (yield* Assess).assess(call)
          expect(answer.requestId).toBe(call.requestId)
          expect(yield* rowsOf(call.caller.organizationId)).toEqual({
            assessments: 1,
            history: historyOf(answer),
            idempotency_keys: 0
          })
        }).pipe(Effect.provide(services))
      )
    )
  }

  it.live("history that cannot be read in time makes the opinion incomplete, not absent", () =>
    behindProxy((proxy, services) =>
      Effect.gen(function* () {
        const call = assessCall({ action: { destination: "history.example" } })
        const before = yield* assess({ caller: call.caller })
        // The snapshot is the first statement that names the destination's key.
        proxy.failOnce("black hole", "history.example")
        const { ms, value: answer } = yield* timed((yield* Assess).assess(call))
        expect(jsonOf(answer.body)).toMatchObject({ status: "incomplete" })
        expect(ms).toBeLessThan(1_000)
        expect(yield* rowsOf(call.caller.organizationId)).toMatchObject({
          assessments: 2,
          history: historyOf(before)
        })
        const after = assess({ caller: call.caller })
        yield* Effect.repeat(after, { until: ({ complete }) => complete, times: 20 })
      }).pipe(Effect.provide(services))
    )
  )

  for (const [name, take, give] of [
    ["is down", (proxy) => proxy.setReachable(false), (proxy) => proxy.setReachable(true)],
    ["answers nothing", (proxy) => proxy.setSilent(true), (proxy) => proxy.setSilent(false)]
  ] satisfies ReadonlyArray<[string, ...ReadonlyArray<(proxy: FaultyProxy) => void>]>) {
    it.live(
      `while the database ${name}, answers are ASSESSMENT_UNAVAILABLE within 3 s, and they are normal again afterwards`,
      () =>
        behindProxy((proxy, services) =>
          Effect.gen(function* () {
            const { caller } = assessCall()
            const first = yield* assess({ caller, idempotencyKey: "before" })
            take?.(proxy)
            const { ms, value } = yield* timed(
              Effect.all(
                [
                  outcomeOf({ caller }),
                  outcomeOf({ caller, idempotencyKey: "during" }),
                  outcomeOf({ caller, idempotencyKey: "during" }),
                  Effect.flip((yield* Assessments).get(caller, jsonOf(first.body).assessment_id)),
                  Effect.flip((yield* Assessments).list(caller, { limit: 5, cursor: null, q: null }, "req_1"))
                ],
                { concurrency: "unbounded" }
              )
            )
            for (const { code } of value) expect(code).toBe("ASSESSMENT_UNAVAILABLE")
            expect(ms).toBeLessThan(3_000)
            give?.(proxy)
            const { ms: recoveredMs } = yield* timed(
              Effect.retry(assess({ caller, idempotencyKey: "during" }), { times: 20 })
            )
            expect(recoveredMs).toBeLessThan(2_000)
            expect(yield* assess({ caller, idempotencyKey: "before" })).toMatchObject({ replayed: true })
          }).pipe(Effect.provide(services))
        )
    )
  }

  it.live("a refused write is no assessment", () =>
    behindProxy((_proxy, services) =>
      Effect.gen(function* () {
        const { caller } = assessCall()
        const { url } = yield* Database
        // The owner revokes the permission; the role can still read.
        yield* revokeInsert(Redacted.value(url))
        expect(yield* outcomeOf({ caller, idempotencyKey: "k" })).toMatchObject({
          code: "ASSESSMENT_UNAVAILABLE"
        })
        expect(yield* rowsOf(caller.organizationId)).toEqual(noRows)
      }).pipe(Effect.provide(services))
    )
  )
})

const revokeInsert = (url: string) =>
  PgClient.makeClient({ url: Redacted.make(url) }).pipe(
    Effect.flatMap((sql) => sql`REVOKE INSERT ON test.history FROM action_risk_test`),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )
