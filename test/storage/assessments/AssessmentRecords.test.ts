import { expect, layer } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Seals, sealUnsealed } from "../../../src/evidence/Seals.ts"
import { searchedFirstRows, storageReadMsMax } from "../../../src/limits.ts"
import type { Owner } from "../../../src/storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../../../src/storage/assessments/AssessmentRecords.ts"
import { searchText } from "../../../src/storage/assessments/listAssessments.ts"
import { searchTexts } from "../../../src/storage/assessments/SearchIndex.ts"
import { SealFollower } from "../../../src/storage/facets/followSeals.ts"
import { TestSql } from "../../support/modeSql.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { assessmentRecord } from "../../support/assessmentRecord.ts"

const organizationId = randomUUID()

/** One key per age. */
const insertKeys = Effect.fnUntraced(function* (agesHours: Arr.NonEmptyReadonlyArray<number>) {
  const sql = yield* TestSql
  yield* sql`INSERT INTO idempotency_keys ${sql.insert(
    Arr.map(agesHours, (hours) => ({
      organization_id: organizationId,
      key: `${hours} h`,
      input_digest: new Uint8Array(32),
      assessment_id: randomUUID(),
      completed_at: new Date(Date.now() - hours * 3_600_000)
    }))
  )}`
})

const ownerOf = (): Owner => ({ organizationId: randomUUID(), mode: "test" })

/** Stores one assessment for each text that can be searched, oldest first. Returns their ids, newest first. */
const store = Effect.fnUntraced(function* (owner: Owner, texts: ReadonlyArray<string>) {
  const { write } = yield* AssessmentRecords
  const nowMicros = Date.now() * 1_000
  const records = texts.map((search, i) => assessmentRecord(i, { search, createdAtMicros: nowMicros + i }))
  yield* Effect.forEach(records, (record) => write(owner, record, 10_000), { concurrency: "unbounded" })
  return records.map(({ assessmentId }) => assessmentId).toReversed()
})

/** Seals what is stored, and adds it to the search index. */
const putTexts = Effect.fnUntraced(
  function* ({ organizationId }: Owner) {
    yield* sealUnsealed("test")
    const { follow } = yield* SealFollower
    expect(yield* follow(searchTexts, "test", [organizationId])).toEqual({ left: [], busy: [] })
  },
  Effect.provide(Layer.merge(Seals.layer, SealFollower.layer))
)

/** Reads pages of two, each after the one before. Returns the last ids of the pages. */
const walk = Effect.fnUntraced(function* (owner: Owner, text: string) {
  const { search } = yield* AssessmentRecords
  const ends: Array<string> = []
  for (let before: string | undefined; ;) {
    const { itemsJson, lastId } = yield* search(owner, { limit: 2, before }, text, storageReadMsMax)
    const items: ReadonlyArray<unknown> = JSON.parse(`[${itemsJson}]`)
    if (lastId === null) return { ends, left: items.length }
    ends.push(lastId)
    before = lastId
  }
})

layer(AssessmentRecords.layer.pipe(Layer.provideMerge(TestDatabase.layer)))("AssessmentRecords", (it) => {
  it.effect("only expired keys are deleted, the oldest first, and a bounded number at once", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const records = yield* AssessmentRecords
      yield* insertKeys([1, 23.9, 24.1, 30, 50])
      const keys = Effect.map(sql<{ key: string }>`SELECT key FROM idempotency_keys ORDER BY key`, (rows) =>
        rows.map(({ key }) => key)
      )
      expect(yield* records.deleteExpiredKeys("test", 2)).toBe(2)
      expect(yield* keys).toEqual(["1 h", "23.9 h", "24.1 h"])
      expect(yield* records.deleteExpiredKeys("test", 2)).toBe(1)
      expect(yield* records.deleteExpiredKeys("test", 2)).toBe(0)
      expect(yield* keys).toEqual(["1 h", "23.9 h"])
      expect(yield* records.deleteExpiredKeys("live", 2)).toBe(0)
    })
  )

  it.effect("the search of lists is backed by an index", () =>
    Effect.gen(function* () {
      const sql = yield* TestSql
      const indexes = yield* sql`
        SELECT amname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
        WHERE relname = 'search_texts_by_gram' AND indisvalid
      `
      expect(indexes).toEqual([{ amname: "gin" }, { amname: "gin" }])
    })
  )

  for (const [name, others] of [
    ["newest rows", 0],
    ["rows after them", searchedFirstRows - 1],
    ["index", searchedFirstRows + 1]
  ] as const) {
    it.effect(`a search that the ${name} answer is paged, newest first`, () =>
      Effect.gen(function* () {
        const owner = ownerOf()
        const ids = yield* store(owner, [
          ...Array.from({ length: 5 }, () => "a heron"),
          ...Array.from({ length: others }, () => "a crane")
        ])
        if (name === "index") yield* putTexts(owner)
        const herons = ids.slice(others)
        expect(yield* walk(owner, "heron")).toEqual({ ends: [herons[1], herons[3]], left: 1 })
        expect(yield* walk(owner, "egret")).toEqual({ ends: [], left: 0 })
      })
    )
  }

  it.effect("a search through the index is for the whole text, whatever its letters, signs and length", () =>
    Effect.gen(function* () {
      const owner = ownerOf()
      const found = ["50% off_season", "κόσμος und größe", "日", "🦩".repeat(60), `${"long ".repeat(23)}end`]
      const near = [
        "50 percent off season",
        "κοσμος und grosse",
        "曰",
        "🦩".repeat(59),
        `${"long ".repeat(23)}and`
      ]
      yield* store(owner, [
        ...[...found, ...near].map((text) => searchText([text])),
        ...Array.from({ length: searchedFirstRows + 1 }, () => "a crane")
      ])
      yield* putTexts(owner)
      for (const text of found)
        expect([text, yield* walk(owner, text)]).toEqual([text, { ends: [], left: 1 }])
      expect(yield* walk(owner, "a\u001Fcrane")).toEqual({ ends: [], left: 0 })
      // The index cannot help with two bytes, so everything is read.
      expect(yield* walk(owner, "é")).toEqual({ ends: [], left: 0 })
      expect((yield* walk(owner, "ό")).left).toBe(1)
    })
  )

  it.effect("every concurrent lookup and page gets its own rows", () =>
    Effect.gen(function* () {
      const { find, page } = yield* AssessmentRecords
      const [one, other] = [ownerOf(), ownerOf()]
      const [ids, foreign] = [yield* store(one, Array(7).fill("a")), yield* store(other, Array(3).fill("b"))]
      const asked = [...ids, ...foreign, randomUUID()]
      const found = yield* Effect.forEach(asked, (id) => find(one, id, storageReadMsMax), {
        concurrency: "unbounded"
      })
      expect(found.map((stored) => stored?.assessmentId)).toEqual([
        ...ids,
        ...Array.from({ length: foreign.length + 1 })
      ])
      const pages = yield* Effect.all(
        [
          page(one, { limit: 7, before: undefined }, storageReadMsMax),
          page(other, { limit: 2, before: undefined }, storageReadMsMax),
          page(one, { limit: 2, before: ids[1] }, storageReadMsMax),
          page(ownerOf(), { limit: 2, before: undefined }, storageReadMsMax)
        ],
        { concurrency: "unbounded" }
      )
      expect(pages.map(({ itemsJson, lastId }) => [JSON.parse(`[${itemsJson}]`).length, lastId])).toEqual([
        [7, null],
        [2, foreign[1]],
        [2, ids[3]],
        [0, null]
      ])
    })
  )
})
