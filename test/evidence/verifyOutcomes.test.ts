/** The chain of outcome events: intact as written, broken by any change, and kept when assessments are erased. */

import { expect, layer } from "@effect/vitest"
import { Data, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Outcomes } from "../../src/assessment/Outcomes.ts"
import type { Caller } from "../../src/domain/Caller.ts"
import type { OutcomeEventType } from "../../src/domain/OutcomeEvent.ts"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { type OutcomesVerification, verifyOutcomes } from "../../src/evidence/verifyOutcomes.ts"
import { oneGroup } from "../../src/storage/sql/groups.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { sqlState } from "../../src/storage/storageErrors.ts"
import { caller, requestId } from "../support/assessCall.ts"
import { eraser, sealAsOlder, superuser } from "../support/eraser.ts"
import { plainScorer } from "../support/plainScorer.ts"
import { assess, useCase } from "../support/useCase.ts"

const report = Effect.fnUntraced(function* (asker: Caller, id: string, type: OutcomeEventType) {
  const { report } = yield* Outcomes
  const call = { caller: asker, requestId: requestId(), idempotencyKey: null, event: { type } }
  return (yield* report(call, id)).body
})

/** Two assessments with two events each, in turn. */
const reported = Effect.gen(function* () {
  const asker = caller()
  const ids: Array<string> = []
  for (const entitiesAffected of [3, 4]) {
    const { body } = yield* assess({ caller: asker, action: { agentId: "a", entitiesAffected } })
    ids.push(JSON.parse(Buffer.from(body).toString()).assessment_id)
  }
  for (const type of ["person_agreed", "executed"] as const)
    for (const id of ids) yield* report(asker, id, type)
  return { asker, ids, owner: { organizationId: asker.organizationId, mode: asker.mode } }
})

class Undo extends Data.TaggedError("Undo")<{ readonly found: OutcomesVerification }> {}

/** Returns the verifier's finding after a superuser's statement, which is rolled back. */
const foundAfter = Effect.fnUntraced(function* (
  owner: { readonly organizationId: string; readonly mode: "test" | "live" },
  tamper: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>
) {
  const sql = yield* superuser
  const work = Effect.gen(function* () {
    yield* sql`SET LOCAL session_replication_role = replica`
    yield* tamper(sql)
    const found = yield* verifyOutcomes(owner).pipe(Effect.provide(Layer.succeed(ModeSql, oneGroup(sql))))
    return yield* new Undo({ found })
  })
  return yield* sql.withTransaction(work).pipe(Effect.catchTag("Undo", ({ found }) => Effect.succeed(found)))
}, Effect.scoped)

const services = Layer.merge(eraser, Outcomes.layer.pipe(Layer.provide(plainScorer()))).pipe(
  Layer.provideMerge(useCase())
)

layer(services)("the chain of outcome events", (it) => {
  it.effect("is whole as it was written, each organization's for itself", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* reported, yield* reported]
      for (const { owner } of [one, other])
        expect(yield* verifyOutcomes(owner)).toEqual({ sealed: 4, erased: 0, broken: null })
    })
  )

  it.effect("breaks at the first row that was changed, deleted, moved or put there", () =>
    Effect.gen(function* () {
      const { ids, owner } = yield* reported
      const org = owner.organizationId
      const at = (sequence: number | null) => ({ broken: { sequence } })
      const document = Buffer.from("{}")
      const tampered = [
        [1, (sql) => sql`UPDATE outcome_events SET document = ${document} WHERE organization_id = ${org}`],
        [
          1,
          (sql) => sql`UPDATE outcome_events SET independent = NOT independent WHERE organization_id = ${org}`
        ],
        [2, (sql) => sql`DELETE FROM outcome_events WHERE assessment_id = ${ids[1] ?? ""}`],
        [2, (sql) => sql`DELETE FROM outcome_seals WHERE organization_id = ${org} AND sequence = 1`],
        [
          3,
          (sql) =>
            sql`UPDATE outcome_seals SET leaf = ${Buffer.alloc(32)} WHERE organization_id = ${org} AND sequence = 3`
        ],
        [
          4,
          (sql) =>
            sql`UPDATE outcome_seals SET previous_digest = ${Buffer.alloc(32)} WHERE organization_id = ${org} AND sequence = 4`
        ],
        [
          null,
          (
            sql
          ) => sql`INSERT INTO outcome_events SELECT organization_id, assessment_id, ${randomUUID()}::uuid, type, independent,
            entities, usd_cents, document, salt, request_id, reported_by, request_digest, idempotency_key, created_at
            FROM outcome_events WHERE organization_id = ${org} LIMIT 1`
        ]
      ] satisfies ReadonlyArray<
        readonly [number | null, (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>]
      >
      for (const [sequence, tamper] of tampered)
        expect(yield* foundAfter(owner, tamper)).toMatchObject(at(sequence))
      expect(yield* verifyOutcomes(owner)).toMatchObject({ sealed: 4, broken: null })
    })
  )

  it.effect("keeps the seals of an erased assessment, whose events are gone for every reader", () =>
    Effect.gen(function* () {
      const { asker, ids, owner } = yield* reported
      yield* sealAsOlder
      const [gone = "", kept = ""] = ids
      yield* Eraser.use(({ erase }) => erase(owner, [gone], "request"))
      expect(yield* verifyOutcomes(owner)).toEqual({ sealed: 4, erased: 2, broken: null })
      const { list } = yield* Outcomes
      expect(yield* Effect.flip(list(asker, gone, requestId()))).toMatchObject({ code: "NOT_FOUND" })
      expect(yield* Effect.flip(report(asker, gone, "incident"))).toMatchObject({ code: "NOT_FOUND" })
      expect((yield* list(asker, kept, requestId())).data.length).toBe(2)
      yield* report(asker, kept, "incident")
      expect(yield* verifyOutcomes(owner)).toEqual({ sealed: 5, erased: 2, broken: null })
    })
  )

  it.effect("can be changed by no statement of the service, nor seen without naming its organization", () =>
    Effect.gen(function* () {
      const [{ owner }, other] = [yield* reported, yield* reported]
      const sql = (yield* ModeSql).for("test")
      for (const statement of [
        "UPDATE outcome_events SET type = 'executed'",
        "DELETE FROM outcome_events",
        "UPDATE outcome_seals SET sequence = sequence + 1",
        "DELETE FROM outcome_seals"
      ])
        expect(sqlState(yield* Effect.flip(sql.unsafe(statement)))).toBe("42501")
      for (const table of ["outcome_events", "outcome_seals"]) {
        const rowsFor = (organizationId: string) =>
          sql.withTransaction(
            Effect.andThen(
              sql`SELECT set_config('action_risk.organization', ${organizationId}, true)`,
              sql<{ readonly organization_id: string }>`SELECT DISTINCT organization_id FROM ${sql(table)}`
            )
          )
        for (const { organizationId } of [owner, other.owner])
          expect(yield* rowsFor(organizationId)).toEqual([{ organization_id: organizationId }])
        expect(yield* sql`SELECT FROM ${sql(table)}`).toEqual([])
        expect(yield* rowsFor("")).toEqual([])
      }
    })
  )
})
