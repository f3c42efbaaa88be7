/** Outcome events that come at the same moment, in one process and in two, during an erasure, and without a database. */

import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { Outcomes } from "../../src/assessment/Outcomes.ts"
import type { Caller } from "../../src/domain/Caller.ts"
import { outcomeEventTypes } from "../../src/domain/OutcomeEvent.ts"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { verifyOutcomes } from "../../src/evidence/verifyOutcomes.ts"
import { ModeSql, sqlLayer } from "../../src/storage/sql/Sql.ts"
import { caller, requestId } from "../support/assessCall.ts"
import { eraser, sealAsOlder, superuser } from "../support/eraser.ts"
import { plainScorer } from "../support/plainScorer.ts"
import { assess, useCase } from "../support/useCase.ts"

const outcomes = Outcomes.layer.pipe(Layer.provide(plainScorer()))

/** Another process: it shares no lock and no connection with the first. */
const replica = Layer.build(Layer.fresh(outcomes).pipe(Layer.provide(Layer.fresh(sqlLayer)))).pipe(
  Effect.map(Context.get(Outcomes))
)

const assessed = Effect.fnUntraced(function* (asker: Caller) {
  const { body } = yield* assess({ caller: asker, action: { agentId: "a", entitiesAffected: 5 } })
  return String(JSON.parse(Buffer.from(body).toString()).assessment_id)
})

const callOf = (asker: Caller, type: (typeof outcomeEventTypes)[number], idempotencyKey: string | null) => ({
  caller: asker,
  requestId: requestId(),
  idempotencyKey,
  event: { type }
})

/** The total of the corrections of an organization's sums. */
const corrections = Effect.fnUntraced(function* ({ mode, organizationId }: Caller) {
  return yield* (yield* ModeSql).for(mode)<{ readonly scope: string; readonly entities: number }>`
    SELECT scope, sum(entities)::float8 AS entities FROM outcome_sums
    WHERE organization_id = ${organizationId} GROUP BY 1 ORDER BY 1
  `
})

layer(Layer.merge(eraser, outcomes).pipe(Layer.provideMerge(useCase())), { excludeTestServices: true })(
  "outcome events at the same moment",
  (it) => {
    it.effect("under one key are one event, in however many processes", () =>
      Effect.gen(function* () {
        const asker = caller()
        const id = yield* assessed(asker)
        const services = [yield* Outcomes, yield* replica]
        const answers = yield* Effect.forEach(
          Array.from({ length: 24 }, (_, n) => services[n % 2]),
          (service) => service?.report(callOf(asker, "executed", "one"), id) ?? Effect.die("no service"),
          { concurrency: "unbounded" }
        )
        expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
        expect(answers.filter(({ replayed }) => !replayed).length).toBe(1)
        expect(yield* verifyOutcomes(asker)).toEqual({ sealed: 1, erased: 0, broken: null })
      }).pipe(Effect.scoped)
    )

    it.effect("take an action out of the sums once, and leave a whole chain", () =>
      Effect.gen(function* () {
        const gate: Caller = { ...caller(), scopes: ["outcomes"] }
        const ids = [yield* assessed(gate), yield* assessed(gate), yield* assessed(gate)]
        const services = [yield* Outcomes, yield* replica]
        yield* Effect.forEach(
          ids.flatMap((id) => [0, 1, 2, 3].map((n) => ({ id, service: services[n % 2] }))),
          ({ id, service }) =>
            service?.report(callOf(gate, "not_executed", null), id) ?? Effect.die("no service"),
          { concurrency: "unbounded" }
        )
        expect(yield* corrections(gate)).toEqual([
          { scope: "agent", entities: -15 },
          { scope: "organization", entities: -15 }
        ])
        expect(yield* verifyOutcomes(gate)).toEqual({ sealed: 12, erased: 0, broken: null })
      }).pipe(Effect.scoped)
    )

    it.effect("as an erasure are erased too, or find no assessment", () =>
      Effect.gen(function* () {
        const asker = caller()
        const ids: Array<string> = []
        for (let n = 0; n < 8; n++) ids.push(yield* assessed(asker))
        yield* sealAsOlder
        const { report } = yield* Outcomes
        const { erase } = yield* Eraser
        const owner = { organizationId: asker.organizationId, mode: asker.mode }
        const [told] = yield* Effect.all(
          [
            Effect.forEach(ids, (id) => Effect.result(report(callOf(asker, "executed", null), id)), {
              concurrency: "unbounded"
            }),
            Effect.forEach(ids, (id) => erase(owner, [id], "request"))
          ],
          { concurrency: "unbounded" }
        )
        const stored = told.filter(Result.isSuccess).length
        for (const result of told)
          if (Result.isFailure(result)) expect(result.failure).toMatchObject({ code: "NOT_FOUND" })
        expect(yield* verifyOutcomes(asker)).toEqual({ sealed: stored, erased: stored, broken: null })
        const left = yield* Effect.flatMap(
          superuser,
          (sql) => sql`SELECT FROM outcome_events WHERE organization_id = ${asker.organizationId}`
        ).pipe(Effect.scoped)
        expect(left).toEqual([])
      })
    )
  }
)
