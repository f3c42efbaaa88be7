/** The use case and the read side on a fresh database, with a hand-written scorer. */

import { Effect, Layer } from "effect"
import { Assess } from "../../src/assessment/Assess.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import type { Scorer } from "../../src/assessment/Scorer.ts"
import type { Mode } from "../../src/domain/Caller.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { assessCall, type CallOverrides } from "./assessCall.ts"
import { plainScorer } from "./plainScorer.ts"

export const useCase = (scorer: Layer.Layer<Scorer> = plainScorer()) =>
  Layer.mergeAll(Assess.layer, Assessments.layer).pipe(
    Layer.provide(scorer),
    Layer.provideMerge(TestDatabase.layer)
  )

export const assess = Effect.fnUntraced(function* (overrides: CallOverrides = {}) {
  const service = yield* Assess
  return yield* service.assess(assessCall(overrides))
})

/** How many rows an organization has in each table of its assessments. */
export const rowsOf = Effect.fnUntraced(function* (organizationId: string, mode: Mode = "test") {
  const sql = (yield* ModeSql).for(mode)
  const [counts] = yield* sql<Readonly<Record<"assessments" | "history" | "idempotency_keys", number>>>`
    SELECT
      (SELECT count(*) FROM assessments WHERE organization_id = ${organizationId})::int AS assessments,
      (SELECT count(*) FROM history WHERE organization_id = ${organizationId})::int AS history,
      (SELECT count(*) FROM idempotency_keys WHERE organization_id = ${organizationId})::int AS idempotency_keys
  `
  return counts
})

export const noRows = { assessments: 0, history: 0, idempotency_keys: 0 }
