/** The moment at which two transactions meet; other databases of the cluster are other tests'. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * Until a statement of this database waits for another one's transaction to end. Its other locks tell which database it is
 * of: a transaction that asks `pg_stat_activity` sees for ever what it saw first.
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
