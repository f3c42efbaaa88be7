import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { Seals, sealUnsealed } from "../../../src/evidence/Seals.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { TestSql } from "../../support/modeSql.ts"
import { greatestId } from "../../../src/storage/timeOrderedId.ts"
import { searchTexts } from "../../../src/storage/assessments/SearchIndex.ts"
import { SealFollower } from "../../../src/storage/facets/followSeals.ts"
import { searchSpanRows } from "../../../src/limits.ts"
import { superuser } from "../../support/eraser.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"
import { seed, tries } from "../../support/depth.ts"

const stored = 300
const texts = ["heron", "egret", "crane", "ibis"]
/** Common, less common, rare and rarest: once in this many assessments. */
const every = [1, 7, 40, 150]

const searchOf = (i: number): string => texts.filter((_, at) => i % (every[at] ?? 1) === 0).join(" ")

/** How many rows a search reads first, when it continues with the index, and how far it reads for what the index lacks. */
interface Steps {
  readonly lookedAt: number
  readonly lookedOnMax: number
  readonly lookedMax: number
  readonly byIndex: boolean
}

const rows = fc.integer({ min: 1, max: 2 * stored })
const steps: fc.Arbitrary<Steps> = fc.record({
  lookedAt: fc.oneof(fc.integer({ min: 1, max: 30 }), rows),
  lookedOnMax: rows,
  lookedMax: fc.oneof(fc.integer({ min: 1, max: 30 }), rows),
  byIndex: fc.constant(true)
})

/** Reads everything in order, without the index. */
const inTurn: fc.Arbitrary<Steps> = fc.constant({
  lookedAt: 2 ** 31 - 1,
  lookedOnMax: 1,
  lookedMax: 1,
  byIndex: false
})

interface Asked {
  readonly text: string
  /** The number of an assessment whose id is asked for in addition, as that of its action, of its request or its own. */
  readonly also: number | null
  readonly kind: "action" | "assessment" | "request"
  readonly limit: number
  /** The number of an assessment, or one above the last number. */
  readonly before: number
  readonly steps: Steps
}

const asked: fc.Arbitrary<Asked> = fc.record({
  text: fc.constantFrom(...texts, "stork"),
  also: fc.option(fc.nat(stored - 1)),
  kind: fc.constantFrom("action", "assessment", "request"),
  limit: fc.integer({ min: 1, max: 100 }),
  before: fc.integer({ min: 0, max: stored }),
  steps: fc.oneof({ weight: 4, arbitrary: steps }, { weight: 1, arbitrary: inTurn })
})

layer(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "the steps of a search",
  (it) => {
    it.effect(
      `find all that match, newest first, wherever each step ends and whatever the index knows; seed ${seed}`,
      () =>
        Effect.gen(function* () {
          const sql = yield* TestSql
          const { write } = yield* AssessmentRecords
          const owner: Owner = { organizationId: randomUUID(), mode: "test" }
          const other: Owner = { organizationId: randomUUID(), mode: "test" }
          const nowMicros = Date.now() * 1_000
          const records = Array.from({ length: stored }, (_, i) =>
            assessmentRecord(i, { search: searchOf(i), createdAtMicros: nowMicros + i })
          )
          const writeAll = (some: typeof records) =>
            Effect.forEach(some, (record) => write(owner, record, 10_000), { concurrency: "unbounded" })
          const seal = sealUnsealed("test").pipe(Effect.provide(Seals.layer))
          const put = Effect.flatMap(SealFollower, ({ follow }) =>
            follow(searchTexts, "test", [owner.organizationId, other.organizationId])
          ).pipe(Effect.provide(SealFollower.layer))
          const fillSpan = Effect.andThen(
            superuser,
            (all) => all`UPDATE search_spans SET rows = ${searchSpanRows}`
          )
          yield* write(other, assessmentRecord(stored, { search: texts.join(" ") }), 10_000)
          // Three spans, of which the second gets one more when the third has begun; then what is sealed alone, and what is not.
          const late = 105
          for (const part of [
            records.slice(0, 100),
            records.slice(100, 180).filter((_, i) => 100 + i !== late),
            [records[late] ?? assessmentRecord(late), ...records.slice(180, 260)]
          ]) {
            yield* writeAll(part)
            yield* seal
            expect(yield* put).toEqual({ left: [], busy: [] })
            yield* fillSpan.pipe(Effect.scoped)
          }
          yield* writeAll(records.slice(260, 280))
          yield* seal
          yield* writeAll(records.slice(280))
          const spans = sql`
            SELECT count(*)::int AS texts FROM search_texts WHERE organization_id = ${owner.organizationId}
            GROUP BY span ORDER BY span
          `
          expect(yield* spans).toEqual([{ texts: 100 }, { texts: 80 }, { texts: 80 }])

          const search = ({ also, kind, limit, steps, text }: Asked, before: string) => {
            const record = also === null ? undefined : records[also]
            const id =
              kind === "action" ? record?.actionId : kind === "assessment" ? record?.assessmentId : null
            return sql<{ readonly items_json: string | null; readonly last_id: string | null }>`
              SELECT items_json, last_id FROM search_assessments(${owner.organizationId}, ${before}, ${`%${text}%`},
                ${steps.byIndex ? text : null}, ${kind === "request" ? (record?.requestId ?? null) : null}, ${id ?? null},
                ${limit}, ${steps.lookedAt}, ${steps.lookedOnMax}, ${steps.lookedMax})
            `
          }
          const run = yield* Effect.context<never>()
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(asked, async (one) => {
                const found: Array<unknown> = []
                let before: string | null = records[one.before]?.assessmentId ?? greatestId
                while (before !== null) {
                  const [page]: ReadonlyArray<{
                    readonly items_json: string | null
                    readonly last_id: string | null
                  }> = await Effect.runPromiseWith(run)(search(one, before))
                  const items = JSON.parse(`[${page?.items_json ?? ""}]`)
                  expect(items.length).toBeLessThanOrEqual(one.limit)
                  // A page that ends early goes on: only where the index is behind.
                  if (page?.last_id != null && items.length < one.limit)
                    expect(one.steps.byIndex && one.steps.lookedMax < 40).toBe(true)
                  found.push(...items)
                  before = page?.last_id ?? null
                }
                const matching = records
                  .slice(0, one.before)
                  .filter((record, i) => record.search.includes(one.text) || i === one.also)
                  .toReversed()
                expect(found).toEqual(matching.map(({ item }) => item))
              }),
              { numRuns: tries(300) }
            )
          )
        })
    )
  }
)
