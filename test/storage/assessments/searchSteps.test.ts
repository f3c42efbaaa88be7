import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { Seals, sealUnsealed } from "../../../src/evidence/Seals.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { TestSql } from "../../../src/storage/sql/Sql.ts"
import { greatestId } from "../../../src/storage/timeOrderedId.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { seed, tries } from "../../support/depth.ts"

const stored = 300
const texts = ["heron", "egret", "crane", "ibis"]
/** Common, less so, rare and rarest: every so many assessments. */
const every = [1, 7, 40, 150]

const searchOf = (i: number): string => texts.filter((_, at) => i % (every[at] ?? 1) === 0).join(" ")

/** Where a search looks first, how far it looks on, and how it goes on with the index. */
interface Steps {
  readonly lookedAt: number
  readonly lookedMax: number
  readonly stretch: number
  readonly byIndex: boolean
}

const steps: fc.Arbitrary<Steps> = fc.record({
  lookedAt: fc.integer({ min: 1, max: 2 * stored }),
  lookedMax: fc.integer({ min: 1, max: 2 * stored }),
  stretch: fc.integer({ min: 1, max: 2 * stored }),
  byIndex: fc.constant(true)
})

/** Everything in turn, without the index. */
const inTurn: fc.Arbitrary<Steps> = fc.constant({
  lookedAt: 2 ** 31 - 1,
  lookedMax: 1,
  stretch: 1,
  byIndex: false
})

interface Asked {
  readonly text: string
  readonly limit: number
  /** The number of an assessment, or one above the last number. */
  readonly before: number
  readonly steps: Steps
}

const asked: fc.Arbitrary<Asked> = fc.record({
  text: fc.constantFrom(...texts, "stork"),
  limit: fc.integer({ min: 1, max: 100 }),
  before: fc.integer({ min: 0, max: stored }),
  steps: fc.oneof({ weight: 4, arbitrary: steps }, { weight: 1, arbitrary: inTurn })
})

layer(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "the steps of a search",
  (it) => {
    it.effect(`find the newest that match, wherever each step ends, sealed or not; seed ${seed}`, () =>
      Effect.gen(function* () {
        const sql = yield* TestSql
        const { write } = yield* AssessmentRecords
        const owner: Owner = { organizationId: randomUUID(), mode: "test" }
        const other: Owner = { organizationId: randomUUID(), mode: "test" }
        const nowMicros = Date.now() * 1_000
        const records = Array.from({ length: stored }, (_, i) =>
          assessmentRecord(i, {
            search: searchOf(i),
            createdAtMicros: nowMicros + i
          })
        )
        const writeAll = (some: typeof records) =>
          Effect.forEach(some, (record) => write(owner, record, 10_000), { concurrency: "unbounded" })
        yield* write(other, assessmentRecord(stored, { search: texts.join(" ") }), 10_000)
        yield* writeAll(records.slice(0, stored - 20))
        yield* sealUnsealed("test").pipe(Effect.provide(Seals.layer))
        yield* writeAll(records.slice(stored - 20))

        const search = ({ before, limit, steps, text }: Asked) =>
          sql<{ readonly items_json: string | null; readonly last_id: string | null }>`
            SELECT items_json, last_id FROM search_assessments(${owner.organizationId},
              ${records[before]?.assessmentId ?? greatestId}, ${`%${text}%`}, ${null}, ${null}, ${limit},
              ${steps.lookedAt}, ${steps.lookedMax}, ${steps.stretch}, ${steps.byIndex})
          `
        const run = yield* Effect.context<never>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(asked, async (one) => {
              const [page] = await Effect.runPromiseWith(run)(search(one))
              const matching = records
                .slice(0, one.before)
                .filter(({ search: held }) => held.includes(one.text))
                .toReversed()
              const shown = matching.slice(0, one.limit)
              expect(JSON.parse(`[${page?.items_json ?? ""}]`)).toEqual(shown.map(({ item }) => item))
              expect(page?.last_id).toBe(matching.length > one.limit ? shown.at(-1)?.assessmentId : null)
            }),
            { numRuns: tries(300) }
          )
        )
      })
    )
  }
)
