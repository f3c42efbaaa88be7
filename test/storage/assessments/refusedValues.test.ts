/** The values of an assessment are checked as they enter the database: no table checks them again. */

import { expect, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { randomUUID } from "node:crypto"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { TestSql } from "../../support/modeSql.ts"
import { sqlState } from "../../../src/storage/storageErrors.ts"
import { assessmentRecord, type Overrides } from "../../support/assessmentRecord.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const short = new Uint8Array(31)

const ill: Readonly<Record<string, Overrides>> = {
  "a result's digest": { resultDigest: short },
  "an input's digest": { inputDigest: short },
  "a release's digest": { rulesDigest: short },
  "a policy's digest": { policyDigest: new Uint8Array(33) },
  "a fingerprint": { fingerprint: short },
  "a salt": { salt: new Uint8Array(17) },
  "stated entities": { history: { statedEntities: -1 } },
  "a stated amount": { history: { statedUsdCents: -1 } },
  "scored entities": { history: { scoredEntities: -1 } },
  "a scored amount": { history: { scoredUsdCents: -1 } }
}

const checkViolation = "23514"

const stateOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: sqlState })

layer(TestDatabase.layer, { excludeTestServices: true })("a write", (it) => {
  it.effect("refuses digests, salts and figures that cannot be", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const owner = { organizationId: randomUUID(), mode: "test" as const }
      const refused = yield* Effect.forEach(Object.entries(ill), ([name, overrides]) =>
        Effect.map(
          stateOf(
            sql.unsafe(writeStatement, writeParameters([{ owner, record: assessmentRecord(1, overrides) }]))
          ),
          (state) => [name, state]
        )
      )
      expect(refused).toEqual(Object.keys(ill).map((name) => [name, checkViolation]))
      const [row] = yield* sql`
          SELECT count(*)::int AS stored FROM assessments WHERE organization_id = ${owner.organizationId}`
      expect(row).toEqual({ stored: 0 })
    })
  )

  it.effect("opens a review, which is then closed whole or not at all", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const owner = { organizationId: randomUUID(), mode: "test" as const }
      const record = assessmentRecord(1, { level: "high" })
      yield* sql.unsafe(writeStatement, writeParameters([{ owner, record }]))
      const change = (to: string) =>
        stateOf(sql.unsafe(`UPDATE reviews SET ${to} WHERE assessment_id = $1::uuid`, [record.assessmentId]))
      for (const half of [
        "outcome = 'escalated'",
        "closed_at = now()",
        "note = 'why'",
        "closed_by = gen_random_uuid()",
        "outcome = 'unheard of', closed_at = now()",
        "outcome = 'escalated', closed_at = now(), closed_by_name = 'nobody'"
      ])
        expect([half, yield* change(half)]).toEqual([half, checkViolation])
      expect(yield* change("outcome = 'escalated', closed_at = now(), note = 'why'")).toBe("done")

      const closed = yield* Effect.exit(sql`
        INSERT INTO reviews (organization_id, assessment_id, opened_at, closed_at, outcome)
        VALUES (${owner.organizationId}, ${randomUUID()}, now(), now(), 'escalated')`)
      expect(Exit.isFailure(closed)).toBe(true)
    })
  )
})
