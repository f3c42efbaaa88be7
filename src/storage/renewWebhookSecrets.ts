/** Encrypts under the newest pepper what older ones still encrypt, so that an operator can give those up. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Mode } from "../domain/Mode.ts"
import { webhookSecretsTogetherMax } from "../Limits.ts"
import { leastId } from "./assessmentId.ts"
import { ModeSql } from "./Sql.ts"
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

export interface Renewed {
  readonly renewed: number
  /** Secrets of endpoints that were sealed under a pepper which is not given, or damaged. */
  readonly unreadable: number
}

/** Safe beside other processes that do the same, and beside changes: what is not as it was read is left alone. */
export const renewWebhookSecrets = Effect.fn("renewWebhookSecrets")(function* (mode: Mode) {
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
      if (last === undefined || rows.length < webhookSecretsTogetherMax) break
      after = last
    }
  }
  return { renewed, unreadable } satisfies Renewed
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
    LIMIT ${webhookSecretsTogetherMax}
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
