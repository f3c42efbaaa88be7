import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { DeliveryStatus } from "../../../src/domain/WebhookEvent.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { timeOrderedId } from "../../../src/storage/timeOrderedId.ts"
import { unresolvedFailures } from "../../../src/storage/webhooks/DeliveryRecords.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const owner = { organizationId: randomUUID(), mode: "test" } as const
const endpointId = randomUUID()
const atMicros = Date.now() * 1_000

interface Row {
  readonly at: number
  readonly event: string
  readonly status: DeliveryStatus
  readonly endpoint?: string
  readonly organization?: string
}

const idAt = new Map<number, string>()

/** `at`: which of the deliveries, from the oldest on. */
const store = Effect.fnUntraced(function* ({ at, endpoint, event, organization, status }: Row) {
  const sql = (yield* ModeSql).for("test")
  const id = timeOrderedId(atMicros + at)
  idAt.set(at, id)
  const next = status === "failed" || status === "pending" ? sql`now()` : sql`NULL`
  yield* sql`
    INSERT INTO webhook_deliveries (organization_id, delivery_id, endpoint_id, event_id, type, status, attempts,
      next_attempt_at, created_at)
    VALUES (${organization ?? owner.organizationId}, ${id}, ${endpoint ?? endpointId}, ${event}, 'ping', ${status}, 1,
      ${next}, now())
  `
})

layer(TestDatabase.layer)("standing failures", (it) => {
  it.effect(
    "are what failed or is dead and was not sent to the same endpoint again since, newest first",
    () =>
      Effect.gen(function* () {
        const stranger = randomUUID()
        const rows: ReadonlyArray<Row> = [
          { at: 1, event: "evt_dead", status: "dead" },
          { at: 2, event: "evt_heard_later", status: "dead" },
          { at: 3, event: "evt_heard_later", status: "delivered" },
          { at: 4, event: "evt_under_way", status: "failed" },
          { at: 5, event: "evt_under_way", status: "pending" },
          { at: 6, event: "evt_failed_twice", status: "dead" },
          { at: 7, event: "evt_failed_twice", status: "failed" },
          { at: 8, event: "evt_heard_before", status: "delivered" },
          { at: 9, event: "evt_heard_before", status: "dead" },
          { at: 10, event: "evt_heard_elsewhere", status: "failed" },
          { at: 11, event: "evt_heard_elsewhere", status: "delivered", endpoint: randomUUID() },
          { at: 12, event: "evt_dead", status: "delivered", organization: stranger },
          { at: 13, event: "evt_of_a_stranger", status: "dead", organization: stranger }
        ]
        const sql = (yield* ModeSql).for("test")
        yield* sql`
          INSERT INTO webhook_endpoints (organization_id, endpoint_id, url, events, least_rank, enabled, created_at, secret)
          VALUES (${owner.organizationId}, ${endpointId}, 'https://hooks.example/', ARRAY['ping'], 0, true, now(), '')
        `
        yield* Effect.forEach(rows, store)
        const found = (query: { before: string | undefined; limit: number }) =>
          Effect.map(unresolvedFailures(owner, endpointId, query), (deliveries) =>
            deliveries.map(({ id }) => id)
          )
        const expected = [10, 9, 7, 1].map((at) => idAt.get(at))
        expect(yield* found({ before: undefined, limit: 100 })).toEqual(expected)
        expect(yield* found({ before: undefined, limit: 2 })).toEqual(expected.slice(0, 2))
        expect(yield* found({ before: idAt.get(9), limit: 100 })).toEqual(expected.slice(2))
      })
  )
})
