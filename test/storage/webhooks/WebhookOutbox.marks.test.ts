/** Claimed deliveries are marked, given back, or put off. */

import { expect } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { webhookLeaseMs, webhookPostponedHoursMax } from "../../../src/limits.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { markTogether } from "../../../src/storage/webhooks/AttemptResult.ts"
import { WebhookOutbox } from "../../../src/storage/webhooks/WebhookOutbox.ts"
import { claimed, describeOutbox, markAs } from "../../support/outboxTests.ts"
import { deliveriesOf, endpointState, mode, newEndpoint, passTime, queue } from "../../support/queued.ts"
import { untilLockWaited } from "../../support/untilLockWaited.ts"

describeOutbox("what comes back to the outbox", (onEmptyOutbox) => {
  onEmptyOutbox(
    "marks nothing for who has lost the lease",
    Effect.gen(function* () {
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint)
      const [late] = yield* claimed()
      yield* passTime(webhookLeaseMs)
      const [now] = yield* claimed()
      if (late === undefined || now === undefined) return expect.unreachable()
      expect(yield* markAs(late, "delivered")).toEqual({ held: false, disabled: null })
      expect(yield* deliveriesOf(endpoint)).toMatchObject([{ status: "pending", attempts: 0, claimed: true }])
      expect(yield* markAs(now, "failed", 5_000)).toEqual({ held: true, disabled: null })
      expect(yield* deliveriesOf(endpoint)).toMatchObject([
        { status: "failed", attempts: 1, lastStatus: 500, claimed: false }
      ])
      expect(yield* markAs(now, "delivered")).toEqual({ held: false, disabled: null })
    })
  )

  onEmptyOutbox(
    "gives back what its process could not finish",
    Effect.gen(function* () {
      const { release } = yield* WebhookOutbox
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 2)
      const taken = yield* claimed()
      yield* release(mode, taken)
      const again = yield* claimed()
      expect(again.map(({ deliveryId }) => deliveryId)).toEqual(taken.map(({ deliveryId }) => deliveryId))
      yield* release(mode, taken)
      expect(yield* claimed(), "an old lease gives nothing back").toEqual([])
      yield* release(mode, again)
      expect((yield* claimed()).length).toBe(2)
    })
  )

  onEmptyOutbox(
    "puts off what could not be made, alone or with all that is due for its endpoint, until it is too old",
    Effect.gen(function* () {
      const { postpone } = yield* WebhookOutbox
      const [endpoint, other] = [yield* newEndpoint(), yield* newEndpoint()]
      yield* queue(endpoint, 8)
      yield* queue(endpoint, 1, 3_600_000)
      yield* queue(other)
      const all = yield* claimed()
      const [first, second] = all.filter(({ endpointId }) => endpointId === endpoint.endpointId)
      if (first === undefined || second === undefined) return expect.unreachable()
      const putOff = Effect.map(deliveriesOf(endpoint), (rows) =>
        rows.filter(({ nextInMs }) => nextInMs !== null && nextInMs > 240_000 && nextInMs < 3_000_000)
      )
      yield* postpone(mode, first, false)
      expect(yield* putOff).toMatchObject([
        { deliveryId: first.deliveryId, status: "pending", attempts: 0, claimed: false }
      ])
      yield* postpone(mode, first, false)
      yield* postpone(mode, second, true)
      // Other claimed deliveries are left to their own attempts; unclaimed ones are put off too.
      expect((yield* putOff).length).toBe(5)
      expect((yield* claimed()).length).toBe(0)
      expect(yield* endpointState(endpoint)).toEqual({ enabled: true, failing: false })

      yield* passTime(3_600_000 * webhookPostponedHoursMax)
      yield* queue(endpoint)
      const [late] = yield* claimed({ rowsMax: 1 })
      if (late === undefined) return expect.unreachable()
      yield* postpone(mode, late, true)
      const statuses = (yield* deliveriesOf(endpoint)).map(({ attempts, status }) => `${status} ${attempts}`)
      expect(statuses.toSorted()).toEqual([...Array<string>(9).fill("dead 0"), "pending 0"])
      expect(yield* deliveriesOf(other)).toMatchObject([{ status: "pending" }])
    })
  )

  onEmptyOutbox(
    "marks in the order in which others lock, so that it holds nothing that who it waits for will want",
    Effect.gen(function* () {
      const sql = (yield* ModeSql).for(mode)
      const endpoint = yield* newEndpoint()
      yield* queue(endpoint, 5)
      const taken = (yield* claimed()).toSorted((a, b) => (a.deliveryId < b.deliveryId ? 1 : -1))
      const markings = taken.map(
        (one) => ({ ...one, outcome: "delivered", answered: 200, nextAttemptMs: null }) as const
      )
      const locking = yield* Deferred.make<void>()
      const marking = yield* Deferred.await(locking).pipe(
        Effect.andThen(markTogether(sql, markings)),
        Effect.forkChild({ startImmediately: true })
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          for (const { deliveryId } of taken.toReversed()) {
            yield* sql`SELECT FROM webhook_deliveries WHERE delivery_id = ${deliveryId} FOR UPDATE NOWAIT`
            yield* Deferred.succeed(locking, undefined)
            yield* untilLockWaited(sql)
          }
        })
      )
      expect((yield* Fiber.join(marking)).length).toBe(5)
    })
  )
})
