import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Result } from "effect"
import { randomUUID } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Assessments } from "../../src/assessment/Assessments.ts"
import { webhookEventTypes } from "../../src/domain/WebhookEvent.ts"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { sealUnsealed } from "../../src/evidence/Seals.ts"
import { countsKeptDays, searchSpanRows } from "../../src/limits.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadRelease } from "../../src/rules/release/loadRelease.ts"
import { searchTexts } from "../../src/storage/assessments/SearchIndex.ts"
import { SealFollower } from "../../src/storage/facets/followSeals.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { sqlState } from "../../src/storage/storageErrors.ts"
import { caller } from "../support/assessCall.ts"
import { eraser, makeOlder, sealAsOlder, superuser } from "../support/eraser.ts"
import { listOf } from "../support/jsonOf.ts"
import { storeEndpoint } from "../support/outbox.ts"
import { untilLockWaited } from "../support/untilLockWaited.ts"
import { assess, useCase } from "../support/useCase.ts"

const agentId = "jane@example.com"

/** A caller whose endpoint receives everything, and its answers about Jane: with history, and without. */
const askedAboutJane = Effect.gen(function* () {
  const asker = caller()
  const endpoint = { endpointId: randomUUID(), events: webhookEventTypes, leastRank: 0, enabled: true }
  yield* storeEndpoint("test", { organizationId: asker.organizationId, ...endpoint })
  const ask = (drill: "incomplete" | null, idempotencyKey: string) =>
    assess({ caller: asker, action: { agentId, destination: agentId }, drill, idempotencyKey })
  const ids: Array<string> = []
  for (const answer of [yield* ask(null, "one"), yield* ask("incomplete", "two")])
    ids.push(JSON.parse(Buffer.from(answer.body).toString()).assessment_id)
  yield* sealAsOlder
  return { asker, ask, ids }
})

/** Rows of an organization by table. */
const rowsOf = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* superuser
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'test' AND column_name = 'organization_id' ORDER BY 1
  `
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const rows = yield* sql<{ readonly text: string }>`
      SELECT row_to_json(of)::text AS text FROM ${sql(name)} AS of WHERE organization_id = ${organizationId}
    `
    counts[name] = rows.length
  }
  return counts
}, Effect.scoped)

layer(Layer.merge(eraser, SealFollower.layer).pipe(Layer.provideMerge(useCase())))("an erasure", (it) => {
  it.effect(
    "leaves only the entry and the counts of an assessment, and changes nothing of other assessments",
    () =>
      Effect.gen(function* () {
        const { erase } = yield* Eraser
        const jane = yield* askedAboutJane
        const other = yield* askedAboutJane
        const [before, others] = [
          yield* rowsOf(jane.asker.organizationId),
          yield* rowsOf(other.asker.organizationId)
        ]
        const owner = { ...jane.asker, mode: "test" } as const
        expect(yield* erase(owner, [...jane.ids, ...other.ids], "request")).toBe(2)
        expect(yield* rowsOf(jane.asker.organizationId)).toEqual({
          ...before,
          assessments: 0,
          history: 0,
          idempotency_keys: 0,
          reviews: 0,
          webhook_deliveries: 0,
          webhook_events: 0,
          erasures: 2
        })
        for (const table of [
          "history",
          "reviews",
          "webhook_deliveries",
          "webhook_events",
          "idempotency_keys"
        ])
          expect(before[table]).toBeGreaterThan(0)
        expect(yield* rowsOf(other.asker.organizationId)).toEqual(others)
        expect(yield* erase(owner, jane.ids, "request")).toBe(0)
      })
  )

  it.effect("makes the assessment unknown to every reader, and its idempotency key free", () =>
    Effect.gen(function* () {
      const { ask, asker, ids } = yield* askedAboutJane
      const { get, list } = yield* Assessments
      yield* Eraser.use(({ erase }) => erase(asker, ids, "request"))
      expect(yield* Effect.flip(get(asker, ids[0] ?? ""))).toMatchObject({ code: "NOT_FOUND" })
      for (const q of [null, "jane@", ids[0] ?? ""]) {
        const { body } = yield* list(asker, { limit: 10, cursor: null, q }, "req_")
        expect(listOf(body).data).toEqual([])
      }
      const again = yield* ask(null, "one")
      expect(again.replayed).toBe(false)
      expect(ids).not.toContain(JSON.parse(Buffer.from(again.body).toString()).assessment_id)
      expect((yield* ask(null, "one")).replayed).toBe(true)
    })
  )

  it.effect(
    "does not reduce what later opinions know: the agent is still known, and its actions still count",
    () =>
      Effect.gen(function* () {
        const asker = caller()
        const ask = assess({ caller: asker, action: { agentId, entitiesAffected: 9_000 } })
        const first = JSON.parse(Buffer.from((yield* ask).body).toString())
        yield* sealAsOlder
        const sql = (yield* ModeSql).for("test")
        const counts = sql`SELECT * FROM sums WHERE organization_id = ${asker.organizationId}`
        const before = yield* counts
        yield* Eraser.use(({ erase }) => erase(asker, [first.assessment_id], "request"))
        expect(yield* counts).toEqual(before)
        const later = JSON.parse(Buffer.from((yield* ask).body).toString())
        expect(later.behavioral_context.action_type_seen_before).toBe(
          first.behavioral_context.action_type_seen_before
        )
        expect(later.action_risk.score).toBeGreaterThanOrEqual(first.action_risk.score)
      })
  )

  it.effect("waits until an assessment is sealed and no attempt to store it can be in progress", () =>
    Effect.gen(function* () {
      const asker = caller()
      const { erase } = yield* Eraser
      const assessed = Effect.map(
        assess({ caller: asker }),
        ({ body }) => JSON.parse(Buffer.from(body).toString()).assessment_id
      )
      const old = yield* assessed
      yield* makeOlder
      expect(yield* erase(asker, [old], "request")).toBe(0)
      const young = yield* assessed
      yield* sealUnsealed("test")
      expect(yield* erase(asker, [young], "request")).toBe(0)
      expect(yield* erase(asker, [old, young], "request")).toBe(1)
    })
  )

  it.effect("runs again after a deadlock, or after a lock that it could not have", () =>
    Effect.gen(function* () {
      const { asker, ids } = yield* askedAboutJane
      const { erase } = yield* Eraser
      const sql = yield* superuser
      const held = yield* Deferred.make<void>()
      const erasing = yield* Deferred.await(held).pipe(
        Effect.andThen(erase(asker, ids, "request")),
        Effect.forkChild({ startImmediately: true })
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          const of = sql`organization_id = ${asker.organizationId}`
          yield* sql`SET LOCAL deadlock_timeout = '60s'`
          yield* sql`SELECT FROM webhook_deliveries WHERE ${of} FOR UPDATE`
          yield* Deferred.succeed(held, undefined)
          yield* untilLockWaited(sql)
          // The eraser looks for a deadlock first, or has waited long enough before there is one.
          yield* sql`SELECT FROM assessments WHERE ${of} FOR UPDATE`
        })
      )
      expect(yield* Fiber.join(erasing)).toBe(2)
    })
  )

  it.effect("is impossible for the serving role, and for the owner without a record of it", () =>
    Effect.gen(function* () {
      const { asker, ids } = yield* askedAboutJane
      const [erased = "", kept = ""] = ids
      yield* Eraser.use(({ erase }) => erase(asker, [erased], "request"))
      const sql = (yield* ModeSql).for("test")
      const owner = yield* superuser
      const refusedToAll = [
        `DELETE FROM assessments WHERE assessment_id = '${kept}'`,
        `UPDATE assessments SET input = '', salt = '' WHERE assessment_id = '${kept}'`,
        "TRUNCATE assessments",
        `UPDATE erasures SET reason = 'retention' WHERE assessment_id = '${erased}'`,
        `DELETE FROM erasures WHERE assessment_id = '${erased}'`,
        "TRUNCATE erasures",
        `UPDATE seals SET sequence = 9 WHERE assessment_id = '${erased}'`
      ]
      const refusedToServing = `INSERT INTO erasures SELECT organization_id, '${kept}', created_at, rules_digest,
        policy_digest, erased_at, reason, public_key, signature FROM erasures WHERE assessment_id = '${erased}'`
      for (const statement of [...refusedToAll, refusedToServing])
        expect([statement, sqlState(yield* Effect.flip(sql.unsafe(statement)))]).toEqual([statement, "42501"])
      for (const statement of refusedToAll)
        expect([statement, sqlState(yield* Effect.flip(owner.unsafe(statement)))]).toEqual([
          statement,
          "42501"
        ])
      // A record that differs from the row does not permit a deletion either.
      yield* owner.unsafe(refusedToServing.replace("created_at,", "created_at - interval '1 s',"))
      expect(
        sqlState(yield* Effect.flip(owner.unsafe(`DELETE FROM assessments WHERE assessment_id = '${kept}'`)))
      ).toBe("42501")
    })
  )

  it.effect("is refused whole where one of many has no record", () =>
    Effect.gen(function* () {
      const { asker, ids } = yield* askedAboutJane
      const owner = yield* superuser
      const [recorded = ""] = ids
      const all = owner`SELECT FROM assessments WHERE organization_id = ${asker.organizationId}`
      yield* owner`
        INSERT INTO erasures (organization_id, assessment_id, created_at, rules_digest, policy_digest, erased_at, reason,
          public_key, signature)
        SELECT organization_id, assessment_id, created_at, rules_digest, policy_digest, now(), 'request', '',
          decode(repeat('00', 64), 'hex')
        FROM assessments WHERE assessment_id = ${recorded}
      `
      const deleteAll = owner`DELETE FROM assessments WHERE organization_id = ${asker.organizationId}`
      expect(sqlState(yield* Effect.flip(deleteAll))).toBe("42501")
      expect(yield* all).toHaveLength(2)
      yield* owner`DELETE FROM assessments WHERE assessment_id = ${recorded}`
      expect(yield* all).toHaveLength(1)
    })
  )

  it.effect("takes texts out of the index of searches, and spans of ids that have none left", () =>
    Effect.gen(function* () {
      const { ask, asker, ids } = yield* askedAboutJane
      const { erase } = yield* Eraser
      const sql = yield* superuser
      const putTexts = Effect.flatMap(SealFollower, ({ follow }) =>
        follow(searchTexts, "test", [asker.organizationId])
      )
      const texts = sql`SELECT FROM search_texts WHERE organization_id = ${asker.organizationId}`
      const spans = sql`SELECT FROM search_spans WHERE organization_id = ${asker.organizationId}`
      const counted = Effect.map(Effect.all([texts, spans]), (both) => both.map((rows) => rows.length))
      const found = Effect.gen(function* () {
        const { list } = yield* Assessments
        const { body } = yield* list(asker, { limit: 10, cursor: null, q: "jane@" }, "req_")
        return listOf(body).data.length
      })
      expect(yield* putTexts).toEqual({ left: [], busy: [] })
      // A text after a full span begins a new one.
      const later: Array<string> = []
      for (const key of ["later", "last"]) {
        yield* sql`UPDATE search_spans SET rows = ${searchSpanRows} WHERE organization_id = ${asker.organizationId}`
        const { body } = yield* ask(null, key)
        later.push(JSON.parse(Buffer.from(body).toString()).assessment_id)
        yield* sealAsOlder
        expect(yield* putTexts).toEqual({ left: [], busy: [] })
      }
      expect([yield* counted, yield* found]).toEqual([[4, 3], 4])
      expect(yield* erase(asker, later.slice(0, 1), "request")).toBe(1)
      expect([yield* counted, yield* found]).toEqual([[3, 2], 3])
      // The oldest stays for late seals.
      expect(yield* erase(asker, ids, "request")).toBe(2)
      expect([yield* counted, yield* found]).toEqual([[1, 2], 1])
    })
  )

  it.effect("deletes the names in counts that no snapshot reads any more", () =>
    Effect.gen(function* () {
      const { asker } = yield* askedAboutJane
      const sql = yield* superuser
      const sightings = sql`SELECT * FROM sightings WHERE organization_id = ${asker.organizationId}`
      const { forgetCounts } = yield* Eraser
      const recent = yield* sightings
      yield* forgetCounts(asker)
      expect(yield* sightings).toEqual(recent)
      yield* sql`UPDATE sightings SET day = day - ${countsKeptDays + 1}::int WHERE organization_id = ${asker.organizationId}`
      yield* forgetCounts(asker)
      expect(yield* sightings).toEqual([])
      const releases = readdirSync(join(packageRoot, "rules/releases")).filter((name) => /^\d/.test(name))
      for (const name of releases) {
        const { model } = Result.getOrThrow(loadRelease(packageRoot, name.replace(".json", "")))
        expect(model.numbers.behavior.windowDays).toBeLessThan(countsKeptDays)
      }
    })
  )
})
