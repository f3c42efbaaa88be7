/** The health of the components, kept in memory and refreshed in the background, and the handler that shows it. */

import { Clock, Context, Effect, Layer, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { randomInt } from "node:crypto"
import { type ComponentName, type Health, healths, type ServiceStatus } from "../api/Status.ts"
import { Scorer } from "../assessment/Scorer.ts"
import { statusProbeMs, statusRefreshMs } from "../limits.ts"
import { WritingHealth } from "../storage/assessments/AssessmentRecords.ts"
import { decodeRows } from "../storage/sql/rows.ts"
import { ControlSql } from "../storage/sql/Sql.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { monotonicMs } from "../storage/timeouts.ts"
import { RelayHealth } from "../webhooks/RelayHealth.ts"
import { jsonResponse } from "./Exchange.ts"

type Components = Readonly<Record<ComponentName, Health>>

/** The service is as healthy as its least healthy component. */
const worst = (components: Components): Health =>
  healths.findLast((health) => Object.values(components).includes(health)) ?? "operational"

export class StatusBoard extends Context.Service<StatusBoard, { readonly read: () => ServiceStatus }>()(
  "action-risk/server/StatusBoard"
) {
  static readonly layer = Layer.effect(
    StatusBoard,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const sql = yield* ControlSql
      const { riskEngineVersion } = yield* Scorer
      const writing = yield* WritingHealth
      const webhooks = yield* RelayHealth
      let database: Health = "operational"
      let updatedAt = yield* Clock.currentTimeMillis

      const commit = probingCommit(sql)
      const probe = Effect.gen(function* () {
        const startedAtMs = monotonicMs(clock)
        const [server] = yield* decodeRows(Schema.Struct({ takesWrites: Schema.Boolean }))(sql`
          SELECT current_setting('transaction_read_only') = 'off' AS "takesWrites"
        `)
        // A standby answers before it is promoted, but cannot store anything.
        if (server?.takesWrites === false) return "major_outage"
        // Reads work, but assessments do not.
        if (!(yield* commit)) return "partial_outage"
        const tookMs = monotonicMs(clock) - startedAtMs
        return tookMs > statusProbeMs ? "degraded_performance" : "operational"
      }).pipe(Effect.catchCause(() => Effect.succeed<Health>("major_outage")))

      let committed = true
      const refresh = Effect.gen(function* () {
        const probed = yield* probe
        const commits = probed === "operational" || probed === "degraded_performance"
        // Earlier assessments failed because the database was down. If it is still not healthy, the next failures will show it.
        if (commits && !committed) writing.forget()
        committed = commits
        // Even with a full disk, the record of a probing commit can still be written, so failing writes count as well.
        const health = commits && writing.fails() ? "partial_outage" : probed
        if (health !== database)
          yield* Effect.logWarning("the database's health changed", { from: database, to: health })
        database = health
        updatedAt = yield* Clock.currentTimeMillis
      })
      yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(statusRefreshMs)))

      const read = (): ServiceStatus => {
        const components: Components = {
          api: "operational",
          risk_engine: "operational",
          database,
          webhooks: webhooks.read()
        }
        return {
          status: worst(components),
          components: (Object.keys(components) as Array<ComponentName>).map((name) => ({
            name,
            status: components[name]
          })),
          api_version: "v1",
          risk_engine_version: riskEngineVersion,
          updated_at: new Date(updatedAt).toISOString()
        }
      }
      return StatusBoard.of({ read })
    })
  )
}

/** Advisory locks for probing commits, one per process. */
const lockSpace = 0x7374
const lockNumberMax = 2 ** 31

/**
 * Whether a commit completes. A commit that must also reach a standby does not while the standby is down: the server keeps waiting after
 * the caller has left, and each such commit occupies a server connection. So the next probe first waits for the previous one's lock, and
 * gives up there. The probe is a message record in the write-ahead log, which belongs to no table.
 */
const probingCommit = (sql: SqlClient.SqlClient): Effect.Effect<boolean> => {
  const lockNumber = randomInt(lockNumberMax)
  return sql`
    SELECT pg_logical_emit_message(true, 'action-risk', '')::text
    FROM pg_advisory_xact_lock(${lockSpace}::int, ${lockNumber}::int)
  `.pipe(
    Effect.as(true),
    Effect.catchCause((cause) => Effect.as(logStorageFailure("commit for the status page", cause), false))
  )
}

/** The public status: 200 for every health. */
export const statusHandlers = Effect.gen(function* () {
  const board = yield* StatusBoard
  return { getStatus: () => Effect.sync(() => jsonResponse(board.read())) }
})
