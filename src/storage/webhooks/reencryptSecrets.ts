/** Encrypts webhook secrets anew under the newest pepper, and deletes those that have expired. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import { idempotencyMemoryHours, idempotencySweepKeysMax, webhookSecretsBatchMax } from "../../limits.ts"
import { ModeSql } from "../sql/Sql.ts"
import { leastId } from "../timeOrderedId.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

/** Every column that is encrypted, with what tells its rows of one organization apart. */
const columns = [
  { table: "webhook_endpoints", key: "endpoint_id", column: "secret" },
  { table: "webhook_endpoints", key: "endpoint_id", column: "previous_secret" },
  { table: "webhook_answers", key: "idempotency_key", column: "answer" }
] as const

interface SealedRow {
  readonly organization_id: string
  readonly endpoint_id: string
  readonly key: string
  readonly sealed: Uint8Array
}

interface Reencrypted {
  readonly renewed: number
  /** Secrets of endpoints that were sealed under a pepper which is not given, or damaged. */
  readonly unreadable: number
}

/** Safe beside other processes that do the same, and beside changes: what is not as it was read is left alone. */
export const reencryptWebhookSecrets = Effect.fn("renewWebhookSecrets")(function* (mode: Mode) {
  const sql = (yield* ModeSql).for(mode)
  let renewed = 0
  let unreadable = 0
  for (const of of columns) {
    let after = { organization_id: leastId, key: "" }
    for (;;) {
      const rows: ReadonlyArray<SealedRow> = yield* selectOutdated(sql, of, after)
      for (const row of rows) {
        if (yield* renewRow(sql, mode, of, row)) renewed += 1
        // An answer lives for a day, and says so itself where it is asked for in vain.
        else if (of.table === "webhook_endpoints") unreadable += 1
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < webhookSecretsBatchMax) break
      after = last
    }
  }
  return { renewed, unreadable } satisfies Reencrypted
})

type Column = (typeof columns)[number]

/** By organization and key, after the last row of the page before. */
const selectOutdated = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { column, key, table }: Column,
  after: { readonly organization_id: string; readonly key: string }
) {
  const { newestMark } = yield* WebhookSecrets
  return yield* sql<SealedRow>`
    SELECT organization_id, endpoint_id, ${sql(key)}::text AS key, ${sql(column)} AS sealed
    FROM ${sql(table)}
    WHERE substring(${sql(column)} FROM 1 FOR ${newestMark.length}) <> ${newestMark}
      AND (organization_id, ${sql(key)}::text) > (${after.organization_id}, ${after.key})
    ORDER BY organization_id, ${sql(key)}::text
    LIMIT ${webhookSecretsBatchMax}
  `
})

/** False where it cannot be read. */
const renewRow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  mode: Mode,
  { column, key, table }: Column,
  row: SealedRow
) {
  const secrets = yield* WebhookSecrets
  const context = { organizationId: row.organization_id, mode, endpointId: row.endpoint_id }
  const secret = yield* Effect.option(secrets.open(context, row.sealed))
  if (secret._tag === "None") return false
  yield* sql`
    UPDATE ${sql(table)} SET ${sql(column)} = ${secrets.seal(context, secret.value)}
    WHERE organization_id = ${row.organization_id} AND ${sql(key)}::text = ${row.key} AND ${sql(column)} = ${row.sealed}
  `
  return true
})

/** Forgets secrets whose time is over: those that were replaced, and those in answers that are remembered no more. */
export const deleteExpiredWebhookSecrets = Effect.fn("forgetWebhookSecrets")(function* (mode: Mode) {
  const sql = (yield* ModeSql).for(mode)
  // In the order in which the relay disables them.
  yield* sql`
    WITH replaced AS MATERIALIZED (
      SELECT organization_id, endpoint_id FROM webhook_endpoints WHERE previous_until <= statement_timestamp()
      ORDER BY organization_id, endpoint_id FOR UPDATE
    )
    UPDATE webhook_endpoints AS endpoint SET previous_secret = NULL, previous_until = NULL
    FROM replaced
    WHERE endpoint.organization_id = replaced.organization_id AND endpoint.endpoint_id = replaced.endpoint_id
  `
  const forget = sql`
    DELETE FROM webhook_answers WHERE (organization_id, idempotency_key) IN (
      SELECT organization_id, idempotency_key FROM webhook_answers
      WHERE answered_at <= statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
      ORDER BY answered_at LIMIT ${idempotencySweepKeysMax} FOR UPDATE SKIP LOCKED
    ) RETURNING 1
  `
  yield* Effect.repeat(forget, { while: (forgotten) => forgotten.length === idempotencySweepKeysMax })
})
