/** The history of one request is the same whether it is read alone or with others. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import {
  AssessmentRecords,
  writeParameters,
  writeStatement
} from "../../../src/storage/assessments/AssessmentRecords.ts"
import {
  todayParameters,
  type TodayQuery,
  type TodayRow,
  todayStatement
} from "../../../src/storage/behavior/todaysActivity.ts"
import { TestSql } from "../../support/modeSql.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { scaled } from "../../support/depth.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { baseline } from "../../support/baseline.ts"

const hourMs = 3_600_000

const write = fc.record({
  unit: fc.nat(8),
  agoHours: fc.oneof(fc.nat(3), fc.nat(50), fc.nat(40 * 24)),
  key: fc.option(fc.nat(3))
})

const question = fc.record({
  unit: fc.nat(10),
  key: fc.option(fc.nat(4)),
  windowDays: fc.constantFrom(1, 2, 30),
  evidenceHoursMin: fc.constantFrom(1, 6, 24, 48),
  changesOnly: fc.boolean(),
  heldDaysAgo: fc.option(fc.nat(4))
})

const pasts = fc.record({
  writes: fc.array(write, { maxLength: 25 }),
  questions: fc.array(question, { minLength: 1, maxLength: 6 }),
  withdrawn: fc.nat(8),
  corrected: fc.option(fc.record({ unit: fc.nat(8), entities: fc.integer({ min: -9, max: 9 }) })),
  revision: fc.option(fc.nat(5)),
  keysExpired: fc.boolean()
})

const queryOf = (
  organizationId: string,
  {
    changesOnly,
    evidenceHoursMin,
    heldDaysAgo,
    key,
    unit,
    windowDays
  }: typeof question extends fc.Arbitrary<infer A> ? A : never
): TodayQuery => {
  const { fingerprint, history } = assessmentRecord(unit)
  const held = heldDaysAgo === null ? {} : { heldUntil: dayBefore(heldDaysAgo) }
  return {
    organizationId,
    record: { ...history, changes: changesOnly },
    fingerprint,
    baseline: { ...baseline, windowDays, evidenceHoursMin },
    key: key === null ? null : `key ${key}`,
    ...held
  }
}

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 24 * hourMs).toISOString().slice(0, 10)

/** The rows were read a moment apart. */
const withoutMoment = (row: TodayRow): TodayRow => ({ ...row, at_micros: 0 })

layer(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("the history of a request that is read with others", (it) => {
  it.effect("is the history that it is read with alone", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const run = Effect.runPromiseWith(yield* Effect.context<TestSql>())
      const rowsOf = (queries: ReadonlyArray<TodayQuery>) =>
        Effect.map(sql.unsafe<TodayRow>(todayStatement, todayParameters(queries)), (rows) =>
          rows.map(withoutMoment)
        )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(pasts, async (past) => {
            const organizationId = randomUUID()
            const owner = { organizationId, mode: "test" as const }
            for (const { agoHours, key, unit } of past.writes) {
              const createdAtMicros = (Date.now() - agoHours * hourMs) * 1_000
              const idempotencyKey = key === null ? null : `key ${key}`
              const record = assessmentRecord(unit, { createdAtMicros, idempotencyKey })
              await run(sql.unsafe(writeStatement, writeParameters([{ owner, record }])))
            }
            const { fingerprint } = assessmentRecord(past.withdrawn)
            await run(sql`
              UPDATE units SET withdrawn = true WHERE organization_id = ${organizationId} AND fingerprint = ${fingerprint}
            `)
            if (past.corrected !== null)
              await run(sql`
                INSERT INTO outcome_sums
                SELECT organization_id, production, scope, name, hour, ${past.corrected.entities}::int, -1 FROM sums
                WHERE organization_id = ${organizationId}
              `)
            if (past.revision !== null)
              await run(sql`INSERT INTO baseline_revisions VALUES (${organizationId}, ${past.revision}::int)`)
            if (past.keysExpired)
              await run(sql`
                UPDATE idempotency_keys SET completed_at = now() - interval '24 hours 1 second'
                WHERE organization_id = ${organizationId} AND key > 'key 1'
              `)
            const queries = past.questions.map((one) => queryOf(organizationId, one))
            const alone: Array<unknown> = []
            for (const query of queries) alone.push(...(await run(rowsOf([query]))))
            expect(alone).toEqual(await run(rowsOf(queries)))
          }),
          { numRuns: scaled(25, 1_000) }
        )
      )
    })
  )
})
