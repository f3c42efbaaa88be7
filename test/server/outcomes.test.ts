/** Outcome events over HTTP, in the whole service: appended once, seen by their organization, and counted in its sums. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Scope } from "../../src/domain/Caller.ts"
import {
  outcomeAskersEventsMax,
  outcomeExactEventsMax,
  outcomeIndependentEventsMax
} from "../../src/limits.ts"
import { ask, fullService, newKey, newOrganization } from "../support/fullService.ts"

const payment = (usd: number) => ({
  action_type: "payments.transfer",
  environment: "production",
  agent_id: "Payer",
  financial_value: usd,
  currency: "USD",
  destination: "iban:DE02120300000000202051",
  entities_affected: 1
})

const agentScopes: ReadonlyArray<Scope> = ["assess", "read", "outcomes"]
const gateScopes: ReadonlyArray<Scope> = ["read", "outcomes"]

const keysOf = Effect.fnUntraced(function* (slug: string) {
  const owner = yield* newOrganization(slug)
  return {
    owner,
    agent: yield* newKey(owner, "test", agentScopes),
    gate: yield* newKey(owner, "test", gateScopes)
  }
})

const assessed = Effect.fnUntraced(function* (key: string, body: object) {
  const answer = yield* ask(key, "/actions/assess", body)
  expect(answer.status).toBe(200)
  return String(answer.body.assessment_id)
})

const eventsOf = (id: string) => `/assessments/${id}/events`

/** Reads the sums from the history of the next payment. */
const sumsSeen = Effect.fnUntraced(function* (key: string) {
  const id = yield* assessed(key, { ...payment(0), entities_affected: 0 })
  const { body } = yield* ask(key, `/assessments/${id}`)
  const { last_24_hours: ofAgent, other_sums: others } = body.evidence.behavior_snapshot
  expect(others).toEqual({ destination: ofAgent, organization: ofAgent })
  return { entities: ofAgent.entities, usdCents: ofAgent.usd_cents }
})

layer(fullService(), { excludeTestServices: true, timeout: "60 seconds" })("outcomes over HTTP", (it) => {
  it.effect("are stored as they are answered, and listed oldest first", () =>
    Effect.gen(function* () {
      const { agent, gate } = yield* keysOf("tells")
      const id = yield* assessed(agent, payment(100))
      const digest = "ab".repeat(32)
      const first = yield* ask(gate, eventsOf(id), { type: "person_agreed", call_digest: digest })
      expect(first).toMatchObject({
        status: 200,
        body: {
          assessment_id: id,
          type: "person_agreed",
          observed: null,
          call_digest: digest,
          independent: true,
          sums: "unchanged",
          environment_mode: "test"
        }
      })
      expect(first.body.request_id).toBe(first.headers.get("svc-request-id"))
      const observed = { entities_affected: 1, financial_value: 99.5 }
      const second = yield* ask(agent, eventsOf(id), { type: "executed", observed })
      expect(second.body).toMatchObject({ type: "executed", observed, independent: false, sums: "unchanged" })
      const listed = yield* ask(gate, eventsOf(id))
      expect(listed).toMatchObject({ status: 200, body: { assessment_id: id } })
      const item = ({ body }: typeof first) => {
        const { api_version: _v, disclaimer: _d, environment_mode: _m, request_id: _r, ...rest } = body
        return rest
      }
      expect(listed.body.data).toEqual([item(first), item(second)])
    })
  )

  it.effect("are appended once under an idempotency key, and another event under it is refused", () =>
    Effect.gen(function* () {
      const { agent } = yield* keysOf("repeats")
      const [id, other] = [yield* assessed(agent, payment(1)), yield* assessed(agent, payment(2))]
      const named = { "idempotency-key": "call-1" }
      const first = yield* ask(agent, eventsOf(id), { type: "executed" }, named)
      const again = yield* ask(agent, eventsOf(id), { type: "executed" }, named)
      expect(again.body).toEqual(first.body)
      expect([first, again].map(({ headers }) => headers.get("svc-idempotent-replay"))).toEqual([
        null,
        "true"
      ])
      expect(yield* ask(agent, eventsOf(id), { type: "failed" }, named)).toMatchObject({
        status: 409,
        body: { error: { code: "IDEMPOTENCY_KEY_REUSED" } }
      })
      expect((yield* ask(agent, eventsOf(id))).body.data.length).toBe(1)
      expect(yield* ask(agent, eventsOf(other), { type: "failed" }, named)).toMatchObject({
        status: 200,
        body: { assessment_id: other, type: "failed" }
      })
    })
  )

  it.effect("are not kept out by an idempotency key that another API key has used first", () =>
    Effect.gen(function* () {
      const { agent, gate } = yield* keysOf("squats")
      const [id, other] = [yield* assessed(agent, payment(1)), yield* assessed(agent, payment(2))]
      const named = { "idempotency-key": "call-1" }
      for (const to of [id, other]) yield* ask(agent, eventsOf(to), { type: "executed" }, named)
      for (const [to, body] of [
        [id, { type: "executed", observed: { financial_value: 900_000 } }],
        [other, { type: "executed" }]
      ] as const) {
        const told = yield* ask(gate, eventsOf(to), body, named)
        expect(told).toMatchObject({ status: 200, body: { ...body, independent: true } })
        expect(told.headers.get("svc-idempotent-replay")).toBe(null)
      }
    })
  )

  it.effect("of a bad body are refused with every problem", () =>
    Effect.gen(function* () {
      const { agent } = yield* keysOf("errs")
      const id = yield* assessed(agent, payment(1))
      const body = {
        type: "done",
        observed: { entities_affected: -1, cost: 3 },
        call_digest: "AB",
        note: "x"
      }
      const refused = yield* ask(agent, eventsOf(id), body, { "idempotency-key": "a b" })
      expect(refused.status).toBe(422)
      const fields = refused.body.error.details.map(({ field }: { readonly field: string }) => field)
      expect(fields).toEqual([
        "call_digest",
        "idempotency-key",
        "note",
        "observed.cost",
        "observed.entities_affected",
        "type"
      ])
      for (const [observed, message] of [
        [{ entities_affected: 1 }, "must be left out unless type is executed, failed, reverted, incident"],
        [{}, "must have a figure"]
      ] as const) {
        const { body } = yield* ask(agent, eventsOf(id), { type: "not_executed", observed })
        expect(body.error.details).toContainEqual({ field: "observed", message })
      }
      expect((yield* ask(agent, eventsOf(id))).body.data).toEqual([])
    })
  )

  it.effect(
    "are not there for another organization, another mode, an unknown id, or a key without the scope",
    () =>
      Effect.gen(function* () {
        const { agent, owner } = yield* keysOf("mine")
        const id = yield* assessed(agent, payment(1))
        const strangers = [(yield* keysOf("theirs")).agent, yield* newKey(owner, "live", agentScopes)]
        for (const stranger of strangers) {
          expect(yield* ask(stranger, eventsOf(id), { type: "executed" })).toMatchObject({ status: 404 })
          expect(yield* ask(stranger, eventsOf(id))).toMatchObject({ status: 404 })
        }
        for (const unknown of ["0", "019aa594-3c1e-7a11-8f52-6f1d1a3c9b77"])
          expect(yield* ask(agent, eventsOf(unknown), { type: "executed" })).toMatchObject({ status: 404 })
        const scopeless = yield* newKey(owner, "test", ["assess", "read", "reviews"])
        expect(yield* ask(scopeless, eventsOf(id), { type: "executed" })).toMatchObject({
          status: 403,
          body: { error: { code: "INSUFFICIENT_SCOPE" } }
        })
      })
  )

  it.effect(
    "take an action out of the sums only by a key that cannot ask, until anybody says that it was begun",
    () =>
      Effect.gen(function* () {
        const { agent, gate } = yield* keysOf("sums")
        const id = yield* assessed(agent, payment(40_000))
        const whole = yield* sumsSeen(agent)
        expect(whole).toEqual({ entities: 1, usdCents: 4_000_000 })

        expect((yield* ask(agent, eventsOf(id), { type: "not_executed" })).body.sums).toBe("unchanged")
        expect(yield* sumsSeen(agent)).toEqual(whole)

        expect((yield* ask(gate, eventsOf(id), { type: "not_executed" })).body.sums).toBe("taken_out")
        expect(yield* sumsSeen(agent)).toEqual({ entities: 0, usdCents: 0 })
        expect((yield* ask(gate, eventsOf(id), { type: "not_executed" })).body.sums).toBe("unchanged")
        expect(yield* sumsSeen(agent)).toEqual({ entities: 0, usdCents: 0 })

        expect((yield* ask(agent, eventsOf(id), { type: "failed" })).body.sums).toBe("restored")
        expect(yield* sumsSeen(agent)).toEqual(whole)
        expect((yield* ask(gate, eventsOf(id), { type: "not_executed" })).body.sums).toBe("unchanged")
        expect(yield* sumsSeen(agent)).toEqual(whole)
      })
  )

  it.effect(
    "raise the sums by what was observed above what was assessed, no matter which caller reports it",
    () =>
      Effect.gen(function* () {
        const { agent } = yield* keysOf("above")
        const id = yield* assessed(agent, payment(40_000))
        const executed = (observed: object) => ask(agent, eventsOf(id), { type: "executed", observed })
        expect((yield* executed({ financial_value: 50_000 })).body.sums).toBe("raised")
        expect(yield* sumsSeen(agent)).toEqual({ entities: 1, usdCents: 5_000_000 })
        expect((yield* executed({ financial_value: 10, entities_affected: 7 })).body.sums).toBe("raised")
        expect(yield* sumsSeen(agent)).toEqual({ entities: 7, usdCents: 5_000_000 })
      })
  )

  it.effect("of a key that covers other environments are refused", () =>
    Effect.gen(function* () {
      const { agent, owner } = yield* keysOf("staged")
      const id = yield* assessed(agent, payment(40_000))
      const staging = yield* newKey(owner, "test", gateScopes, ["staging"])
      expect(yield* ask(staging, eventsOf(id), { type: "not_executed" })).toMatchObject({
        status: 422,
        body: { error: { code: "INVALID_ENVIRONMENT" } }
      })
      const staged = yield* assessed(agent, { ...payment(40_000), environment: "staging" })
      expect((yield* ask(staging, eventsOf(staged), { type: "not_executed" })).body.sums).toBe("taken_out")
    })
  )

  it.effect("change what the next question is answered", () =>
    Effect.gen(function* () {
      const { agent, gate } = yield* keysOf("next")
      const next = Effect.gen(function* () {
        const { body } = yield* ask(agent, "/actions/assess", { ...payment(400_000), destination: "acct-2" })
        expect(yield* ask(gate, eventsOf(body.assessment_id), { type: "not_executed" })).toMatchObject({
          body: { sums: "taken_out" }
        })
        const codes: ReadonlyArray<string> = body.risk_factors.map(
          ({ code }: { readonly code: string }) => code
        )
        return { score: body.action_risk.score, summed: codes.includes("CUMULATIVE_FINANCIAL_VALUE") }
      })
      const alone = yield* next
      expect(alone.summed).toBe(false)
      const large = yield* assessed(agent, payment(900_000))
      const after = yield* next
      expect(after.summed).toBe(true)
      expect(after.score).toBeGreaterThanOrEqual(alone.score)
      yield* ask(gate, eventsOf(large), { type: "not_executed" })
      expect(yield* next).toEqual(alone)
      const small = yield* assessed(agent, payment(100))
      yield* ask(agent, eventsOf(small), { type: "executed", observed: { financial_value: 900_000 } })
      expect(yield* next).toEqual(after)
    })
  )

  it.effect("are bounded in number", () =>
    Effect.gen(function* () {
      const { agent, gate } = yield* keysOf("many")
      const id = yield* assessed(agent, payment(1))
      for (const [key, max] of [
        [agent, outcomeAskersEventsMax],
        [gate, outcomeIndependentEventsMax]
      ] as const) {
        for (let n = 0; n < max; n++)
          expect((yield* ask(key, eventsOf(id), { type: "person_agreed" })).status).toBe(200)
        expect(yield* ask(key, eventsOf(id), { type: "person_agreed" })).toMatchObject({
          status: 422,
          body: { error: { details: [{ field: "assessment_id" }] } }
        })
      }
    })
  )

  it.effect("that raise or restore are stored however many there are, and an agent silences no gate", () =>
    Effect.gen(function* () {
      const { agent, gate } = yield* keysOf("silenced")
      const id = yield* assessed(agent, payment(40_000))
      const executed = (usd: number) => ({ type: "executed", observed: { financial_value: usd } })
      for (let n = 0; n < 100; n++) yield* ask(agent, eventsOf(id), { type: "person_agreed" })
      expect((yield* ask(gate, eventsOf(id), { type: "not_executed" })).body.sums).toBe("taken_out")
      expect((yield* ask(agent, eventsOf(id), { type: "failed" })).body.sums).toBe("restored")
      expect((yield* ask(agent, eventsOf(id), executed(50_000))).body.sums).toBe("raised")
      expect((yield* ask(agent, eventsOf(id), executed(50_000))).status).toBe(422)
      expect((yield* ask(gate, eventsOf(id), executed(900_000))).body.sums).toBe("raised")
      expect(yield* sumsSeen(agent)).toEqual({ entities: 1, usdCents: 90_000_000 })
    })
  )

  it.effect(
    "that raise by a cent each are stored up to a bound, and what is observed then still counts",
    () =>
      Effect.gen(function* () {
        const { agent, gate } = yield* keysOf("cents")
        const id = yield* assessed(agent, payment(1))
        const executed = (cents: number) => ({ type: "executed", observed: { financial_value: cents / 100 } })
        const stepsMax = outcomeExactEventsMax + 30
        let stored = 0
        for (let n = 1; n <= stepsMax; n++)
          if ((yield* ask(agent, eventsOf(id), executed(100 + n))).status === 200) stored++
        expect(stored).toBe(outcomeExactEventsMax + 1)
        expect(yield* ask(agent, eventsOf(id), executed(101))).toMatchObject({
          status: 422,
          body: { error: { details: [{ field: "assessment_id" }] } }
        })
        expect((yield* ask(agent, eventsOf(id), executed(900_000_00))).body.sums).toBe("raised")
        expect(yield* sumsSeen(agent)).toEqual({ entities: 1, usdCents: 90_000_000 })
        expect((yield* ask(gate, eventsOf(id), executed(900_001_00))).body.sums).toBe("raised")
        expect(yield* sumsSeen(agent)).toEqual({ entities: 1, usdCents: 90_000_100 })
      })
  )
})
