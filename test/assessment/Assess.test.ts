import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { Assess } from "../../src/assessment/Assess.ts"
import type { AssessAnswer } from "../../src/assessment/AssessRequest.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { ScoringFailed } from "../../src/assessment/Scorer.ts"
import { assessmentDeadlineMs } from "../../src/limits.ts"
import { readRecordedSnapshot } from "../../src/rules/history/recordedInput.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { LiveSql } from "../support/modeSql.ts"
import { assessCall, caller } from "../support/assessCall.ts"
import { jsonOf, textOf } from "../support/jsonOf.ts"
import { plainScorer } from "../support/plainScorer.ts"
import { untilLockWaited } from "../support/untilLockWaited.ts"
import { assess, noRows, rowsOf, useCase } from "../support/useCase.ts"

const scorer = plainScorer((action) =>
  action.actionType === "score.fails" ? Effect.fail(new ScoringFailed({ reason: "told to" })) : Effect.void
)

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex")

const untilWaiting = Effect.flatMap(LiveSql, untilLockWaited)

const untilKept = (organizationId: string) =>
  Effect.gen(function* () {
    while ((yield* rowsOf(organizationId))?.assessments !== 1) yield* Effect.yieldNow
    // The database's answer has not reached the writer yet.
    yield* Effect.promise(() => setTimeout(50))
  })

layer(useCase(scorer))("Assess", (it) => {
  it.effect("the answer has the fields of specification 2.2, in its order", () =>
    Effect.gen(function* () {
      const answer = yield* assess()
      expect(Object.keys(jsonOf(answer.body))).toEqual([
        "api_version",
        "risk_engine_version",
        "policy_version",
        "assessment_id",
        "action_id",
        "request_id",
        "status",
        "assessment_status",
        "environment_mode",
        "normalized_action_type",
        "reading",
        "action_category",
        "action_risk",
        "blast_radius",
        "risk_factors",
        "recommended_control",
        "recommendations",
        "safer_alternatives",
        "behavioral_context",
        "policy_context",
        "assumptions",
        "missing_information",
        "summary",
        "timing",
        "processing_time_ms",
        "created_at",
        "disclaimer"
      ])
      expect(jsonOf(answer.body)).toMatchObject({
        status: "completed",
        assessment_status: "complete",
        environment_mode: "test",
        request_id: answer.requestId,
        timing: { validation_ms: 0.25, scoring_ms: 0.123, policy_ms: 0.01 }
      })
      expect(answer).toMatchObject({ replayed: false, complete: true })
    })
  )

  it.effect("timing has three decimals, and the processing time is the total rounded up", () =>
    Effect.gen(function* () {
      const { processing_time_ms: processing, timing } = jsonOf((yield* assess()).body)
      for (const ms of Object.values(timing)) expect(ms).toBe(Number(Number(ms).toFixed(3)))
      expect(processing).toBe(Math.ceil(timing.total_ms))
      // The other parts are figures that this test's call and scorer invent.
      expect(timing.total_ms).toBeGreaterThanOrEqual(timing.behavior_ms)
    })
  )

  it.effect("the evidence contains the answer, the request, and the digests of both", () =>
    Effect.gen(function* () {
      const call = assessCall({ action: { metadata: { b: [1, { z: "ü" }], a: null }, entitiesAffected: 5 } })
      const answer = yield* (yield* Assess).assess(call)
      const response = jsonOf(answer.body)
      const { body } = yield* (yield* Assessments).get(call.caller, response.assessment_id)
      const { evidence, input, ...stored } = jsonOf(body)
      expect(stored).toEqual(response)
      expect(textOf(body).startsWith(textOf(answer.body).slice(0, -1))).toBe(true)
      expect(input).toEqual(call.body)
      expect(evidence).toMatchObject({
        result_digest: sha256(answer.body),
        input_digest: sha256(
          '{"action_type":"customer.update","entities_affected":5,"environment":"staging","metadata":{"a":null,"b":[1,{"z":"ü"}]}}'
        ),
        rules_digest: "ab".repeat(32),
        policy_digest: "cd".repeat(32),
        behavior_snapshot: { window_days: 30, sample_size: 0, velocity: { last_hour: 1 } },
        sequence: null,
        previous_digest: null,
        entry_digest: null,
        sealed_at: null
      })
    })
  )

  it.effect("an assessment is history for the next one, and not for itself", () =>
    Effect.gen(function* () {
      const asked = {
        caller: caller(),
        action: { actionType: "customer.update", destination: "acme.example" }
      }
      const seen = (answer: AssessAnswer) => jsonOf(answer.body).behavioral_context
      expect(seen(yield* assess(asked))).toMatchObject({ sample_size: 0, destination_seen_before: false })
      expect(seen(yield* assess(asked))).toMatchObject({ sample_size: 0, destination_seen_before: false })
      const other = { ...asked, action: { ...asked.action, entitiesAffected: 7 } }
      expect(seen(yield* assess(other))).toMatchObject({ sample_size: 1, destination_seen_before: true })
    })
  )

  it.effect(
    "requests at the same moment see each other in the sums, in the evidence too, and none is left there",
    () =>
      Effect.gen(function* () {
        const slice = {
          actionType: "invoice.pay",
          destination: "acct-7",
          agentId: "payer",
          financialValue: 9_900
        }
        const one = caller()
        const slices = 40
        const cents = slice.financialValue * 100
        const sumsOf = Effect.fnUntraced(function* (answer: AssessAnswer) {
          const id = jsonOf(answer.body).assessment_id
          const { body } = yield* (yield* Assessments).get(one, id)
          const { last24Hours, otherSums, velocity } = Result.getOrThrow(
            readRecordedSnapshot(jsonOf(body).evidence.behavior_snapshot)
          )
          const sums = [last24Hours, otherSums?.destination, otherSums?.organization]
          return { sums: sums.map((sum) => (sum?.usdCents ?? 0) / cents), pace: velocity.lastHour }
        })
        const answers = yield* Effect.all(
          Array.from({ length: slices }, () => assess({ caller: one, action: slice })),
          { concurrency: "unbounded" }
        )
        const seen = (yield* Effect.forEach(answers, sumsOf)).toSorted((a, b) => a.pace - b.pace)
        seen.forEach(({ pace, sums }, before) => {
          expect(pace).toBeGreaterThan(before)
          for (const sum of sums) expect(sum).toBeGreaterThanOrEqual(before)
        })
        const next = yield* sumsOf(yield* assess({ caller: one, action: slice }))
        expect(next).toEqual({ sums: [slices, slices, slices], pace: slices + 1 })
      })
  )

  it.effect("past the deadline the opinion is incomplete, and it is not history for others", () =>
    Effect.gen(function* () {
      const call = assessCall({ receivedAtMs: performance.now() - assessmentDeadlineMs })
      const answer = yield* (yield* Assess).assess(call)
      expect(jsonOf(answer.body)).toMatchObject({ status: "incomplete", assessment_status: "incomplete" })
      expect(yield* rowsOf(call.caller.organizationId)).toEqual({ ...noRows, assessments: 1 })
      const { body } = yield* (yield* Assessments).get(call.caller, jsonOf(answer.body).assessment_id)
      expect(jsonOf(body).evidence.behavior_snapshot).toBeNull()
    })
  )

  it.effect("a strict caller gets no incomplete opinion, and none is stored", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k", strict: true }
      const late = { receivedAtMs: performance.now() - assessmentDeadlineMs }
      const failure = yield* Effect.flip(assess({ ...asked, ...late }))
      expect(failure).toMatchObject({ code: "ASSESSMENT_INCOMPLETE", retryAfterSeconds: 1 })
      expect(yield* rowsOf(asked.caller.organizationId)).toEqual(noRows)
      expect(yield* assess(asked)).toMatchObject({ complete: true })
    })
  )

  it.effect("without a score there is no opinion, no record, and the key is free", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k" }
      const failure = yield* Effect.flip(assess({ ...asked, action: { actionType: "score.fails" } }))
      expect(failure).toMatchObject({ code: "ASSESSMENT_UNAVAILABLE", retryAfterSeconds: 1 })
      expect(yield* rowsOf(asked.caller.organizationId)).toEqual(noRows)
      expect(yield* assess(asked)).toMatchObject({ replayed: false })
    })
  )

  it.effect("a caller that disconnects at any moment leaves a whole assessment or nothing", () =>
    Effect.gen(function* () {
      const service = yield* Assess
      const calls = Array.from({ length: 40 }, (_, index) => assessCall({ idempotencyKey: `${index}` }))
      const fibers = yield* Effect.forEach(calls, (call) => Effect.forkChild(service.assess(call)))
      for (const [index, fiber] of fibers.entries()) {
        yield* Effect.promise(() => setTimeout(index % 3))
        yield* Fiber.interrupt(fiber)
      }
      const whole = { assessments: 1, history: 1, idempotency_keys: 1 }
      for (const call of calls) {
        const { organizationId } = call.caller
        expect([noRows, whole]).toContainEqual(yield* rowsOf(organizationId))
        yield* service.assess(call)
        expect(yield* rowsOf(organizationId)).toEqual(whole)
      }
    })
  )

  it.effect("a caller that disconnects does not stop the write of its assessment", () =>
    Effect.gen(function* () {
      const call = assessCall({ idempotencyKey: "k" })
      const { organizationId } = call.caller
      const sql = (yield* ModeSql).for("test")
      const inserted = Promise.withResolvers<void>()
      const rollBack = Promise.withResolvers<void>()
      // An uncommitted row with the same key blocks the write; after its rollback, the write continues.
      const holding = sql`INSERT INTO idempotency_keys ${sql.insert({
        organization_id: organizationId,
        key: "k",
        input_digest: new Uint8Array(32),
        assessment_id: organizationId,
        completed_at: new Date()
      })}`.pipe(
        Effect.tap(() => Effect.sync(inserted.resolve)),
        Effect.andThen(Effect.promise(() => rollBack.promise)),
        Effect.andThen(Effect.fail("rolled back")),
        sql.withTransaction
      )
      const holder = yield* Effect.forkChild(Effect.flip(holding))
      yield* Effect.promise(() => inserted.promise)
      const asking = yield* Effect.forkChild((yield* Assess).assess(call))
      yield* untilWaiting
      const leaving = yield* Effect.forkChild(Fiber.interrupt(asking), { startImmediately: true })
      rollBack.resolve()
      expect(yield* Fiber.join(holder)).toBe("rolled back")
      yield* Fiber.join(leaving)
      expect(yield* rowsOf(organizationId)).toEqual({ assessments: 1, history: 1, idempotency_keys: 1 })
    })
  )

  it.effect("drill `incomplete` gives an incomplete opinion, which is stored and replayed", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k", drill: "incomplete" } as const
      const answer = yield* assess(asked)
      expect(jsonOf(answer.body)).toMatchObject({ status: "incomplete" })
      expect(yield* rowsOf(asked.caller.organizationId)).toEqual({
        assessments: 1,
        history: 0,
        idempotency_keys: 1
      })
      const again = yield* assess({ ...asked, drill: null })
      expect([again.replayed, textOf(again.body)]).toEqual([true, textOf(answer.body)])
      const strict = yield* Effect.flip(assess({ ...asked, drill: null, strict: true }))
      expect(strict).toMatchObject({ code: "ASSESSMENT_INCOMPLETE" })
    })
  )

  it.effect("drill `unavailable` gives no opinion and stores nothing; a stored answer comes first", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k", drill: "unavailable" } as const
      expect(yield* Effect.flip(assess(asked))).toMatchObject({ code: "ASSESSMENT_UNAVAILABLE" })
      expect(yield* rowsOf(asked.caller.organizationId)).toEqual(noRows)
      const answer = yield* assess({ ...asked, drill: null })
      const again = yield* assess(asked)
      expect([again.replayed, textOf(again.body)]).toEqual([true, textOf(answer.body)])
    })
  )

  it.effect("drill `rate-limited` stores nothing; a stored answer and a reused key come first", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), idempotencyKey: "k", drill: "rate-limited" } as const
      expect(yield* Effect.flip(assess(asked))).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 1 })
      expect(yield* rowsOf(asked.caller.organizationId)).toEqual(noRows)
      yield* assess({ ...asked, drill: null })
      expect(yield* assess(asked)).toMatchObject({ replayed: true })
      const other = { ...asked, body: { action_type: "note.update", environment: "sandbox" } } as const
      expect(yield* Effect.flip(assess(other))).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" })
    })
  )

  it.effect("drill `slow` delays a complete answer by two seconds after it is stored", () =>
    Effect.gen(function* () {
      const asked = { caller: caller(), drill: "slow" } as const
      const answering = yield* Effect.forkChild(assess(asked))
      yield* untilKept(asked.caller.organizationId)
      yield* TestClock.adjust(1_999)
      expect(answering.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(answering)).toMatchObject({ complete: true })
    })
  )

  it.effect("live keys have no drills", () =>
    Effect.gen(function* () {
      for (const drill of ["incomplete", "unavailable", "rate-limited", "slow"] as const) {
        // The test clock is stopped, so a slow answer would never arrive.
        const answer = yield* assess({ caller: caller({ mode: "live" }), drill })
        expect(jsonOf(answer.body)).toMatchObject({ status: "completed", environment_mode: "live" })
      }
    })
  )

  it.effect("a stored assessment refuses every change, even by the role that wrote it", () =>
    Effect.gen(function* () {
      const { caller } = assessCall()
      yield* assess({ caller })
      const sql = (yield* ModeSql).for("test")
      for (const change of [
        sql`UPDATE assessments SET complete = false`,
        sql`DELETE FROM assessments`,
        sql`TRUNCATE assessments`,
        sql`DELETE FROM history`,
        sql`UPDATE history SET scored_entities = 0`
      ]) {
        const { reason } = yield* Effect.flip(change)
        expect(reason.cause).toMatchObject({ code: "42501" })
      }
      expect(yield* rowsOf(caller.organizationId)).toMatchObject({ assessments: 1, history: 1 })
    })
  )
})
