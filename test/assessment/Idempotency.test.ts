import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { Assess } from "../../src/assessment/Assess.ts"
import { idempotencyWaitMsMax } from "../../src/limits.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { assessCall, caller } from "../support/assessCall.ts"
import { jsonOf, textOf } from "../support/jsonOf.ts"
import { plainScorer } from "../support/plainScorer.ts"
import { assess, noRows, rowsOf, useCase } from "../support/useCase.ts"

/** Actions of this type are scored when the gate opens; `reached` resolves when one waits at the gate. */
const held = "held"
let gate = Promise.withResolvers<void>()
let reached = Promise.withResolvers<void>()
const closeGate = () => {
  gate = Promise.withResolvers()
  reached = Promise.withResolvers()
}

const scorer = plainScorer((action) =>
  action.actionType === held
    ? Effect.promise(() => {
        reached.resolve()
        return gate.promise
      })
    : Effect.void
)

layer(useCase(scorer))("Idempotency", (it) => {
  it.effect("the same key and body gives the first answer, byte for byte", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const first = yield* assess(asked)
      const again = yield* assess(asked)
      expect(textOf(again.body)).toBe(textOf(first.body))
      expect(again).toMatchObject({ replayed: true, requestId: first.requestId, complete: true })
      expect(jsonOf(again.body).request_id).toBe(first.requestId)
      expect(yield* rowsOf(asked.caller.organizationId)).toMatchObject({ assessments: 1, history: 1 })
    })
  )

  it.effect("the same key and another body is refused, and the first answer stays", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const first = yield* assess(asked)
      const refused = yield* Effect.flip(assess({ ...asked, action: { entitiesAffected: 1 } }))
      expect(refused).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" })
      expect(textOf((yield* assess(asked)).body)).toBe(textOf(first.body))
    })
  )

  it.effect("bodies are the same when their canonical forms are", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const bodies = [
        '{"action_type":"é","environment":"staging","metadata":{"a":1,"b":[10,2.5]}}',
        String.raw`{ "metadata": {"b":[1e1,2.50],"a":1.0}, "environment":"staging", "action_type":"\u00e9"}`
      ].map((body) => JSON.parse(body))
      yield* assess({ ...asked, body: bodies[0] })
      expect(yield* assess({ ...asked, body: bodies[1] })).toMatchObject({ replayed: true })
      for (const other of [
        { a: 1, b: [2.5, 10] },
        { a: 1, b: [10, 2.5], c: null },
        { a: "1", b: [10, 2.5] }
      ]) {
        const refused = yield* Effect.flip(assess({ ...asked, body: { ...bodies[0], metadata: other } }))
        expect(refused).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" })
      }
    })
  )

  it.effect("a key is remembered for 24 hours from the answer, then free", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const first = yield* assess(asked)
      const age = (interval: string) =>
        Effect.flatMap(
          ModeSql,
          (sql) => sql.for("test")`
            UPDATE idempotency_keys SET completed_at = statement_timestamp() - ${interval}::interval
            WHERE organization_id = ${asked.caller.organizationId}
          `
        )
      yield* age("23:59:50")
      expect(yield* assess(asked)).toMatchObject({ replayed: true })
      yield* age("24:00:00")
      const second = yield* assess({ ...asked, action: { entitiesAffected: 2 } })
      expect(second.replayed).toBe(false)
      expect(second.requestId).not.toBe(first.requestId)
      expect(yield* assess({ ...asked, action: { entitiesAffected: 2 } })).toMatchObject({
        replayed: true,
        requestId: second.requestId
      })
    })
  )

  it.effect("a key means nothing to another organization or mode", () =>
    Effect.gen(function* () {
      const mine = { caller: caller(), idempotencyKey: "k" }
      yield* assess(mine)
      for (const other of [caller(), caller({ organizationId: mine.caller.organizationId, mode: "live" })]) {
        const answer = yield* assess({ ...mine, caller: other, action: { entitiesAffected: 3 } })
        expect(answer.replayed).toBe(false)
      }
    })
  )

  it.effect("of many concurrent requests one assesses, and the others get its bytes", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const answers = yield* Effect.forEach(Array.from({ length: 32 }), () => assess(asked), {
        concurrency: "unbounded"
      })
      expect(answers.filter(({ replayed }) => !replayed).length).toBe(1)
      expect(new Set(answers.map(({ body }) => textOf(body))).size).toBe(1)
      expect(yield* rowsOf(asked.caller.organizationId)).toEqual({
        assessments: 1,
        history: 1,
        idempotency_keys: 1
      })
    })
  )

  it.effect("of many concurrent requests with two bodies, one body wins and the other is refused", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 16 }, (_, index) => index % 2),
        (entitiesAffected) =>
          assess({ ...asked, action: { entitiesAffected } }).pipe(
            Effect.match({ onFailure: ({ code }) => code, onSuccess: () => `answered ${entitiesAffected}` })
          ),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter((outcome) => outcome === "IDEMPOTENCY_KEY_REUSED").length).toBe(8)
      expect(new Set(outcomes).size).toBe(2)
    })
  )

  it.effect("a request that waits two seconds for its key is answered as incomplete", () =>
    Effect.gen(function* () {
      closeGate()
      const asked = { caller: caller(), idempotencyKey: "k", action: { actionType: held } }
      const first = yield* Effect.forkChild(assess(asked))
      yield* Effect.promise(() => reached.promise)
      const second = yield* Effect.forkChild(Effect.flip(assess(asked)))
      yield* TestClock.adjust(idempotencyWaitMsMax - 1)
      expect(second.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      const failure = yield* Fiber.join(second)
      expect(failure).toMatchObject({ code: "ASSESSMENT_INCOMPLETE", retryAfterSeconds: 1 })
      gate.resolve()
      const kept = yield* Fiber.join(first)
      expect(textOf((yield* assess(asked)).body)).toBe(textOf(kept.body))
    })
  )

  it.effect("a key in use delays no other organization and no other mode", () =>
    Effect.gen(function* () {
      closeGate()
      const asked = { caller: caller(), idempotencyKey: "k" }
      const first = yield* Effect.forkChild(assess({ ...asked, action: { actionType: held } }))
      yield* Effect.promise(() => reached.promise)
      const { organizationId } = asked.caller
      for (const other of [caller(), caller({ organizationId, mode: "live" })]) {
        expect(yield* assess({ ...asked, caller: other })).toMatchObject({ replayed: false })
      }
      gate.resolve()
      yield* Fiber.join(first)
    })
  )

  it.effect("when the request ahead disconnects or fails, the next request assesses", () =>
    Effect.gen(function* () {
      closeGate()
      const asked = { caller: caller(), idempotencyKey: "k" }
      const ahead = yield* Effect.forkChild(assess({ ...asked, action: { actionType: held } }))
      yield* Effect.promise(() => reached.promise)
      const failing = yield* Effect.forkChild(Effect.flip(assess({ ...asked, drill: "unavailable" })))
      const last = yield* Effect.forkChild(assess(asked))
      yield* Fiber.interrupt(ahead)
      expect(yield* Fiber.join(failing)).toMatchObject({ code: "ASSESSMENT_UNAVAILABLE" })
      expect(yield* Fiber.join(last)).toMatchObject({ replayed: false })
      expect(yield* rowsOf(asked.caller.organizationId)).toMatchObject({ assessments: 1 })
    })
  )

  it.effect("any visible ASCII is a key, and two different keys are never the same", () =>
    Effect.gen(function* () {
      const service = yield* Assess
      const run = Effect.runPromiseWith(yield* Effect.context<ModeSql>())
      const key = fc.string({
        unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
        minLength: 1,
        maxLength: 200
      })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.uniqueArray(key, { minLength: 1, maxLength: 6 }), async (keys) => {
            const asker = caller()
            for (const idempotencyKey of [...keys, ...keys]) {
              await run(service.assess(assessCall({ caller: asker, idempotencyKey })))
            }
            expect(await run(rowsOf(asker.organizationId))).toEqual({
              ...noRows,
              assessments: keys.length,
              history: keys.length,
              idempotency_keys: keys.length
            })
          }),
          { numRuns: 20 }
        )
      )
    })
  )
})
