import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Result, Schema } from "effect"
import fc from "fast-check"
import { ReviewList, ReviewResponse } from "../../src/api/Reviews.ts"
import { Reviews } from "../../src/assessment/Reviews.ts"
import { type Caller, type Mode, modes } from "../../src/domain/Caller.ts"
import { actionRiskLevels } from "../../src/domain/Opinion.ts"
import { type ReviewOutcome, reviewOutcomes, type ReviewState } from "../../src/domain/Review.ts"
import { storageWriteMsMax } from "../../src/limits.ts"
import { AssessmentRecords } from "../../src/storage/assessments/AssessmentRecords.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { DeliverySignal } from "../../src/storage/webhooks/DeliverySignal.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller, requestId } from "../support/assessCall.ts"
import { definedDeliveries, type EndpointRow, type Kept, opensReview } from "../support/definedOutbox.ts"
import { scaled, seed } from "../support/depth.ts"
import { outboxOf, storeEndpoint } from "../support/outbox.ts"
import { listedRecord } from "../support/reviewed.ts"

const owners: ReadonlyArray<{ readonly place: number; readonly mode: Mode }> = [0, 1].flatMap((place) =>
  modes.map((mode) => ({ place, mode }))
)

const outcome = fc.constantFrom(...reviewOutcomes)
const note = fc.option(fc.constantFrom("seen", "asked the owner", "", "é ☃ 𝄞"), { nil: undefined })

const plans = fc.record({
  assessed: fc.array(
    fc.record({
      owner: fc.nat(owners.length - 1),
      level: fc.constantFrom(...actionRiskLevels),
      complete: fc.boolean()
    }),
    { minLength: 1, maxLength: 30 }
  ),
  /** `of`: the index of the assessment. `by`: the index of the owner who closes its review, who may be another owner. */
  closings: fc.array(fc.record({ of: fc.nat(29), by: fc.nat(owners.length - 1), outcome, note }), {
    maxLength: 40
  }),
  limit: fc.integer({ min: 1, max: 7 }),
  leastRank: fc.nat(3)
})
type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never

interface Expected extends Kept {
  readonly owner: number
  readonly closed: { outcome: ReviewOutcome; note: string | null } | null
}

/** Every page of a list. */
const walk = Effect.fnUntraced(function* (of: Caller, state: ReviewState | null, limit: number) {
  const { list } = yield* Reviews
  const items: Array<(typeof ReviewList.Encoded)["data"][number]> = []
  let cursor: string | null = null
  do {
    const page: typeof ReviewList.Encoded = yield* list(of, { limit, cursor, state }, requestId())
    expect(Schema.is(Schema.toEncoded(ReviewList))(page)).toBe(true)
    expect(page.environment_mode).toBe(of.mode)
    items.push(...page.data)
    cursor = page.next_cursor
    expect(page.has_more).toBe(cursor !== null)
  } while (cursor !== null)
  return items
})

const agrees = Effect.fnUntraced(function* ({ assessed, closings, leastRank, limit }: Plan) {
  const { write } = yield* AssessmentRecords
  const { close, get } = yield* Reviews
  const organizations = [caller().organizationId, caller().organizationId]
  const callers = owners.map(({ mode, place }) =>
    caller({ organizationId: organizations[place] ?? "", mode })
  )
  const callerOf = (place: number): Caller => callers[place] ?? caller()
  const endpoints = yield* Effect.forEach(callers, ({ mode, organizationId }) => {
    const endpoint: EndpointRow = {
      organizationId,
      endpointId: caller().keyId,
      events: ["review.closed"],
      leastRank,
      enabled: true
    }
    return Effect.as(storeEndpoint(mode, endpoint), endpoint)
  })

  const model: Array<Expected> = []
  for (const [unit, { complete, level, owner }] of assessed.entries()) {
    const { mode, organizationId } = callerOf(owner)
    const record = listedRecord(unit, level, complete, { createdAtMicros: Date.now() * 1_000 + unit })
    yield* write({ mode, organizationId }, record, storageWriteMsMax)
    model.push({ organizationId, record, owner, closed: null })
  }
  for (const { by, note, of, outcome } of closings) {
    const place = of % model.length
    const wanted = model[place]
    if (wanted === undefined) continue
    const id = wanted.record.assessmentId
    const told = yield* Effect.result(
      close(callerOf(by), id, note === undefined ? { outcome } : { outcome, note }, requestId())
    )
    if (wanted.owner !== by || !opensReview(wanted)) {
      expect(told).toMatchObject({ failure: { code: "NOT_FOUND" } })
      continue
    }
    const closed = wanted.closed ?? { outcome, note: note ?? null }
    model[place] = { ...wanted, closed }
    if (closed.outcome !== outcome) {
      expect(told).toMatchObject({ failure: { code: "VALIDATION_FAILED", details: [{ field: "outcome" }] } })
      continue
    }
    const review = Result.getOrThrow(told)
    expect(Schema.is(Schema.toEncoded(ReviewResponse))(review)).toBe(true)
    expect(review).toMatchObject({ id, state: "closed", ...closed })
  }

  const newestFirst = model
    .filter(opensReview)
    .toSorted((a, b) => (a.record.assessmentId < b.record.assessmentId ? 1 : -1))
  for (const [place, of] of callers.entries()) {
    const mine = newestFirst.filter(({ owner }) => owner === place)
    for (const state of [null, "open", "closed"] as const) {
      const listed = yield* walk(of, state, limit)
      const wanted = mine.filter(({ closed }) => state === null || (closed === null) === (state === "open"))
      expect(listed.map(({ id, note, outcome }) => ({ id, note, outcome }))).toEqual(
        wanted.map(({ closed, record }) => ({
          id: record.assessmentId,
          note: closed?.note ?? null,
          outcome: closed?.outcome ?? null
        }))
      )
      expect(listed.map(({ reasons }) => reasons)).toEqual(
        wanted.map(({ record }) => [
          ...(record.level === "high" || record.level === "critical" ? ["level"] : []),
          ...(record.complete ? [] : ["incomplete"])
        ])
      )
    }
    for (const { owner, record } of newestFirst) {
      const got = yield* Effect.result(get(of, record.assessmentId.toUpperCase(), requestId()))
      if (owner === place) expect(got).toMatchObject({ success: { id: record.assessmentId } })
      else expect(got).toMatchObject({ failure: { code: "NOT_FOUND" } })
    }
    const outbox = yield* outboxOf(of.mode, [of.organizationId])
    expect(outbox.deliveries).toEqual(
      definedDeliveries(
        mine.filter(({ closed }) => closed !== null),
        endpoints.slice(place, place + 1),
        () => ["review.closed"]
      )
    )
    expect(outbox.events.length).toBe(outbox.deliveries.length)
  }
})

const services = Layer.mergeAll(AssessmentRecords.layer, Reviews.layer, DeliverySignal.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const storeReview = Effect.fnUntraced(function* (of: Caller, complete = true) {
  const record = listedRecord(1, "critical", complete)
  yield* (yield* AssessmentRecords).write(of, record, storageWriteMsMax)
  return record.assessmentId
})

layer(services, { excludeTestServices: true })("reviews", (it) => {
  it.effect(
    `are listed, read and closed by their owners only, with one event per closing; seed ${seed}`,
    () =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<Reviews | AssessmentRecords | ModeSql>())
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(plans, (plan) => run(agrees(plan))),
            { numRuns: scaled(15, 500), seed }
          )
        )
      })
  )

  it.effect("that many callers close at once are closed by one, and the others see whether they agree", () =>
    Effect.gen(function* () {
      const { close, get } = yield* Reviews
      for (let round = 0; round < scaled(10, 200); round++) {
        const of = caller({ mode: "live" })
        const { organizationId } = of
        yield* storeEndpoint("live", {
          organizationId,
          endpointId: caller().keyId,
          events: ["review.closed"],
          leastRank: 0,
          enabled: true
        })
        const id = yield* storeReview(of)
        const told = yield* Effect.forEach(
          [...reviewOutcomes, ...reviewOutcomes],
          (outcome, place) => Effect.result(close(of, id, { outcome, note: `${place}` }, requestId())),
          { concurrency: "unbounded" }
        )
        const { note, outcome } = yield* get(of, id, requestId())
        for (const [place, result] of told.entries()) {
          if (reviewOutcomes[place % reviewOutcomes.length] === outcome)
            expect(result).toMatchObject({ success: { outcome, note } })
          else expect(result).toMatchObject({ failure: { code: "VALIDATION_FAILED" } })
        }
        expect((yield* outboxOf("live", [organizationId])).deliveries.length).toBe(1)
      }
    })
  )

  it.effect("notify the relay when they are closed", () =>
    Effect.gen(function* () {
      const bell = yield* DeliverySignal
      const of = caller()
      const id = yield* storeReview(of)
      yield* storeEndpoint("test", {
        organizationId: of.organizationId,
        endpointId: caller().keyId,
        events: ["review.closed"],
        leastRank: 3,
        enabled: true
      })
      yield* (yield* Reviews).close(of, id, { outcome: "acknowledged" }, requestId())
      yield* bell.wait("test")
    })
  )

  it.effect("whose row is locked are answered as unavailable in time, and can be closed later", () =>
    Effect.gen(function* () {
      const of = caller()
      const id = yield* storeReview(of)
      const { close, get } = yield* Reviews
      const sql = (yield* ModeSql).for("test")
      // As a separate request, outside the transaction that holds the row.
      const run = Effect.runPromiseWith(yield* Effect.context<Reviews>())
      const closing = Effect.promise(() =>
        run(Effect.result(close(of, id, { outcome: "escalated" }, requestId())))
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT FROM reviews WHERE assessment_id = ${id} FOR UPDATE`
          const startedAtMs = performance.now()
          expect(yield* closing).toMatchObject({ failure: { code: "ASSESSMENT_UNAVAILABLE" } })
          // At most three seconds on an idle machine; the row is held for as long as it takes.
          expect(performance.now() - startedAtMs).toBeLessThan(8_000)
        })
      )
      expect(yield* get(of, id, requestId())).toMatchObject({ state: "open" })
      expect(yield* closing).toMatchObject({ success: { state: "closed" } })
    })
  )
})
