/** How texts are added to the search index: a few at a time, with an even share for each organization. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { Eraser } from "../../../src/evidence/Eraser.ts"
import { sealUnsealed } from "../../../src/evidence/Seals.ts"
import { searchBatchBytes, searchBatchMax, searchSpanRows } from "../../../src/limits.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { searchTexts } from "../../../src/storage/assessments/SearchIndex.ts"
import { SealFollower } from "../../../src/storage/facets/followSeals.ts"
import { TestSql } from "../../support/modeSql.ts"
import { eraser, superuser } from "../../support/eraser.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"

const ownerOf = (): Owner => ({ organizationId: randomUUID(), mode: "test" })

const store = Effect.fnUntraced(function* (owner: Owner, texts: ReadonlyArray<string>) {
  const { write } = yield* AssessmentRecords
  const nowMicros = Date.now() * 1_000
  yield* Effect.forEach(
    texts,
    (search, i) => write(owner, assessmentRecord(i, { search, createdAtMicros: nowMicros + i }), 10_000),
    { concurrency: 64 }
  )
  yield* sealUnsealed("test")
})

const indexed = Effect.fnUntraced(function* ({ organizationId }: Owner) {
  const sql = yield* TestSql
  const [row] = yield* sql<{ readonly rows: number; readonly bytes: number }>`
    SELECT count(*)::int AS rows, coalesce(sum(octet_length(search)), 0)::int AS bytes FROM search_texts
    WHERE organization_id = ${organizationId}
  `
  return row ?? { rows: 0, bytes: 0 }
})

/** No two of them share many trigrams, which is the slowest case for the index. */
const hostileBytes = 6_000
const hostileText = () => randomBytes(hostileBytes / 2).toString("hex")

layer(Layer.mergeAll(AssessmentRecords.layer, eraser).pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true,
  timeout: "120 seconds"
})("the index of searches", (it) => {
  it.effect("takes an even share of each organization's texts at a time, however long one's are", () =>
    Effect.gen(function* () {
      const { follow } = yield* SealFollower
      const [long, short] = [ownerOf(), ownerOf()]
      yield* store(long, Array.from({ length: 40 }, hostileText))
      yield* store(
        short,
        Array.from({ length: 200 }, () => "a heron")
      )
      const both = [long.organizationId, short.organizationId]
      expect(yield* follow(searchTexts, "test", both)).toEqual({ left: [long.organizationId], busy: [] })
      const first = yield* indexed(long)
      expect(first.bytes).toBeGreaterThan(0)
      expect(first.bytes).toBeLessThanOrEqual(searchBatchBytes.first / 2)
      expect((yield* indexed(short)).rows).toBe(200)
      for (let isLeft = true; isLeft;) {
        const before = yield* indexed(long)
        isLeft = (yield* follow(searchTexts, "test", both)).left.length > 0
        expect((yield* indexed(long)).rows).toBeGreaterThan(before.rows)
      }
      expect((yield* indexed(long)).rows).toBe(40)
      expect(yield* follow(searchTexts, "test", both)).toEqual({ left: [], busy: [] })
    }).pipe(Effect.provide(SealFollower.layer))
  )

  it.effect("goes on past a text that is longer than its share, and past more rows than fit", () =>
    Effect.gen(function* () {
      const { follow } = yield* SealFollower
      const owners = Array.from({ length: 16 }, ownerOf)
      for (const owner of owners) yield* store(owner, [hostileText(), "a heron"])
      const organizations = owners.map(({ organizationId }) => organizationId)
      expect(searchBatchBytes.first / owners.length).toBeLessThan(hostileBytes)
      expect((yield* follow(searchTexts, "test", organizations)).left.toSorted()).toEqual(
        organizations.toSorted()
      )
      for (const owner of owners) expect((yield* indexed(owner)).rows).toBe(1)
      expect(yield* follow(searchTexts, "test", organizations)).toEqual({ left: [], busy: [] })
      for (const owner of owners) expect((yield* indexed(owner)).rows).toBe(2)

      const many = ownerOf()
      yield* store(
        many,
        Array.from({ length: searchBatchMax + 1 }, () => "a crane")
      )
      expect(yield* follow(searchTexts, "test", [many.organizationId])).toEqual({
        left: [many.organizationId],
        busy: []
      })
      expect((yield* indexed(many)).rows).toBe(searchBatchMax)
      expect(yield* follow(searchTexts, "test", [many.organizationId])).toEqual({ left: [], busy: [] })
      expect((yield* indexed(many)).rows).toBe(searchBatchMax + 1)
    }).pipe(Effect.provide(SealFollower.layer))
  )

  it.effect(
    "finds what was sealed late, also where everything near it is erased, and next to an id of the future",
    () =>
      Effect.gen(function* () {
        const { follow } = yield* SealFollower
        const { search, write } = yield* AssessmentRecords
        const owner = ownerOf()
        const nowMicros = Date.now() * 1_000
        const records = Array.from({ length: 100 }, (_, i) =>
          assessmentRecord(i, {
            search: i === 20 ? "a heron" : "a crane",
            createdAtMicros: nowMicros - 3_600_000_000 + i
          })
        )
        const ahead = assessmentRecord(0, { search: "a crane", createdAtMicros: nowMicros + 86_400_000_000 })
        const put = Effect.fnUntraced(function* (some: typeof records) {
          yield* Effect.forEach(some, (record) => write(owner, record, 10_000))
          yield* sealUnsealed("test")
          expect(yield* follow(searchTexts, "test", [owner.organizationId])).toEqual({ left: [], busy: [] })
          yield* Effect.andThen(
            superuser,
            (all) => all`UPDATE search_spans SET rows = ${searchSpanRows}`
          ).pipe(Effect.scoped)
        })
        const early = records.slice(0, 30).filter((_, i) => i !== 20)
        yield* put([...early, ahead])
        yield* put(records.slice(30))
        const erased = early.map(({ assessmentId }) => assessmentId)
        expect(yield* Eraser.use(({ erase }) => erase(owner, erased, "request"))).toBe(erased.length)
        yield* put(records.slice(20, 21))
        const found = yield* search(owner, { limit: 5, before: undefined }, "heron", 5_000)
        expect(found).toEqual({ itemsJson: JSON.stringify(records[20]?.item), lastId: null })
        const sql = yield* TestSql
        const spans = sql`SELECT count(*)::int AS count FROM search_spans WHERE organization_id = ${owner.organizationId}`
        expect(yield* spans).toEqual([{ count: 3 }])
      }).pipe(Effect.provide(SealFollower.layer))
  )

  it.effect("keeps no samples of texts for plans", () =>
    Effect.gen(function* () {
      const { follow } = yield* SealFollower
      const owner = ownerOf()
      yield* store(
        owner,
        Array.from({ length: 100 }, (_, i) => `person-${i % 10}@example.com`)
      )
      expect(yield* follow(searchTexts, "test", [owner.organizationId])).toEqual({ left: [], busy: [] })
      const samples = Effect.gen(function* () {
        const sql = yield* superuser
        yield* sql`ANALYZE search_texts`
        return yield* sql`
          SELECT attname FROM pg_stats WHERE tablename IN ('search_texts', 'search_texts_by_gram')
            AND (attname = 'search' OR tablename = 'search_texts_by_gram')
        `
      })
      expect(yield* samples.pipe(Effect.scoped)).toEqual([])
    }).pipe(Effect.provide(SealFollower.layer))
  )
})
