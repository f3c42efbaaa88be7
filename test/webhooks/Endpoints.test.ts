import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import { webhookEndpointsMax } from "../../src/limits.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { cursorOf } from "../../src/storage/timeOrderedId.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller, requestId } from "../support/assessCall.ts"
import { createEndpoint, secretCall, wantedEndpoint } from "../support/endpointCall.ts"
import { secretsUnder } from "../support/secretsUnder.ts"

const stack = Endpoints.layer.pipe(
  Layer.provideMerge(secretsUnder("pepper")),
  Layer.provideMerge(TestDatabase.layer)
)

interface SecretRow {
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  readonly hours: number | null
}

/** The secrets that sign deliveries: the current one, and the previous one if it still signs. */
const signing = Effect.fnUntraced(function* (owner: ReturnType<typeof caller>, endpointId: string) {
  const sql = (yield* ModeSql).for(owner.mode)
  const { open } = yield* WebhookSecrets
  const [row] = yield* sql<SecretRow>`
    SELECT secret, previous_secret, round(extract(epoch FROM previous_until - now()) / 3600)::int AS hours
    FROM webhook_endpoints WHERE organization_id = ${owner.organizationId} AND endpoint_id = ${endpointId}
  `
  const texts = yield* Effect.forEach([row?.secret, row?.previous_secret], (sealed) =>
    sealed instanceof Uint8Array
      ? Effect.map(open({ ...owner, endpointId }, sealed), Redacted.value)
      : Effect.succeed(null)
  )
  return { secrets: texts, hours: row?.hours }
})

layer(stack, { excludeTestServices: true })("webhook endpoints", (it) => {
  it.effect("are shown as they were asked for, with defaults, and with their secret only once", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { get, list } = yield* Endpoints
      const { request_id, secret, ...plain } = yield* createEndpoint(owner)
      const {
        request_id: _,
        secret: other,
        ...full
      } = yield* createEndpoint(owner, {
        format: "teams",
        events: webhookEventTypes,
        min_level: "critical",
        enabled: false,
        description: "😀".repeat(240)
      })
      expect(plain).toEqual({
        api_version: "v1",
        environment_mode: "test",
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        ...wantedEndpoint(),
        format: "standard",
        min_level: "low",
        enabled: true,
        description: null,
        created_at: expect.stringMatching(/Z$/)
      })
      expect(full).toMatchObject({
        format: "teams",
        min_level: "critical",
        enabled: false,
        description: "😀".repeat(240)
      })
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(other).not.toBe(secret)
      expect(request_id).toMatch(/^req_/)
      const id = requestId()
      expect(yield* get(owner, plain.id.toUpperCase(), id)).toEqual({ ...plain, request_id: id })
      const page = yield* list(owner, { limit: 25, cursor: null }, id)
      expect(page.data.map((item) => item.id)).toEqual([full.id, plain.id])
      expect(JSON.stringify([page, yield* get(owner, full.id, id)])).not.toMatch(/whsec_|secret/)
    })
  )

  it.effect("page by cursors without a gap or a repetition, whatever the limit", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { list } = yield* Endpoints
      const made = yield* Effect.all(Array.from({ length: 9 }, () => createEndpoint(owner)))
      const ids = made
        .map(({ id }) => id)
        .toSorted()
        .toReversed()
      for (const limit of [1, 4, 9, 100]) {
        const seen: Array<string> = []
        let cursor: string | null = null
        do {
          const page: Effect.Success<ReturnType<typeof list>> = yield* list(owner, { limit, cursor }, "req")
          expect(page.data.length).toBeLessThanOrEqual(limit)
          expect(page.has_more).toBe(page.next_cursor !== null)
          seen.push(...page.data.map(({ id }) => id))
          cursor = page.next_cursor
        } while (cursor !== null)
        expect(seen).toEqual(ids)
      }
      const third = yield* list(owner, { limit: 1, cursor: cursorOf(ids[1] ?? "") }, "req")
      expect(third.data[0]?.id).toBe(ids[2])
    })
  )

  it.effect(
    `are at most ${webhookEndpointsMax} of an organization in a mode, also when many are asked for at once`,
    () =>
      Effect.gen(function* () {
        const owner = caller()
        const room = 3
        yield* Effect.forEach(Array.from({ length: webhookEndpointsMax - room }), () => createEndpoint(owner))
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 12 }),
          () =>
            Effect.match(createEndpoint(owner), {
              onFailure: ({ code }) => code,
              onSuccess: () => "created"
            }),
          { concurrency: 12 }
        )
        expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(room)
        expect(outcomes.filter((outcome) => outcome === "VALIDATION_FAILED")).toHaveLength(12 - room)
        const failure = yield* Effect.flip(createEndpoint(owner))
        expect(failure).toMatchObject({
          details: [{ message: "there may be at most 100 endpoints in one mode" }]
        })
        // A removed endpoint makes room for one more, and the other mode has a separate limit.
        const { list, remove } = yield* Endpoints
        const [first] = (yield* list(owner, { limit: 1, cursor: null }, "req")).data
        yield* remove(owner, first?.id ?? "")
        yield* createEndpoint(owner)
        yield* createEndpoint({ ...owner, mode: "live" })
        expect(yield* Effect.flip(createEndpoint(owner))).toMatchObject({ code: "VALIDATION_FAILED" })
      })
  )

  it.effect(
    "change only in the fields that are given; null clears the description; nothing changes nothing",
    () =>
      Effect.gen(function* () {
        const owner = caller()
        const { change, get } = yield* Endpoints
        const { secret: _, ...made } = yield* createEndpoint(owner, { description: "a" })
        const steps = [
          {},
          { url: "https://other.example/" },
          { events: ["ping"] },
          { format: "slack" },
          { min_level: "high" },
          { enabled: false },
          { description: null },
          { description: "b", enabled: true }
        ] as const
        const expected = { ...made }
        for (const step of steps) {
          const { request_id, ...changed } = yield* change(owner, made.id, step, made.request_id)
          Object.assign(expected, step)
          expect({ ...changed, request_id }).toEqual(expected)
          expect(yield* get(owner, made.id, made.request_id)).toEqual(expected)
        }
      })
  )

  it.effect("take two changes at once without losing either", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { change, get } = yield* Endpoints
      const { id } = yield* createEndpoint(owner)
      for (let round = 0; round < 10; round++) {
        const description = String(round)
        const min_level = round % 2 === 0 ? "high" : "moderate"
        yield* Effect.all(
          [change(owner, id, { description }, "req"), change(owner, id, { min_level }, "req")],
          {
            concurrency: 2
          }
        )
        expect(yield* get(owner, id, "req")).toMatchObject({ description, min_level })
      }
    })
  )

  it.effect("forget since when they have been failing only when enabled again or led elsewhere", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { change } = yield* Endpoints
      const { id } = yield* createEndpoint(owner)
      const sql = (yield* ModeSql).for("test")
      const failsAfter = Effect.fnUntraced(function* (changes: Parameters<typeof change>[2]) {
        yield* sql`UPDATE webhook_endpoints SET failing_since = now() WHERE endpoint_id = ${id}`
        yield* change(owner, id, changes, "req")
        const [row] = yield* sql<{ readonly fails: boolean }>`
          SELECT failing_since IS NOT NULL AS fails FROM webhook_endpoints WHERE endpoint_id = ${id}
        `
        return row?.fails
      })
      expect(yield* failsAfter({ enabled: true })).toBe(true)
      expect(yield* failsAfter({ url: wantedEndpoint().url, description: "same" })).toBe(true)
      expect(yield* failsAfter({ enabled: false })).toBe(true)
      expect(yield* failsAfter({ enabled: true })).toBe(false)
      expect(yield* failsAfter({ url: "https://other.example/" })).toBe(false)
    })
  )

  it.effect("sign with a new secret and the one before it for a day; the one before that stops at once", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { rotateSecret } = yield* Endpoints
      const first = yield* createEndpoint(owner)
      expect(yield* signing(owner, first.id)).toEqual({ secrets: [first.secret, null], hours: null })
      const second = JSON.parse((yield* rotateSecret(secretCall(owner), first.id)).body)
      expect({ ...second, secret: "", request_id: "" }).toEqual({ ...first, secret: "", request_id: "" })
      expect(yield* signing(owner, first.id)).toEqual({ secrets: [second.secret, first.secret], hours: 24 })
      const third = JSON.parse((yield* rotateSecret(secretCall(owner), first.id)).body)
      expect(yield* signing(owner, first.id)).toEqual({ secrets: [third.secret, second.secret], hours: 24 })
    })
  )

  it.effect("are gone with their secrets once deleted, and a second deletion finds nothing", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { change, get, remove, rotateSecret } = yield* Endpoints
      const { id } = yield* createEndpoint(owner, {}, "one key")
      yield* remove(owner, id)
      const sql = (yield* ModeSql).for("test")
      const left = yield* sql`
        SELECT 1 FROM webhook_endpoints WHERE endpoint_id = ${id}
        UNION ALL SELECT 1 FROM webhook_answers WHERE endpoint_id = ${id}
      `
      expect(left).toEqual([])
      const asked = [
        remove(owner, id),
        get(owner, id, "req"),
        change(owner, id, { enabled: true }, "req"),
        rotateSecret(secretCall(owner), id)
      ]
      for (const one of asked)
        expect(yield* Effect.flip<unknown, { code: string }, never>(one)).toMatchObject({ code: "NOT_FOUND" })
    })
  )
})

/** Resolves when a statement that writes into this table waits for a lock. */
const isWaitingFor = Effect.fnUntraced(function* (table: string) {
  const sql = (yield* ModeSql).for("test")
  const waiting = sql`
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%INTO ${table}%`}
  `
  const found = Effect.filterOrFail(waiting, ({ length }) => length > 0)
  yield* Effect.retry(found, { schedule: Schedule.spaced("5 millis"), times: 1_000 })
})

layer(stack, { excludeTestServices: true })("an idempotency key", (it) => {
  it.effect(
    "gives the same endpoint and the same secret again, byte for byte, however often and at once",
    () =>
      Effect.gen(function* () {
        const owner = caller()
        const { create, list } = yield* Endpoints
        const answers = yield* Effect.forEach(
          Array.from({ length: 6 }),
          () => create(secretCall(owner, "one"), wantedEndpoint()),
          { concurrency: 6 }
        )
        expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
        expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
        for (const { body, requestId: told } of answers) expect(JSON.parse(body).request_id).toBe(told)
        expect((yield* list(owner, { limit: 9, cursor: null }, "req")).data).toHaveLength(1)
      })
  )

  it.effect("finds what a caller that went away at any moment left behind: one endpoint, or none yet", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { list } = yield* Endpoints
      const sql = (yield* ModeSql).for("test")
      const context = yield* Effect.context<Endpoints | ModeSql>()
      const asking = (key: string) => Effect.runForkWith(context)(createEndpoint(owner, {}, key))
      const atOnce = (key: string) => Fiber.interrupt(asking(key))
      /** Runs while a write into this table is in progress in the database. */
      const writing = (table: string) => (key: string) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE ${sql(table)} IN SHARE ROW EXCLUSIVE MODE`
            const leaving = asking(key)
            // Not within this transaction, which would see what it saw first.
            yield* Effect.promise(() => Effect.runPromiseWith(context)(isWaitingFor(table)))
            yield* Fiber.interrupt(leaving)
          })
        )
      const moments = [atOnce, writing("webhook_endpoints"), writing("webhook_answers")]
      for (const [place, leave] of [...moments, ...moments].entries()) {
        const key = `key ${place}`
        yield* leave(key)
        const { id } = yield* createEndpoint(owner, {}, key)
        const { data } = yield* list(owner, { limit: 100, cursor: null }, "req")
        expect([data.length, data[0]?.id]).toEqual([place + 1, id])
      }
    })
  )

  it.effect("is another request's with another body, another endpoint or another operation", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { create, rotateSecret } = yield* Endpoints
      const made = yield* createEndpoint(owner, {}, "one")
      const other = yield* createEndpoint(owner)
      const again = (key: string) =>
        Effect.flip(create(secretCall(owner, key), wantedEndpoint({ min_level: "high" })))
      expect(yield* again("one")).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" })
      expect(yield* Effect.flip(rotateSecret(secretCall(owner, "one"), made.id))).toMatchObject({
        code: "IDEMPOTENCY_KEY_REUSED"
      })
      yield* rotateSecret(secretCall(owner, "two"), made.id)
      expect(yield* Effect.flip(rotateSecret(secretCall(owner, "two"), other.id))).toMatchObject({
        code: "IDEMPOTENCY_KEY_REUSED"
      })
    })
  )

  it.effect("rotates once: a repetition shows the same new secret, and the old one goes on signing", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { rotateSecret } = yield* Endpoints
      const { id, secret } = yield* createEndpoint(owner)
      const first = yield* rotateSecret(secretCall(owner, "rotate"), id)
      const second = yield* rotateSecret(secretCall(owner, "rotate"), id)
      expect([first.replayed, second.replayed, second.body]).toEqual([false, true, first.body])
      expect((yield* signing(owner, id)).secrets).toEqual([JSON.parse(first.body).secret, secret])
    })
  )

  it.effect("is its organization's and mode's own, and free again after a day", () =>
    Effect.gen(function* () {
      const owner = caller()
      const first = yield* createEndpoint(owner, {}, "one")
      for (const other of [caller(), { ...owner, mode: "live" as const }])
        expect((yield* createEndpoint(other, {}, "one")).id).not.toBe(first.id)
      const sql = (yield* ModeSql).for("test")
      yield* sql`
        UPDATE webhook_answers SET answered_at = now() - interval '24 hours 1 second'
        WHERE organization_id = ${owner.organizationId}
      `
      const later = yield* createEndpoint(owner, { min_level: "high" }, "one")
      expect(later.id).not.toBe(first.id)
      expect(yield* createEndpoint(owner, { min_level: "high" }, "one")).toEqual(later)
    })
  )
})
