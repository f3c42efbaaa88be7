import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type DeliveryStatus, deliveryStatuses } from "../../src/domain/WebhookEvent.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { DeliverySignal } from "../../src/storage/webhooks/DeliverySignal.ts"
import { Deliveries } from "../../src/webhooks/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller } from "../support/assessCall.ts"
import { createEndpoint } from "../support/endpointCall.ts"
import { superuser } from "../support/eraser.ts"
import { secretsUnder } from "../support/secretsUnder.ts"

const stack = Layer.mergeAll(Endpoints.layer, Deliveries.layer, DeliverySignal.layer).pipe(
  Layer.provideMerge(secretsUnder("pepper")),
  Layer.provideMerge(TestDatabase.layer)
)

type Owner = ReturnType<typeof caller>

/** Leaves a delivery as the relay would have left it. */
const settle = Effect.fnUntraced(function* (owner: Owner, deliveryId: string, status: DeliveryStatus) {
  const sql = (yield* ModeSql).for(owner.mode)
  const waits = status === "pending" || status === "failed"
  yield* sql`
    UPDATE webhook_deliveries SET status = ${status}, attempts = attempts + 1, last_status = 500,
      next_attempt_at = CASE WHEN ${waits}::boolean THEN now() END
    WHERE organization_id = ${owner.organizationId} AND delivery_id = ${deliveryId}
  `
})

const listed = Effect.fnUntraced(function* (
  owner: Owner,
  endpointId: string,
  status: DeliveryStatus | null = null,
  limit = 100,
  cursor: string | null = null
) {
  const { list } = yield* Deliveries
  return yield* list(owner, endpointId, { limit, cursor, status }, "req")
})

layer(stack, { excludeTestServices: true })("deliveries", (it) => {
  it.effect("of a test are one ping to that endpoint, subscribed or not, due at once and announced", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { test } = yield* Deliveries
      const { wait: heard } = yield* DeliverySignal
      const { id } = yield* createEndpoint(owner, { events: ["assessment.high"] })
      const { delivery_id, ...queued } = yield* test(owner, id, "req")
      expect(queued).toEqual({ api_version: "v1", environment_mode: "test", request_id: "req" })
      const { data, has_more, next_cursor } = yield* listed(owner, id)
      expect({ data, has_more, next_cursor }).toEqual({
        data: [
          {
            id: delivery_id,
            event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
            type: "ping",
            status: "pending",
            attempts: 0,
            last_status: null,
            next_attempt_at: data[0]?.created_at,
            created_at: expect.stringMatching(/Z$/)
          }
        ],
        has_more: false,
        next_cursor: null
      })
      yield* heard("test")
      const sql = (yield* ModeSql).for("test")
      expect(
        yield* sql`SELECT type, assessment_id, data FROM webhook_events WHERE event_id = ${data[0]?.event_id ?? ""}`
      ).toEqual([{ type: "ping", assessment_id: null, data: { endpoint_id: id } }])
    })
  )

  it.effect("can be requested once more, whatever their result: a new one of the same event", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { redeliver, test } = yield* Deliveries
      const { id } = yield* createEndpoint(owner)
      const first = yield* test(owner, id, "req")
      for (const status of deliveryStatuses) {
        yield* settle(owner, first.delivery_id, status)
        const again = yield* redeliver(owner, first.delivery_id, "req")
        const { data } = yield* listed(owner, id)
        expect(data[0]).toMatchObject({
          id: again.delivery_id,
          status: "pending",
          attempts: 0,
          last_status: null
        })
        expect(data.find((one) => one.id === first.delivery_id)).toMatchObject({ status, last_status: 500 })
        expect(new Set(data.map(({ event_id }) => event_id)).size).toBe(1)
      }
    })
  )

  it.effect("are not queued for an endpoint that is disabled, and are once it is enabled again", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { redeliver, test } = yield* Deliveries
      const { change } = yield* Endpoints
      const { id } = yield* createEndpoint(owner)
      const { delivery_id } = yield* test(owner, id, "req")
      yield* change(owner, id, { enabled: false }, "req")
      for (const asked of [test(owner, id, "req"), redeliver(owner, delivery_id, "req")])
        expect(yield* Effect.flip(asked)).toMatchObject({
          code: "VALIDATION_FAILED",
          details: [{ field: "enabled" }]
        })
      expect((yield* listed(owner, id)).data).toHaveLength(1)
      yield* change(owner, id, { enabled: true }, "req")
      yield* redeliver(owner, delivery_id, "req")
      expect((yield* listed(owner, id)).data).toHaveLength(2)
    })
  )

  it.effect("page newest first, all together or by status, without a gap or a repetition", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { test } = yield* Deliveries
      const { id } = yield* createEndpoint(owner)
      const other = yield* createEndpoint(owner)
      yield* test(owner, other.id, "req")
      const made: Array<{ readonly id: string; readonly status: DeliveryStatus }> = []
      for (let i = 0; i < 17; i++) {
        const { delivery_id } = yield* test(owner, id, "req")
        const status = deliveryStatuses[(i * 7) % 4] ?? "dead"
        yield* settle(owner, delivery_id, status)
        made.unshift({ id: delivery_id, status })
      }
      for (const status of [null, ...deliveryStatuses]) {
        for (const limit of [1, 3, 100]) {
          const seen: Array<string> = []
          let cursor: string | null = null
          do {
            const page: Effect.Success<ReturnType<typeof listed>> = yield* listed(
              owner,
              id,
              status,
              limit,
              cursor
            )
            seen.push(...page.data.map((one) => one.id))
            cursor = page.next_cursor
          } while (cursor !== null)
          const wanted = made.filter((one) => status === null || one.status === status)
          expect(seen).toEqual(wanted.map((one) => one.id))
        }
      }
    })
  )

  it.effect("are found by no one else, nor once their endpoint is deleted", () =>
    Effect.gen(function* () {
      const owner = caller()
      const { list, redeliver, test } = yield* Deliveries
      const { remove } = yield* Endpoints
      const { id } = yield* createEndpoint(owner)
      const { delivery_id } = yield* test(owner, id, "req")
      const query = { limit: 1, cursor: null, status: null }
      const all = (who: Owner) => [
        Effect.asVoid(list(who, id, query, "req")),
        Effect.asVoid(test(who, id, "req")),
        Effect.asVoid(redeliver(who, delivery_id, "req"))
      ]
      const strangers = [caller(), { ...owner, mode: "live" as const }]
      for (const asked of strangers.flatMap(all))
        expect(yield* Effect.flip(asked)).toMatchObject({ code: "NOT_FOUND" })
      for (const malformed of ["", "x", `${delivery_id}0`, "%00"])
        expect(yield* Effect.flip(redeliver(owner, malformed, "req"))).toMatchObject({ code: "NOT_FOUND" })
      yield* remove(owner, id)
      for (const asked of all(owner)) expect(yield* Effect.flip(asked)).toMatchObject({ code: "NOT_FOUND" })
    })
  )

  it.effect(
    "are listed from the index only, however many others have, and however many have other statuses",
    () =>
      Effect.gen(function* () {
        const sql = (yield* ModeSql).for("test")
        const owner = caller()
        const { id } = yield* createEndpoint(owner)
        yield* sql`
        INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts, created_at)
        SELECT ${owner.organizationId}::uuid, time_ordered_id(now() - i * interval '1 second'), ${id}::uuid, 'evt_' || i, 'ping',
          CASE i WHEN 19000 THEN 'dead' ELSE 'delivered' END, 1, now()
        FROM generate_series(1, 20000) AS i
      `
        yield* (yield* superuser)`ANALYZE test.webhook_deliveries`
        const read = Effect.gen(function* () {
          const [row] = yield* sql<{ readonly blocks: number }>`
          SELECT (pg_stat_get_xact_blocks_fetched('webhook_deliveries'::regclass))::int AS blocks
        `
          return row?.blocks ?? 0
        })
        const { rows, blocks } = yield* sql.withTransaction(
          Effect.gen(function* () {
            const before = yield* read
            const page = yield* listed(owner, id, "dead")
            return { rows: page.data.length, blocks: (yield* read) - before }
          })
        )
        expect(rows).toBe(1)
        expect(blocks).toBeLessThan(50)
      })
  )
})
