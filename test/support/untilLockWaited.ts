/** Waits until one transaction waits for another's lock; the cluster's other databases belong to other tests. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * Waits until a statement of this database waits for another transaction to end. Its other locks identify its database, because within a transaction `pg_stat_activity` never changes.
 */
export const untilLockWaited = (sql: SqlClient.SqlClient) =>
  Effect.repeat(
    sql`
      SELECT FROM pg_locks AS waited
      WHERE NOT granted AND locktype = 'transactionid' AND EXISTS (
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE pg_locks.pid = waited.pid AND datname = current_database()
      )
    `,
    { until: (waiting) => waiting.length > 0 }
  )
