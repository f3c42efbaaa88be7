/** An erasure of thousands of assessments, among the idempotency keys of a busy day. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { eraseBatchMax } from "../../src/limits.ts"
import { eraser, superuser } from "../support/eraser.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const groups = 8
const keys = 60_000
const digest = "sha256(int4send(n))"

/** Sealed assessments, a minute old, each with a key, among the keys of many others. Gives the ids in groups. */
const filled = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* superuser
  yield* sql.unsafe(
    `WITH made AS MATERIALIZED (
      SELECT n, gen_random_uuid() AS id, now() - interval '1 minute' AS at FROM generate_series(1, ${groups * eraseBatchMax}) AS n
    ), kept AS (
      INSERT INTO assessments (organization_id, assessment_id, action_id, request_id, created_at, complete, response,
        result_digest, input, input_digest, rules_digest, policy_digest, item, search, salt)
      SELECT $1::uuid, id, id, '', at, true, '', ${digest}, '', ${digest}, ${digest}, ${digest}, '{}', '', '' FROM made
    ), held AS (
      INSERT INTO idempotency_keys (organization_id, key, input_digest, assessment_id, completed_at)
      SELECT $1::uuid, 'own-' || n, ${digest}, id, at FROM made
    )
    INSERT INTO seals (organization_id, assessment_id, sequence, previous_digest, entry_digest, sealed_at, input_leaf,
      result_leaf, snapshot_leaf)
    SELECT $1::uuid, id, n, ${digest}, ${digest}, at, ${digest}, ${digest}, ${digest} FROM made`,
    [organizationId]
  )
  yield* sql.unsafe(
    `INSERT INTO idempotency_keys (organization_id, key, input_digest, assessment_id, completed_at)
    SELECT $1::uuid, 'other-' || n, ${digest}, gen_random_uuid(), now() FROM generate_series(1, ${keys}) AS n`,
    [organizationId]
  )
  const rows = yield* sql<{ readonly id: string }>`
    SELECT assessment_id AS id FROM assessments WHERE organization_id = ${organizationId} ORDER BY 1`
  return Array.from({ length: groups }, (_, i) =>
    rows.slice(i * eraseBatchMax, (i + 1) * eraseBatchMax).map(({ id }) => id)
  )
}, Effect.scoped)

layer(eraser.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "an erasure of thousands",
  (it) => {
    it.effect("takes as long for its last group as for its first", () =>
      Effect.gen(function* () {
        const organizationId = randomUUID()
        const tookMs: Array<number> = []
        for (const group of yield* filled(organizationId)) {
          const startedAtMs = performance.now()
          const erased = yield* Eraser.use(({ erase }) =>
            erase({ organizationId, mode: "test" }, group, "request")
          )
          expect(erased).toBe(eraseBatchMax)
          tookMs.push(performance.now() - startedAtMs)
        }
        // PostgreSQL may plan a statement for any values from its sixth call on. Such a plan took a hundred times as long.
        const [early, late] = [tookMs.slice(0, 5), tookMs.slice(5)]
        expect(Math.min(...late)).toBeLessThan(5 * Math.max(...early))
      })
    )
  }
)
