import { expect, layer } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import type { ActionItem } from "../../src/api/Actions.ts"
import { Assessments, type ListQuery } from "../../src/assessment/Assessments.ts"
import type { Caller } from "../../src/domain/Caller.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { timeOrderedId } from "../../src/storage/timeOrderedId.ts"
import { caller } from "../support/assessCall.ts"
import { jsonOf, listOf, textOf } from "../support/jsonOf.ts"
import { assess, useCase } from "../support/useCase.ts"

const list = Effect.fnUntraced(function* (asker: Caller, query: Partial<ListQuery> = {}) {
  const assessments = yield* Assessments
  const { body } = yield* assessments.list(asker, { limit: 25, cursor: null, q: null, ...query }, "req_list")
  return listOf(body)
})

const found = (asker: Caller, q: string) =>
  Effect.map(list(asker, { q, limit: 100 }), ({ data }) => data.map((item) => item.action_type).toSorted())

/** Walks all pages; `between` runs after each. */
const walk = Effect.fnUntraced(function* <R>(
  asker: Caller,
  limit: number,
  between: Effect.Effect<unknown, unknown, R>
) {
  const items: Array<ActionItem> = []
  let cursor: string | null = null
  do {
    const page: Effect.Success<ReturnType<typeof list>> = yield* list(asker, { limit, cursor })
    expect(page.data.length).toBeLessThanOrEqual(limit)
    expect(page.has_more).toBe(page.next_cursor !== null)
    items.push(...page.data)
    cursor = page.next_cursor
    yield* between
  } while (cursor !== null)
  return items
})

/** Rows straight into the table, all of one instant. */
const insertAt = Effect.fnUntraced(function* (asker: Caller, atMicros: number, count: number) {
  const sql = (yield* ModeSql).for(asker.mode)
  const digest = new Uint8Array(32)
  yield* sql`INSERT INTO assessments ${sql.insert(
    Arr.makeBy(count, () => {
      const id = timeOrderedId(atMicros)
      return {
        organization_id: asker.organizationId,
        assessment_id: id,
        action_id: randomUUID(),
        request_id: "req_x",
        created_at: new Date(atMicros / 1_000),
        complete: true,
        response: digest,
        result_digest: digest,
        input: digest,
        input_digest: digest,
        rules_digest: digest,
        policy_digest: digest,
        item: JSON.stringify({ assessment_id: id }),
        search: "",
        salt: new Uint8Array(16)
      }
    })
  )}`
})

layer(useCase())("Assessments", (it) => {
  it.effect("every read of a stored assessment gives the same bytes", () =>
    Effect.gen(function* () {
      const asker = caller()
      const { assessment_id: id } = jsonOf((yield* assess({ caller: asker })).body)
      const assessments = yield* Assessments
      const first = yield* assessments.get(asker, id)
      expect(textOf((yield* assessments.get(asker, id)).body)).toBe(textOf(first.body))
      expect(textOf((yield* assessments.get(asker, id.toUpperCase())).body)).toBe(textOf(first.body))
    })
  )

  it.effect("an unknown id, a malformed id, and an id of another organization or mode are not found", () =>
    Effect.gen(function* () {
      const asker = caller()
      const { assessment_id: id } = jsonOf((yield* assess({ caller: asker })).body)
      const assessments = yield* Assessments
      const failures = yield* Effect.all([
        Effect.flip(assessments.get(asker, randomUUID())),
        Effect.flip(assessments.get(asker, "no id")),
        Effect.flip(assessments.get(asker, `${id}'`)),
        Effect.flip(assessments.get(caller(), id)),
        Effect.flip(assessments.get({ ...asker, mode: "live" }, id))
      ])
      for (const failure of failures) expect(failure).toEqual(failures[0])
      expect(failures[0]).toMatchObject({ code: "NOT_FOUND" })
    })
  )

  it.effect(
    "a list item contains the request and the answer, with null for fields that were not stated",
    () =>
      Effect.gen(function* () {
        const asker = caller()
        const answer = jsonOf(
          (yield* assess({ caller: asker, action: { agentId: "bot", destination: "ACME" } })).body
        )
        const body = yield* list(asker)
        expect(body).toEqual({
          api_version: "v1",
          environment_mode: "test",
          data: [
            {
              assessment_id: answer.assessment_id,
              action_id: answer.action_id,
              request_id: answer.request_id,
              action_type: "customer.update",
              normalized_action_type: "customer.update",
              action_category: "data",
              environment: "staging",
              agent_id: "bot",
              target_system: null,
              target_resource: null,
              destination: "ACME",
              status: "completed",
              assessment_status: "complete",
              action_risk: { score: 12, level: "low", confidence: 0.9 },
              blast_radius: { score: 7, level: "minimal" },
              recommended_control: { type: "NO_ADDITIONAL_CONTROL_RECOMMENDED", priority: "low" },
              created_at: answer.created_at
            }
          ],
          has_more: false,
          next_cursor: null,
          request_id: "req_list"
        })
      })
  )

  it.effect("the newest comes first, and the last page has no cursor", () =>
    Effect.gen(function* () {
      const asker = caller()
      const ids: Array<string> = []
      for (let index = 0; index < 6; index++)
        ids.unshift(jsonOf((yield* assess({ caller: asker })).body).assessment_id)
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const items = yield* walk(asker, limit, Effect.void)
        expect(items.map((item) => item.assessment_id)).toEqual(ids)
      }
      const exact = yield* list(asker, { limit: 6 })
      expect(exact).toMatchObject({ has_more: false, next_cursor: null })
    })
  )

  it.effect("1,000 rows of one microsecond, walked by 7 while rows arrive, come once each", () =>
    Effect.gen(function* () {
      const asker = caller()
      const atMicros = Date.now() * 1_000
      yield* insertAt(asker, atMicros, 1_000)
      const sql = (yield* ModeSql).for("test")
      const before = yield* sql<{ id: string }>`
        SELECT assessment_id AS id FROM assessments WHERE organization_id = ${asker.organizationId}
      `
      const arriving = Effect.all([insertAt(asker, atMicros, 1), insertAt(asker, atMicros + 5_000, 1)])
      const seen = (yield* walk(asker, 7, arriving)).map((item) => item.assessment_id)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.toSorted().toReversed()).toEqual(seen)
      const once = new Set(seen)
      expect(before.filter(({ id }) => !once.has(id))).toEqual([])
    })
  )

  it.effect(
    "a client that keeps cursors in a date type loses nothing of a burst within one millisecond",
    () =>
      Effect.gen(function* () {
        const asker = caller()
        const at = Date.parse("2026-03-01T12:00:00.500Z")
        yield* insertAt(asker, (at - 1) * 1_000, 4)
        for (let micro = 0; micro < 60; micro++) yield* insertAt(asker, at * 1_000 + micro, 1)
        yield* insertAt(asker, (at + 1) * 1_000, 58)
        const seen = new Set<string>()
        let cursor: string | null = null
        // The first page ends four rows into the burst.
        for (let pages = 0; pages < 3; pages++) {
          const page: Effect.Success<ReturnType<typeof list>> = yield* list(asker, { limit: 62, cursor })
          for (const { assessment_id } of page.data) seen.add(assessment_id)
          cursor = page.next_cursor === null ? null : new Date(page.next_cursor).toISOString()
          if (cursor === null) break
        }
        expect(seen.size).toBe(122)
      })
  )

  it.effect("any date-time is a cursor, and the page has only older assessments", () =>
    Effect.gen(function* () {
      const asker = caller()
      const at = Date.parse("2026-03-01T12:00:00.500Z")
      for (const ms of [-1, 0, 1]) yield* insertAt(asker, (at + ms) * 1_000, 1)
      const older = (cursor: string) => Effect.map(list(asker, { cursor }), ({ data }) => data.length)
      expect(yield* older("2026-03-01T12:00:00.498Z")).toBe(0)
      expect(yield* older("2026-03-01T12:00:00.499Z")).toBe(1)
      expect(yield* older("2026-03-01T13:00:00.500+01:00")).toBe(2)
      expect(yield* older("2026-03-01T13:00:00.500 01:00")).toBe(2)
      expect(yield* older(`2026-03-01T12:00:00.500${"0".repeat(22)}Z`)).toBe(1)
      expect(yield* older("2026-03-01T12:00:00Z")).toBe(3)
      expect(yield* older("2026-03-01T11:59:59Z")).toBe(0)
      expect(yield* older("0001-01-01T00:00:00Z")).toBe(0)
    })
  )

  it.effect("q searches the named fields, in any case, and finds exact ids", () =>
    Effect.gen(function* () {
      const asker = caller()
      const ask = (actionType: string, rest = {}) =>
        Effect.map(assess({ caller: asker, action: { actionType, ...rest } }), ({ body }) => jsonOf(body))
      const first = yield* ask("alpha", {
        agentId: "Agent-ÄÖ",
        targetSystem: "CRM",
        metadata: { x: "hidden" }
      })
      yield* ask("beta", { targetResource: "100%_a\\b", destination: "https://Sink.example" })
      yield* ask("gamma", { actionDescription: "Exports Everything", context: { y: "hidden" } })
      for (const [q, expected] of [
        ["ALPHA", ["alpha"]],
        ["agent-äö", ["alpha"]],
        ["crm", ["alpha"]],
        ["sink.EXAMPLE", ["beta"]],
        ["rts every", ["gamma"]],
        ["a", ["alpha", "beta", "gamma"]],
        ["%_", ["beta"]],
        ["a\\b", ["beta"]],
        ["100%_a\\b", ["beta"]],
        ["1%b", []],
        ["10__", []],
        ["hidden", []],
        ["staging", []],
        ["alphaalpha", []],
        [first.assessment_id, ["alpha"]],
        [first.action_id.toUpperCase(), ["alpha"]],
        [first.request_id, ["alpha"]],
        [first.request_id.slice(0, -1), []],
        [first.assessment_id.slice(0, 18), []],
        ["'; DROP TABLE assessments; --", []]
      ] as const) {
        expect([q, yield* found(asker, q)]).toEqual([q, expected])
      }
    })
  )

  it.effect("a search is paged like any list", () =>
    Effect.gen(function* () {
      const asker = caller()
      for (const actionType of ["one.x", "two.y", "three.x", "four.x"])
        yield* assess({ caller: asker, action: { actionType } })
      const first = yield* list(asker, { q: ".x", limit: 2 })
      const second = yield* list(asker, { q: ".x", limit: 2, cursor: first.next_cursor })
      expect([...first.data, ...second.data].map((item) => item.action_type)).toEqual([
        "four.x",
        "three.x",
        "one.x"
      ])
      expect(second.has_more).toBe(false)
    })
  )

  it.effect("no action of one organization or mode changes an answer to another", () =>
    Effect.gen(function* () {
      const assessments = yield* Assessments
      const run = Effect.runPromiseWith(
        yield* Effect.context<Effect.Services<ReturnType<typeof assess>> | Assessments>()
      )
      const step = fc.record({
        who: fc.nat(3),
        idempotencyKey: fc.constantFrom(null, "a", "b"),
        destination: fc.constantFrom("acme.example", "acne.example"),
        entitiesAffected: fc.nat(3)
      })
      /** The parts of a caller's answers into which history, keys and lists could leak. */
      const told = async (
        asker: Caller,
        steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer S> ? S : never>
      ) => {
        const answers = []
        for (const { destination, entitiesAffected, idempotencyKey } of steps) {
          answers.push(
            await run(
              assess({ caller: asker, idempotencyKey, action: { destination, entitiesAffected } }).pipe(
                Effect.match({
                  onFailure: ({ code }) => code as string,
                  onSuccess: ({ body, replayed }) =>
                    JSON.stringify([replayed, jsonOf(body).behavioral_context])
                })
              )
            )
          )
        }
        const { body } = await run(assessments.list(asker, { limit: 100, cursor: null, q: null }, "req_list"))
        return [...answers, ...listOf(body).data.map((item) => `${item.destination} ${item.status}`)]
      }
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
            const shared = randomUUID()
            const askers = [
              caller({ organizationId: shared }),
              caller({ organizationId: shared, mode: "live" }),
              caller(),
              caller({ mode: "live" })
            ]
            const own = (who: number) => steps.filter((step) => step.who === who)
            // Interleaved: everyone asks at once. Alone: a new organization asks the same in the same order.
            const together = await Promise.all(askers.map((asker, who) => told(asker, own(who))))
            for (const [who, asker] of askers.entries()) {
              expect(together[who]).toEqual(await told(caller({ mode: asker.mode }), own(who)))
            }
          }),
          { numRuns: 25 }
        )
      )
    })
  )
})
