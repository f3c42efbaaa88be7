/** The cost of the relay's statements depends only on the rows that they take, although they were planned on empty tables. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { webhookCommitMs } from "../../../src/limits.ts"
import { Database } from "../../../src/storage/Database.ts"
import { Secrets } from "../../../src/storage/Secrets.ts"
import { roleClient } from "../../../src/storage/sql/roleClient.ts"
import { markTogether } from "../../../src/storage/webhooks/AttemptResult.ts"
import { type ClaimedRow, claimStart, claimStatement } from "../../../src/storage/webhooks/ClaimedDelivery.ts"
import { markDeadStatement } from "../../../src/storage/webhooks/WebhookOutbox.ts"
import { WebhookSecrets } from "../../../src/storage/webhooks/WebhookSecrets.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { emptyOutbox, roomForAll } from "../../support/outboxTests.ts"
import { mode, newEndpoint, queue } from "../../support/queued.ts"

const stores = WebhookSecrets.layer.pipe(
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make("pepper")] })),
  Layer.provideMerge(TestDatabase.layer)
)

type Explained = readonly [
  { readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number } }
]

const waiting = 3_000
const taken = 5

const oneConnection = Effect.gen(function* () {
  const { logins, url } = yield* Database
  return yield* roleClient({
    url: logins[mode] ?? url,
    role: `action_risk_${mode}`,
    schema: mode,
    connectionsMax: 1
  })
})

/** The number of rows that the statement read from tables, by an index or a scan, and its result. */
const touched = Effect.fnUntraced(function* <A>(
  sql: SqlClient.SqlClient,
  statement: Effect.Effect<A, SqlError.SqlError>
) {
  const counted = sql<{ readonly rows: number }>`
    SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables`
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const [before] = yield* counted
      const given = yield* statement
      const [after] = yield* counted
      return { given, rows: (after?.rows ?? Number.NaN) - (before?.rows ?? Number.NaN) }
    })
  )
})

layer(stores, { excludeTestServices: true })("how many rows the relay touches", (it) => {
  it.effect("depends on what it takes and marks, and not on what waits", () =>
    Effect.gen(function* () {
      const sql = yield* oneConnection
      const { endpointId: firstEndpoint, organizationId: firstOrganization } = claimStart
      const claim = sql.unsafe<ClaimedRow>(claimStatement, [
        firstOrganization,
        firstEndpoint,
        [],
        64,
        randomUUID(),
        JSON.stringify(roomForAll),
        new Date(Date.now() - 60_000).toISOString()
      ])
      const mark = (rows: ReadonlyArray<ClaimedRow>, token: string) =>
        markTogether(
          sql,
          rows.map(({ deliveryId, organizationId, url }) => ({
            organizationId,
            deliveryId,
            token,
            url,
            outcome: "failed",
            answered: 500,
            nextAttemptMs: 5_000
          }))
        )
      const nobody = randomUUID()
      const none = { organizationId: nobody, deliveryId: nobody, url: "" } as ClaimedRow
      const bury = sql.unsafe(markDeadStatement)
      // More than five runs: after five PostgreSQL may keep one plan forever.
      for (let i = 0; i < 6; i++) for (const one of [claim, mark([none], nobody), bury]) yield* one

      const organizationId = randomUUID()
      const endpoints = [yield* newEndpoint({ organizationId }), yield* newEndpoint({ organizationId })]
      for (const endpoint of endpoints) yield* queue(endpoint, waiting)
      const claims = yield* touched(sql, claim)
      expect(claims.given.length).toBe(endpoints.length * taken)
      const [held] = yield* sql<{ readonly token: string }>`
        SELECT claimed_by AS token FROM webhook_deliveries WHERE claimed_by IS NOT NULL LIMIT 1
      `
      const marks = yield* touched(sql, mark(claims.given, held?.token ?? ""))
      expect(marks.given.length).toBe(endpoints.length * taken)
      const buried = yield* touched(sql, bury)
      const rows = { claims: claims.rows, marks: marks.rows, buried: buried.rows }
      console.info(`rows touched beside ${endpoints.length * waiting} waiting: ${JSON.stringify(rows)}`)
      expect(Math.max(...Object.values(rows))).toBeLessThan(300)
    }).pipe(Effect.scoped)
  )

  it.effect("does not depend on what was delivered while another transaction stays open", () =>
    Effect.gen(function* () {
      const sql = yield* oneConnection
      yield* emptyOutbox
      const endpoint = yield* newEndpoint()
      const delivered = 20_000
      yield* queue(endpoint, delivered, -120_000)
      // Like a backup: it could still see every delivery waiting, so that none of their entries can be taken out of an index.
      const backup = yield* oneConnection
      const open = yield* backup.reserve
      yield* open.execute("BEGIN ISOLATION LEVEL REPEATABLE READ", [], undefined)
      yield* open.execute("SELECT FROM webhook_deliveries LIMIT 1", [], undefined)
      yield* sql`UPDATE webhook_deliveries SET claimed_until = now() - interval '1 minute'`
      yield* sql`UPDATE webhook_deliveries SET claimed_until = NULL, status = 'delivered', next_attempt_at = NULL`
      yield* queue(endpoint, 1)
      const pages = Effect.fnUntraced(function* (since: string) {
        const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": Explained }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${claimStatement}`,
          [
            claimStart.organizationId,
            claimStart.endpointId,
            [],
            64,
            randomUUID(),
            JSON.stringify(roomForAll),
            since
          ]
        )
        const { Plan: plan } = row?.["QUERY PLAN"][0] ?? expect.fail("not explained")
        return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
      })
      const lookingBack = yield* pages("-infinity")
      const looked = yield* pages(new Date(Date.now() - webhookCommitMs).toISOString())
      console.info(`pages beside ${delivered} delivered: ${looked}, looking back ${lookingBack}`)
      // Only index entries, two or more for each, and none of their rows.
      expect(looked).toBeLessThan(delivered / 20)
      yield* open.execute("ROLLBACK", [], undefined)
    }).pipe(Effect.scoped)
  )
})
