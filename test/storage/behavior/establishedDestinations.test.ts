/** The established destinations of a past that is read in pages. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { writeParameters, writeStatement } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { readEstablished } from "../../../src/storage/behavior/BehaviorSnapshots.ts"
import { sha256 } from "../../../src/storage/sha256.ts"
import { TestSql } from "../../support/modeSql.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { baseline } from "../../support/baseline.ts"

const dayMs = 86_400_000
const now = Date.UTC(2026, 0, 16, 12)

layer(TestDatabase.layer)("established destinations", (it) => {
  it.effect(
    "are the same however many rows a page has, the latest first, and none that only reads have seen",
    () =>
      Effect.gen(function* () {
        const organizationId = randomUUID()
        const owner = { organizationId, mode: "test" as const }
        /** On this many days, the last one this many days ago. */
        const seen = (destinationKey: string, days: number, last: number, changes = true) =>
          Array.from({ length: days }, (_, i) => ({
            owner,
            record: assessmentRecord(i, {
              fingerprint: sha256(destinationKey),
              createdAtMicros: (now - (last + i) * dayMs) * 1_000,
              history: { destinationKey, changes, production: true }
            })
          }))
        const sql = yield* TestSql
        yield* sql.unsafe(
          writeStatement,
          writeParameters([
            ...seen("a", 3, 5),
            ...seen("b", 2, 2),
            ...seen("c", 6, 2),
            ...seen("d", 6, 2, false),
            ...seen("e", 3, 5),
            // Too long ago, and too late.
            ...seen("f", 6, 30),
            ...seen("g", 3, 0)
          ])
        )
        const query = {
          organizationId,
          production: true,
          changesOnly: true,
          baseline,
          until: "2026-01-15",
          atMicros: now * 1_000
        }
        for (const pageRows of [7, 8, 9, 12, 29, 30, 1_000])
          expect(yield* readEstablished(sql, query, pageRows)).toEqual(["c", "a", "e"])
        const read = { ...query, changesOnly: false }
        expect(yield* readEstablished(sql, read, 10)).toEqual(["c", "d", "a", "e"])
        expect(yield* readEstablished(sql, { ...query, production: false })).toEqual([])
      })
  )
})
