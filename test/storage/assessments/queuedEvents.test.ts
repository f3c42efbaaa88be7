import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import type { Mode } from "../../../src/domain/Caller.ts"
import { actionRiskLevels } from "../../../src/domain/Opinion.ts"
import { webhookEventTypes } from "../../../src/domain/WebhookEvent.ts"
import { storageWriteMsMax } from "../../../src/limits.ts"
import {
  AssessmentRecords,
  type AssessmentWrite,
  writeParameters,
  writeStatement,
  type WrittenRow
} from "../../../src/storage/assessments/AssessmentRecords.ts"
import { ModeSql } from "../../../src/storage/sql/Sql.ts"
import { asUuid } from "../../../src/storage/timeOrderedId.ts"
import { DeliverySignal } from "../../../src/storage/webhooks/DeliverySignal.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { definedDeliveries, type EndpointRow, type Kept, opensReview } from "../../support/definedOutbox.ts"
import { scaled } from "../../support/depth.ts"
import { outboxOf, storeEndpoint } from "../../support/outbox.ts"

const organization = fc.nat(2)
const mode = fc.constantFrom<Mode>("test", "live")

const plans = fc.record({
  endpoints: fc.array(
    fc.record({
      organization,
      mode,
      events: fc.subarray([...webhookEventTypes], { minLength: 1 }),
      leastRank: fc.nat(3),
      enabled: fc.boolean()
    }),
    { maxLength: 8 }
  ),
  asked: fc.array(
    fc.record({
      organization,
      mode,
      level: fc.constantFrom(...actionRiskLevels),
      complete: fc.boolean(),
      key: fc.option(fc.nat(2), { freq: 2 }),
      twice: fc.boolean()
    }),
    { maxLength: 30 }
  ),
  /** The batch is split here into two statements. The second one meets keys that the first one has written. */
  cut: fc.nat(30)
})

type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never

const write = Effect.fnUntraced(function* (mode: Mode, batch: ReadonlyArray<AssessmentWrite>) {
  const sql = (yield* ModeSql).for(mode)
  const [row] = yield* sql.unsafe<WrittenRow>(writeStatement, writeParameters(batch))
  return { places: row?.written ?? [], announced: row?.announced === true }
})

const keptOf = (batch: ReadonlyArray<AssessmentWrite>, places: ReadonlyArray<number>): ReadonlyArray<Kept> =>
  batch.flatMap(({ owner, record }, i) =>
    places.includes(i + 1) ? [{ organizationId: owner.organizationId, record }] : []
  )

const reviewsOf = (kept: ReadonlyArray<Kept>) =>
  kept
    .filter(opensReview)
    .map(({ organizationId, record }) => `${organizationId} ${record.assessmentId}`)
    .toSorted()

/** One plan in organizations of its own: the tables hold what the definition says, in both modes. */
const agrees = Effect.fnUntraced(function* ({ asked, cut, endpoints }: Plan) {
  const organizations = [randomUUID(), randomUUID(), randomUUID()]
  const rows = endpoints.map(({ organization, ...endpoint }) => ({
    ...endpoint,
    organizationId: organizations[organization] ?? "",
    endpointId: randomUUID()
  }))
  yield* Effect.forEach(rows, (row) => storeEndpoint(row.mode, row))
  for (const mode of ["test", "live"] as const) {
    const batch = asked.flatMap((of): Array<AssessmentWrite> => {
      if (of.mode !== mode) return []
      const writing = {
        owner: { organizationId: organizations[of.organization] ?? "", mode },
        record: assessmentRecord(1, {
          level: of.level,
          complete: of.complete,
          idempotencyKey: of.key === null ? null : `key ${of.key}`
        })
      }
      return of.twice ? [writing, writing] : [writing]
    })
    const listening: ReadonlyArray<EndpointRow> = rows.filter((row) => row.mode === mode)
    const all: Array<Kept> = []
    for (const part of [batch.slice(0, cut), batch.slice(cut), batch]) {
      const { announced, places } = yield* write(mode, part)
      const kept = keptOf(part, places)
      all.push(...kept)
      expect(announced).toBe(definedDeliveries(kept, listening).length > 0)
    }
    const outbox = yield* outboxOf(mode, organizations)
    expect(outbox.reviews).toEqual(reviewsOf(all))
    const deliveries = definedDeliveries(all, listening)
    expect(outbox.deliveries).toEqual(deliveries)
    expect(outbox.events).toEqual([
      ...new Set(deliveries.map((line) => line.split(" ").slice(0, 3).join(" ")))
    ])
  }
})

layer(
  Layer.mergeAll(AssessmentRecords.layer, DeliverySignal.layer).pipe(Layer.provideMerge(TestDatabase.layer)),
  { excludeTestServices: true }
)("what keeping assessments makes", (it) => {
  it.effect("is what the definition says, of any endpoints, assessments, keys and repetitions", () =>
    Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context<ModeSql>())
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(plans, (plan) => run(agrees(plan))),
          { numRuns: scaled(60, 3_000) }
        )
      )
    })
  )

  it.effect("is pending from the moment of the statement, under ids of that moment", () =>
    Effect.gen(function* () {
      const organizationId = randomUUID()
      yield* storeEndpoint("live", {
        organizationId,
        endpointId: randomUUID(),
        events: webhookEventTypes,
        leastRank: 0,
        enabled: true
      })
      const record = assessmentRecord(1, { level: "critical" })
      yield* write("live", [{ owner: { organizationId, mode: "live" }, record }])
      const sql = (yield* ModeSql).for("live")
      const rows = yield* sql<Readonly<Record<string, unknown>> & { readonly delivery_id: string }>`
        SELECT delivery_id, status, attempts, last_status, claimed_by,
          deliveries.next_attempt_at = deliveries.created_at AND deliveries.created_at = events.created_at
            AND abs(extract(epoch FROM now() - events.created_at)) < 60 AS due_at_once,
          -- RFC 9562 5.7: 48 bits of milliseconds, here rounded down like the assessment's own id.
          ('x' || left(replace(delivery_id::text, '-', ''), 12))::bit(48)::bigint
            = floor(extract(epoch FROM deliveries.created_at) * 1000)::bigint AS of_its_time
        FROM webhook_deliveries AS deliveries JOIN webhook_events AS events USING (organization_id, event_id)
        WHERE organization_id = ${organizationId}
      `
      expect(rows.length).toBe(3)
      expect(new Set(rows.map((row) => asUuid(row.delivery_id)?.[14]))).toEqual(new Set(["7"]))
      for (const { delivery_id: _, ...row } of rows)
        expect(row).toEqual({
          status: "pending",
          attempts: 0,
          last_status: null,
          claimed_by: null,
          due_at_once: true,
          of_its_time: true
        })
    })
  )

  it.effect(
    "is whole for those who were kept next to poisoned neighbours, and rings once they are committed",
    () =>
      Effect.gen(function* () {
        const { write } = yield* AssessmentRecords
        const bell = yield* DeliverySignal
        const owner = { organizationId: randomUUID(), mode: "test" } as const
        const endpoint: EndpointRow = {
          organizationId: owner.organizationId,
          endpointId: randomUUID(),
          events: webhookEventTypes,
          leastRank: 1,
          enabled: true
        }
        yield* storeEndpoint("test", endpoint)
        const records = Array.from({ length: 40 }, (_, i) =>
          assessmentRecord(i, {
            level: actionRiskLevels[i % 4] ?? "low",
            complete: i % 3 > 0,
            ...(i % 9 === 4 && { history: { agentId: "nul \0 inside" } })
          })
        )
        yield* Effect.forEach(
          records,
          (record) => Effect.exit(Effect.sandbox(write(owner, record, storageWriteMsMax))),
          {
            concurrency: "unbounded"
          }
        )
        yield* bell.wait("test")
        const all = records
          .filter((_, i) => i % 9 !== 4)
          .map((record) => ({ organizationId: owner.organizationId, record }))
        const outbox = yield* outboxOf("test", [owner.organizationId])
        expect(outbox.reviews).toEqual(reviewsOf(all))
        expect(outbox.deliveries).toEqual(definedDeliveries(all, [endpoint]))
      })
  )
})
