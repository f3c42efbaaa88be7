/** Deliveries that wait to be made: claimed for a while by one process of many, and marked with what became of them. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type Mode, modes } from "../domain/Mode.ts"
import { sharedWaitingMax, webhookClaimedTogetherMax, webhookConnectionsMax } from "../Limits.ts"
import { Database } from "./Database.ts"
import { groupedStatement } from "./groupedStatement.ts"
import { roleOf } from "./Logins.ts"
import { roleClient } from "./sql/roleClient.ts"
import { type ClaimRow, claimOf, claimStatement } from "./webhookOutbox/claim.ts"
import type { Claim, ClaimedDelivery, Place } from "./webhookOutbox/ClaimedDelivery.ts"
import {
  type Marked,
  type MarkedRow,
  markedOf,
  type Marking,
  markParameters,
  markStatement
} from "./webhookOutbox/mark.ts"
import { postponeStatement } from "./webhookOutbox/postpone.ts"
import {
  buryStatement,
  lockEventsStatement,
  type OldEvent,
  type Outlook,
  type OutlookRow,
  outlookStatement,
  sweepDeliveriesStatement,
  sweepEventsParameters,
  sweepEventsStatement
} from "./webhookOutbox/upkeep.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

/** One claim at a time per mode and database, whichever process makes it. */
const lockSpace = 0x7765

export interface ClaimQuestion {
  readonly mode: Mode
  /** Where the claim before this one ended. */
  readonly after: Place
  /** Endpoints that are not to be bothered now. */
  readonly resting: ReadonlyArray<string>
  readonly rowsMax: number
}

/** Looks across organizations, as the relay does; every time is the database's. */
export class WebhookOutbox extends Context.Service<
  WebhookOutbox,
  {
    /** Whether anything is due that no process sends yet; costs one step in an index. */
    readonly isDue: (mode: Mode) => Stored<boolean>
    readonly claim: (question: ClaimQuestion) => Stored<Claim>
    readonly mark: (mode: Mode, marking: Marking) => Stored<Marked>
    /** Gives deliveries back, to be claimed by anyone at once; not those that were lost meanwhile. */
    readonly release: (mode: Mode, deliveries: ReadonlyArray<ClaimedDelivery>) => Stored<void>
    /** Ends what waits for endpoints that are disabled or gone; gives how many, at most so many at a time. */
    readonly bury: (mode: Mode) => Stored<number>
    /**
     * Where a delivery cannot be made for a reason of ours: puts it off, or ends it where it is too old. With `all`,
     * so too everything else that is due for its endpoint.
     */
    readonly postpone: (mode: Mode, delivery: ClaimedDelivery, all: boolean) => Stored<void>
    /** Remove what was kept long enough; give how many rows, at most so many at a time. */
    readonly sweepDeliveries: (mode: Mode) => Stored<number>
    readonly sweepEvents: (mode: Mode) => Stored<number>
    readonly outlook: (mode: Mode) => Stored<Outlook>
  }
>()("action-risk/storage/WebhookOutbox") {
  /** With a few connections of its own: deliveries and answers never wait for each other's. */
  static readonly layer = Layer.effect(
    WebhookOutbox,
    Effect.gen(function* () {
      const { logins, url } = yield* Database
      const clientOf = (mode: Mode) =>
        roleClient({
          url: logins[mode] ?? url,
          role: roleOf(mode),
          schema: mode,
          name: `${mode} webhooks`,
          connectionsMax: webhookConnectionsMax
        })
      const clients = { live: yield* clientOf("live"), test: yield* clientOf("test") }

      const markerOf = (mode: Mode) =>
        groupedStatement({
          name: "mark deliveries",
          batchMax: webhookClaimedTogetherMax,
          lanes: 1,
          waitingMax: sharedWaitingMax,
          run: (markings: ReadonlyArray<Marking>) =>
            Effect.map(clients[mode].unsafe<MarkedRow>(markStatement, markParameters(markings)), (rows) =>
              markedOf(markings, rows)
            )
        })
      const markers = { live: yield* markerOf("live"), test: yield* markerOf("test") }

      const counted = (rows: Stored<ReadonlyArray<unknown>>) => Effect.map(rows, ({ length }) => length)

      return WebhookOutbox.of({
        isDue: Effect.fnUntraced(function* (mode) {
          const rows = yield* clients[mode]`
            SELECT FROM webhook_deliveries
            WHERE next_attempt_at <= statement_timestamp()
              AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
            LIMIT 1
          `
          return rows.length > 0
        }),
        claim: (question) => claim(clients[question.mode], question),
        mark: (mode, marking) => markers[mode](marking),
        release: (mode, deliveries) => release(clients[mode], deliveries),
        bury: (mode) => counted(clients[mode].unsafe(buryStatement)),
        postpone: (mode, { deliveryId, endpointId, organizationId, token }, all) =>
          clients[mode].unsafe(postponeStatement, [organizationId, endpointId, deliveryId, token, all]),
        sweepDeliveries: (mode) => counted(clients[mode].unsafe(sweepDeliveriesStatement)),
        sweepEvents: (mode) => sweepEvents(clients[mode]),
        outlook: Effect.fnUntraced(function* (mode) {
          const [row] = yield* clients[mode].unsafe<OutlookRow>(outlookStatement)
          return {
            waiting: row?.waiting ?? 0,
            due: row?.due ?? 0,
            oldestDueSeconds: row?.oldest_due_seconds ?? 0,
            lateSeconds: row?.late_seconds ?? 0
          }
        })
      })
    })
  )
}

const claim = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, question: ClaimQuestion) {
  const { after, mode, resting, rowsMax } = question
  const token = randomUUID()
  const rows = yield* sql.withTransaction(
    // Invariant: one claim at a time, or two could each fill what room an endpoint has. In a statement before the claim,
    // which then sees what the one before it took.
    Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${lockSpace}::int, ${modes.indexOf(mode)}::int)`,
      sql.unsafe<ClaimRow>(claimStatement, [
        after.organizationId,
        after.endpointId,
        resting,
        Math.min(rowsMax, webhookClaimedTogetherMax),
        token
      ])
    )
  )
  return claimOf(rows, token)
})

const release = (sql: SqlClient.SqlClient, deliveries: ReadonlyArray<ClaimedDelivery>) => sql`
  WITH held AS MATERIALIZED (
    SELECT organization_id, delivery_id
    FROM webhook_deliveries JOIN unnest(
      ${deliveries.map(({ organizationId }) => organizationId)}::uuid[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${deliveries.map(({ token }) => token)}::uuid[]
    ) AS given (organization_id, delivery_id, token) USING (organization_id, delivery_id)
    WHERE claimed_by = given.token
    ORDER BY organization_id, delivery_id FOR UPDATE OF webhook_deliveries
  )
  UPDATE webhook_deliveries AS delivery SET claimed_by = NULL, claimed_until = NULL
  FROM held
  WHERE delivery.organization_id = held.organization_id AND delivery.delivery_id = held.delivery_id
`

const sweepEvents = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const old = yield* sql.unsafe<OldEvent>(lockEventsStatement)
      if (old.length === 0) return 0
      const swept = yield* sql.unsafe(sweepEventsStatement, sweepEventsParameters(old))
      return swept.length
    })
  )
