/** Re-encrypts webhook secrets under the newest pepper, and deletes expired ones. */

import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Mode } from "../../domain/Caller.ts"
import { idempotencyMemoryHours, idempotencySweepKeysMax, webhookSecretsBatchMax } from "../../limits.ts"
import { decodeRows } from "../sql/rows.ts"
import { type Group, inEachGroup } from "../sql/groups.ts"
import { ModeSql } from "../sql/Sql.ts"
import { leastId } from "../timeOrderedId.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

/** Every encrypted column, with the column that identifies a row within its organization. */
const columns = [
  { table: "webhook_endpoints", key: "endpoint_id", column: "secret" },
  { table: "webhook_endpoints", key: "endpoint_id", column: "previous_secret" },
  { table: "webhook_answers", key: "idempotency_key", column: "answer" }
] as const

const SealedRow = Schema.Struct({
  organizationId: Schema.String,
  endpointId: Schema.String,
  key: Schema.String,
  sealed: Schema.Uint8Array
})

interface Reencrypted {
  readonly renewed: number
  /** Secrets of endpoints that could not be decrypted: their pepper is not among the given ones, or they are damaged. */
  readonly unreadable: number
}

/** Safe while other processes change secrets: the update skips a row whose secret is no longer the one that was read. */
export const reencryptWebhookSecrets = Effect.fn("reencryptWebhookSecrets")(function* (mode: Mode) {
  const found = yield* inEachGroup(yield* ModeSql, mode, reencryptOfGroup)
  const sum = (count: keyof Reencrypted) => found.reduce((total, one) => total + one[count], 0)
  return { renewed: sum("renewed"), unreadable: sum("unreadable") } satisfies Reencrypted
})

const reencryptOfGroup = Effect.fnUntraced(function* ({ mode, sql }: Group) {
  let renewed = 0
  let unreadable = 0
  for (const column of columns) {
    let after = { organizationId: leastId, key: "" }
    for (;;) {
      const rows: ReadonlyArray<typeof SealedRow.Type> = yield* selectOutdated(sql, column, after)
      for (const row of rows) {
        if (yield* renewRow(sql, mode, column, row)) renewed += 1
        // Answers do not count: they expire within a day, and a request for an unreadable one fails visibly.
        else if (column.table === "webhook_endpoints") unreadable += 1
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < webhookSecretsBatchMax) break
      after = last
    }
  }
  return { renewed, unreadable } satisfies Reencrypted
})

type Column = (typeof columns)[number]

/** Sorted by organization and key, after the last row of the previous page. */
const selectOutdated = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { column, key, table }: Column,
  after: { readonly organizationId: string; readonly key: string }
) {
  const { newestMark } = yield* WebhookSecrets
  return yield* decodeRows(SealedRow)(sql`
    SELECT organization_id, endpoint_id, ${sql(key)}::text AS key, ${sql(column)} AS sealed
    FROM ${sql(table)}
    WHERE substring(${sql(column)} FROM 1 FOR ${newestMark.length}) <> ${newestMark}
      AND (organization_id, ${sql(key)}::text) > (${after.organizationId}, ${after.key})
    ORDER BY organization_id, ${sql(key)}::text
    LIMIT ${webhookSecretsBatchMax}
  `)
})

/** False if the secret cannot be decrypted. */
const renewRow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  mode: Mode,
  { column, key, table }: Column,
  row: typeof SealedRow.Type
) {
  const secrets = yield* WebhookSecrets
  const context = { ...row, mode }
  const secret = yield* Effect.option(secrets.open(context, row.sealed))
  if (secret._tag === "None") return false
  yield* sql`
    UPDATE ${sql(table)} SET ${sql(column)} = ${secrets.seal(context, secret.value)}
    WHERE organization_id = ${row.organizationId} AND ${sql(key)}::text = ${row.key} AND ${sql(column)} = ${row.sealed}
  `
  return true
})

/** Deletes expired secrets: replaced ones whose overlap has ended, and those in expired answers. */
export const deleteExpiredWebhookSecrets = Effect.fn("deleteExpiredWebhookSecrets")(function* (mode: Mode) {
  yield* inEachGroup(yield* ModeSql, mode, deleteExpiredOfGroup)
})

const deleteExpiredOfGroup = Effect.fnUntraced(function* ({ sql }: Group) {
  // Locks in the same order as the relay when it disables endpoints, so that the two cannot deadlock.
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
