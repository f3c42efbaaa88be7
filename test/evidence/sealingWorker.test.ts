/** The background work after a seal, including the seal of a process that stopped before doing it. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { Seals, sealingWorker, sealUnsealed } from "../../src/evidence/Seals.ts"
import { TestSql } from "../support/modeSql.ts"
import { caller } from "../support/assessCall.ts"
import { assess, useCase } from "../support/useCase.ts"

const rowsOf = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* TestSql
  const [counts] = yield* sql`
    SELECT (SELECT count(*) FROM seals WHERE organization_id = ${organizationId})::int AS seals,
      (SELECT count(*) FROM facets WHERE organization_id = ${organizationId})::int AS facets,
      (SELECT count(*) FROM search_texts WHERE organization_id = ${organizationId})::int AS texts
  `
  return counts
})

const become = (organizationId: string, rows: number) =>
  Effect.flatMap(rowsOf(organizationId), (counts) =>
    Effect.try(() => expect(counts).toEqual({ seals: rows, facets: rows, texts: rows }))
  ).pipe(Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 50 }))

layer(Seals.layer.pipe(Layer.provideMerge(useCase())), { excludeTestServices: true, timeout: "60 seconds" })(
  "the worker that seals",
  (it) => {
    it.effect("goes on where a process was stopped after a seal, and follows each new assessment", () =>
      Effect.gen(function* () {
        const [stopped, asking] = [caller(), caller()]
        for (let i = 0; i < 3; i++) yield* assess({ caller: stopped })
        yield* sealUnsealed("test")
        expect(yield* rowsOf(stopped.organizationId)).toEqual({ seals: 3, facets: 0, texts: 0 })
        yield* Layer.build(sealingWorker)
        yield* become(stopped.organizationId, 3)
        yield* assess({ caller: asking })
        yield* become(asking.organizationId, 1)
        yield* assess({ caller: asking })
        yield* become(asking.organizationId, 2)
      }).pipe(Effect.scoped)
    )
  }
)
