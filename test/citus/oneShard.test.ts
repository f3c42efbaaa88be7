/** Where the tables of a distributed database are, what its roles may do there, and that a hot call reaches one shard. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { modes } from "../../src/domain/Caller.ts"
import { organizationGroups } from "../../src/limits.ts"
import { selectPages } from "../../src/storage/assessments/listAssessments.ts"
import {
  selectEvidence,
  writeParameters,
  writeStatement
} from "../../src/storage/assessments/AssessmentRecords.ts"
import { todayParameters, todayStatement } from "../../src/storage/behavior/todaysActivity.ts"
import { schemaOfGroup } from "../../src/storage/Database.ts"
import { selectReviewPage } from "../../src/storage/ReviewRecords.ts"
import { distributedParameters } from "../../src/storage/sql/roleClient.ts"
import { sqlState } from "../../src/storage/storageErrors.ts"
import { claimStart, claimStatement } from "../../src/storage/webhooks/ClaimedDelivery.ts"
import { actionRisk } from "../support/actionRisk.ts"
import { assessmentRecord } from "../support/assessmentRecord.ts"
import { baseline } from "../support/baseline.ts"
import { onServer } from "./distributedDatabase.ts"
import { citusUrl, withoutCitus, environment } from "./onCitus.ts"

/** As the service works: as the role of a mode, on the schema of a group. */
const inGroup = <A, E>(group: number, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    PgClient.makeClient({
      url: Redacted.make(citusUrl),
      startupParameters: {
        ...distributedParameters,
        role: "action_risk_test",
        search_path: schemaOfGroup("test", group, organizationGroups)
      }
    }).pipe(Effect.flatMap(use), Effect.scoped, Effect.provide(Reactivity.layer))
  )

const schemas = modes.flatMap((mode) =>
  Array.from({ length: organizationGroups }, (_, group) => schemaOfGroup(mode, group, organizationGroups))
)

/** Every place in a plan that states its number of Citus tasks. */
const taskCounts = (plan: unknown): ReadonlyArray<number> =>
  Array.isArray(plan)
    ? plan.flatMap(taskCounts)
    : typeof plan !== "object" || plan === null
      ? []
      : Object.entries(plan).flatMap(([name, value]) =>
          name === "Task Count" ? [Number(value)] : taskCounts(value)
        )

describe.skipIf(withoutCitus)("a distributed schema", () => {
  it("has all tables of a group in one place, and groups on every worker", async () => {
    const places = await onServer(
      citusUrl,
      (sql) => sql<{ schema: string; tables: number; colocations: number; places: number; port: number }>`
        SELECT split_part(table_name::text, '.', 1) AS schema, count(*)::int AS tables,
          count(DISTINCT colocation_id)::int AS colocations, count(DISTINCT (nodename, nodeport))::int AS places,
          min(nodeport) AS port
        FROM citus_shards GROUP BY 1
      `
    )
    expect(places.map(({ schema }) => schema).toSorted()).toEqual(schemas.toSorted())
    for (const { colocations, places: inPlaces, schema, tables } of places) {
      const [counted] = await onServer(
        citusUrl,
        (sql) => sql`SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = ${schema}`
      )
      expect({ schema, tables, colocations, inPlaces }).toEqual({
        schema,
        ...counted,
        colocations: 1,
        inPlaces: 1
      })
    }
    expect(new Set(places.map(({ port }) => port)).size).toBeGreaterThan(1)
  })

  it("refuses on the shards what it refuses elsewhere, and to each role the other mode", async () => {
    const refusals = {
      "SELECT 1 FROM live_0.assessments": "42501",
      "SELECT 1 FROM control.api_keys": "42501",
      "UPDATE assessments SET response = 'x'": "42501",
      "DELETE FROM seals": "42501",
      "DELETE FROM assessments": "42501",
      "UPDATE search_texts SET search = ''": "42501",
      "TRUNCATE erasures": "42501",
      "DROP TABLE history": "42501"
    }
    for (const [statement, state] of Object.entries(refusals)) {
      const refused = await inGroup(0, (sql) => Effect.flip(sql.unsafe(statement)))
      expect([statement, sqlState(refused)]).toEqual([statement, state])
    }
    const half = await onServer(citusUrl, (sql) =>
      Effect.flip(
        Effect.andThen(
          sql.unsafe(`INSERT INTO test_0.reviews (organization_id, assessment_id, opened_at, reminded)
            VALUES ('${randomUUID()}', '00000000-0000-7000-8000-000000000000', now(), false)`),
          sql.unsafe(
            "UPDATE test_0.reviews SET note = 'x' WHERE assessment_id = '00000000-0000-7000-8000-000000000000'"
          )
        )
      )
    )
    expect(sqlState(half)).toBe("23514")
  })

  it("sends each hot call to one shard", async () => {
    const organizationId = randomUUID()
    const owner = { organizationId, mode: "test" as const }
    const record = assessmentRecord(1, { idempotencyKey: "key" })
    const plans = await inGroup(1, (sql) => {
      const calls = {
        read: sql.unsafe(
          todayStatement,
          todayParameters([
            { organizationId, baseline, record: record.history, fingerprint: record.fingerprint, key: "key" }
          ])
        ),
        write: sql.unsafe(writeStatement, writeParameters([{ owner, record }])),
        find: selectEvidence(sql, [{ organizationId, assessmentId: record.assessmentId }]),
        list: selectPages(sql, [{ organizationId, before: undefined, limit: 20 }]),
        reviews: selectReviewPage(sql, organizationId, { before: undefined, limit: 20, state: "open" }),
        claim: sql.unsafe(claimStatement, [
          claimStart.organizationId,
          claimStart.endpointId,
          [],
          10,
          randomUUID(),
          JSON.stringify({ organization: 1, organizations: {}, host: 1, hosts: {} }),
          "-infinity"
        ])
      }
      return Effect.all(
        Object.entries(calls).map(([name, statement]) => {
          const [text, parameters] = statement.compile()
          return Effect.map(
            sql.unsafe<{ "QUERY PLAN": unknown }>(`EXPLAIN (FORMAT JSON) ${text}`, parameters),
            (rows) => [name, taskCounts(rows.map((row) => row["QUERY PLAN"]))] as const
          )
        })
      )
    })
    expect(Object.fromEntries(plans)).toEqual({
      read: [1],
      write: [1],
      find: [1],
      list: [1],
      reviews: [1],
      claim: [1]
    })
  })

  it("is refused by a process without DISTRIBUTED", async () => {
    const { DISTRIBUTED: _, ...plain } = environment
    const { code, stderr } = await actionRisk(["migrate"], { env: plain })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/is `create_schema_of_\d+_groups`.*: set DISTRIBUTED=citus, or/)
    ])
  })
})
