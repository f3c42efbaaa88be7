/** The outbox of deliveries: claims them for one process of many, records outcomes, and deletes old rows. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Mode } from "../../domain/Caller.ts"
import {
  webhookClaimBatchMax,
  webhookCommitMs,
  webhookConnectionsMax,
  webhookInFlightMax,
  webhookKeptDays,
  webhooksCountedMax,
  webhookSweepBatchMax
} from "../../limits.ts"
import { decodeRows } from "../sql/rows.ts"
import { type Group, inEachGroup, lockOf, makeForGroups, makeGroups } from "../sql/groups.ts"
import { type AttemptResult, makeMarker, type MarkResult, postponeStatement } from "./AttemptResult.ts"
import {
  type AttemptRooms,
  type Claim,
  type ClaimCursor,
  type ClaimedDelivery,
  claimOf,
  type ClaimRow,
  claimStatement
} from "./ClaimedDelivery.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

/** Advisory locks of this space allow one claim at a time per group, over all processes. */
const lockSpace = 0x7765

interface ClaimOptions {
  readonly mode: Mode
  /** The number of the group whose deliveries are claimed: 0 where the mode has one. */
  readonly number?: number
  /** Where the claim before this one ended. */
  readonly after: ClaimCursor
  /** Endpoints that get no deliveries now. */
  readonly pausedEndpoints: ReadonlyArray<string>
  readonly rowsMax: number
  readonly rooms: AttemptRooms
}

/** Works across organizations, as the relay does. Every time comes from the clock of the database. */
export class WebhookOutbox extends Context.Service<
  WebhookOutbox,
  {
    /** Whether a delivery is due that no process sends yet. Costs one step in an index. */
    readonly isDue: (mode: Mode, number?: number) => Stored<boolean>
    readonly claim: (options: ClaimOptions) => Stored<Claim>
    readonly mark: (mode: Mode, result: AttemptResult) => Stored<MarkResult>
    /** Ends the leases of the deliveries, so that any process can claim them at once. Skips leases that were lost meanwhile. */
    readonly release: (mode: Mode, deliveries: ReadonlyArray<ClaimedDelivery>) => Stored<void>
    /** Ends deliveries that wait for disabled or deleted endpoints. Returns how many of a group at most, up to `webhookSweepBatchMax`. */
    readonly markDead: (mode: Mode) => Stored<number>
    /**
     * For a delivery that this service cannot send, for a reason that is not the endpoint's: postpones it, or marks it dead
     * where it is too old. With `all` the same for every delivery that is due for the endpoint.
     */
    readonly postpone: (mode: Mode, delivery: ClaimedDelivery, all: boolean) => Stored<void>
    /** Deletes finished deliveries that are old enough. Returns how many of a group at most, up to `webhookSweepBatchMax`. */
    readonly sweepDeliveries: (mode: Mode) => Stored<number>
    /** Deletes old events that have no delivery left. Returns how many of a group at most, up to `webhookSweepBatchMax`. */
    readonly sweepEvents: (mode: Mode) => Stored<number>
    /**
     * Also finds out since when deliveries wait, and from then on claims of this process look no further back: what was delivered
     * before is in their way for as long as some transaction of the database could still see it waiting.
     */
    readonly outboxStats: (mode: Mode) => Stored<OutboxStats>
    /** The numbers of the groups. Each has a relay of its own. */
    readonly groups: (mode: Mode) => ReadonlyArray<number>
  }
>()("action-risk/storage/WebhookOutbox") {
  /** Has a few separate connections, so that deliveries and requests never wait for each other's. */
  static readonly layer = Layer.effect(
    WebhookOutbox,
    Effect.gen(function* () {
      const clients = yield* makeGroups((mode) => ({
        name: `${mode} webhooks`,
        connectionsMax: webhookConnectionsMax
      }))
      const markers = yield* makeForGroups(clients, makeMarker)
      /** How far claims of a group look back, by its lock: see `sinceStatement`. Without bound, until that is known. */
      const since = new Map<number, string>()
      const sinceOf = (group: Group): string => since.get(lockOf(group)) ?? "-infinity"
      // A relay has the number of a known group.
      const groupAt = (mode: Mode, number = 0) => clients.groups(mode)[number] as Group

      const most = (mode: Mode, work: (sql: SqlClient.SqlClient) => Stored<number>) =>
        Effect.map(
          inEachGroup(clients, mode, ({ sql }) => work(sql)),
          (counts) => Math.max(...counts)
        )
      const counted = (rows: Stored<ReadonlyArray<unknown>>) => Effect.map(rows, ({ length }) => length)
      const statsOf = Effect.fnUntraced(function* (group: Group) {
        const [bound] = yield* group.sql.unsafe<{ readonly since: string }>(sinceStatement)
        if (bound !== undefined) since.set(lockOf(group), bound.since)
        return yield* decodeRows(OutboxStatsRow)(group.sql.unsafe(outboxStatsStatement))
      })

      return WebhookOutbox.of({
        groups: (mode) => clients.groups(mode).map(({ number }) => number),
        isDue: Effect.fnUntraced(function* (mode, number) {
          const group = groupAt(mode, number)
          const rows = yield* group.sql`
            SELECT FROM webhook_deliveries
            WHERE next_attempt_at BETWEEN ${sinceOf(group)}::timestamptz AND statement_timestamp()
              AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
            LIMIT 1
          `
          return rows.length > 0
        }),
        claim: (options) => {
          const group = groupAt(options.mode, options.number)
          return claim(group, options, sinceOf(group))
        },
        mark: (mode, result) => markers({ ...result, mode })(result),
        release: (mode, deliveries) =>
          Effect.asVoid(
            inEachGroup(clients, mode, ({ sql }) => {
              const own = deliveries.filter((delivery) => clients.for({ ...delivery, mode }) === sql)
              return own.length === 0 ? Effect.void : Effect.asVoid(release(sql, own))
            })
          ),
        markDead: (mode) => most(mode, (sql) => counted(sql.unsafe(markDeadStatement))),
        postpone: (mode, { deliveryId, endpointId, organizationId, token }, all) =>
          clients
            .for({ mode, organizationId })
            .unsafe(postponeStatement, [organizationId, endpointId, deliveryId, token, all]),
        sweepDeliveries: (mode) => most(mode, (sql) => counted(sql.unsafe(sweepDeliveriesStatement))),
        sweepEvents: (mode) => most(mode, sweepEvents),
        outboxStats: (mode) =>
          Effect.map(inEachGroup(clients, mode, statsOf), (found) => sumStats(found.flat()))
      })
    })
  )
}

const claim = Effect.fnUntraced(function* (group: Group, options: ClaimOptions, since: string) {
  const { sql } = group
  const { after, pausedEndpoints, rooms, rowsMax } = options
  const rows = yield* sql.withTransaction(
    // Invariant: one claim at a time. Two at once could each claim as many deliveries as an endpoint may have in flight.
    // The lock is taken in an earlier statement, so that the claim sees what the previous claim took.
    Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${lockSpace}::int, ${lockOf(group)}::int)`,
      sql.unsafe<ClaimRow>(claimStatement, [
        after.organizationId,
        after.endpointId,
        pausedEndpoints,
        Math.min(rowsMax, webhookClaimBatchMax),
        randomUUID(),
        JSON.stringify(rooms),
        since
      ])
    )
  )
  return claimOf(rows)
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
      const old = yield* decodeRows(OldEvent)(sql.unsafe(lockEventsStatement))
      if (old.length === 0) return 0
      const keys = [old.map((event) => event.organizationId), old.map((event) => event.eventId)]
      const swept = yield* sql.unsafe(sweepEventsStatement, keys)
      return swept.length
    })
  )

/**
 * A common table expression with every endpoint that deliveries wait for. It takes one step in the index from each endpoint
 * to the next.
 */
const pendingEndpoints = `
endpoint AS (
  (
    SELECT organization_id, endpoint_id FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL ORDER BY organization_id, endpoint_id LIMIT 1
  )
  UNION ALL
  SELECT following.* FROM endpoint CROSS JOIN LATERAL (
    SELECT organization_id, endpoint_id FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL
      AND (organization_id, endpoint_id) > (endpoint.organization_id, endpoint.endpoint_id)
    ORDER BY organization_id, endpoint_id LIMIT 1
  ) AS following
)`

/**
 * Marks deliveries that wait for disabled endpoints dead, and deletes those of deleted endpoints. Deliveries in flight are
 * left to the process that sends them. Returns one row for each.
 */
export const markDeadStatement = `
WITH RECURSIVE ${pendingEndpoints}, stray AS MATERIALIZED (
  SELECT waiting.*, enabled IS NULL AS gone
  FROM endpoint LEFT JOIN LATERAL (
    SELECT enabled FROM webhook_endpoints AS known
    WHERE known.organization_id = endpoint.organization_id AND known.endpoint_id = endpoint.endpoint_id LIMIT 1
  ) AS known ON true CROSS JOIN LATERAL (
    SELECT organization_id, delivery_id FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = endpoint.organization_id AND delivery.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at IS NOT NULL AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
  ) AS waiting
  WHERE known.enabled IS NOT TRUE
  LIMIT ${webhookSweepBatchMax}
), removed AS (
  DELETE FROM webhook_deliveries AS delivery USING stray
  WHERE stray.gone AND delivery.organization_id = stray.organization_id AND delivery.delivery_id = stray.delivery_id
  RETURNING 1
), buried AS (
  UPDATE webhook_deliveries AS delivery
  SET status = 'dead', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL
  FROM stray
  WHERE NOT stray.gone AND delivery.organization_id = stray.organization_id AND delivery.delivery_id = stray.delivery_id
  RETURNING 1
)
SELECT * FROM removed UNION ALL SELECT * FROM buried`

/**
 * Deletes finished deliveries that are old enough, organization by organization. Ids begin with their time. No delivery
 * waits for so long, so the oldest ones can all be deleted.
 */
const sweepDeliveriesStatement = `
WITH RECURSIVE organization AS (
  (SELECT organization_id FROM webhook_deliveries ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT following.* FROM organization CROSS JOIN LATERAL (
    SELECT organization_id FROM webhook_deliveries
    WHERE organization_id > organization.organization_id ORDER BY organization_id LIMIT 1
  ) AS following
), bound AS MATERIALIZED (
  SELECT (lpad(to_hex((extract(epoch FROM statement_timestamp() - interval '${webhookKeptDays} days') * 1000)::bigint), 12, '0')
    || '70008' || repeat('0', 15))::uuid AS kept
), old AS MATERIALIZED (
  SELECT finished.* FROM bound CROSS JOIN organization CROSS JOIN LATERAL (
    SELECT organization_id, delivery_id FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = organization.organization_id AND delivery_id < bound.kept
      AND status IN ('delivered', 'dead')
    ORDER BY delivery_id LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
  ) AS finished
  LIMIT ${webhookSweepBatchMax}
)
DELETE FROM webhook_deliveries AS delivery USING old
WHERE delivery.organization_id = old.organization_id AND delivery.delivery_id = old.delivery_id
RETURNING 1`

const hasNoDelivery = `(
    -- Asked of one event after the other, oldest first, until there are enough.
    SELECT true FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = event.organization_id AND delivery.event_id = event.event_id LIMIT 1
  ) IS NULL`

/** Locks old events that have no delivery left, so that no delivery of them can be queued again. */
const lockEventsStatement = `
SELECT organization_id, event_id FROM webhook_events AS event
WHERE created_at < statement_timestamp() - interval '${webhookKeptDays} days' AND ${hasNoDelivery}
ORDER BY created_at LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED`

const OldEvent = Schema.Struct({ organizationId: Schema.String, eventId: Schema.String })

/**
 * $1 organizations, $2 ids. Deletes those of the locked events that were not queued again before the lock: only a second
 * statement sees that.
 */
const sweepEventsStatement = `
DELETE FROM webhook_events AS event USING unnest($1::uuid[], $2::text[]) AS old (organization_id, event_id)
WHERE event.organization_id = old.organization_id AND event.event_id = old.event_id AND ${hasNoDelivery}
RETURNING 1`

/** How many deliveries wait, and for how long. Every process reads the same figures. */
export interface OutboxStats {
  /** Counted up to `webhooksCountedMax`. */
  readonly waiting: number
  /** Due deliveries that no process sends yet. */
  readonly due: number
  readonly oldestDueSeconds: number
  /**
   * The age of the oldest due delivery whose endpoint last succeeded and has fewer than its most in flight: that delivery
   * waits only for this service.
   */
  readonly lateSeconds: number
}

const outboxStatsStatement = `
WITH RECURSIVE ${pendingEndpoints}, oldest AS MATERIALIZED (
  SELECT extract(epoch FROM statement_timestamp() - first.next_attempt_at)::float8 AS seconds,
    known.enabled AND known.failing_since IS NULL AND ${webhookInFlightMax} > (
      SELECT count(*) FROM webhook_deliveries AS taken
      WHERE taken.organization_id = endpoint.organization_id AND taken.endpoint_id = endpoint.endpoint_id
        AND taken.claimed_until > statement_timestamp()
    ) AS ours
  FROM endpoint LEFT JOIN webhook_endpoints AS known USING (organization_id, endpoint_id) CROSS JOIN LATERAL (
    SELECT next_attempt_at FROM webhook_deliveries AS delivery
    WHERE delivery.organization_id = endpoint.organization_id AND delivery.endpoint_id = endpoint.endpoint_id
      AND next_attempt_at <= statement_timestamp()
      AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    ORDER BY next_attempt_at LIMIT 1
  ) AS first
)
SELECT
  (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT ${webhooksCountedMax}
  ) AS counted)::int AS waiting,
  (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries
    WHERE next_attempt_at <= statement_timestamp() AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    LIMIT ${webhooksCountedMax}
  ) AS counted)::int AS due,
  coalesce(max(seconds), 0) AS oldest_due_seconds,
  coalesce(max(seconds) FILTER (WHERE ours), 0) AS late_seconds
FROM oldest`

const sumStats = (groups: ReadonlyArray<OutboxStats>): OutboxStats => {
  const sum = (count: "waiting" | "due") =>
    Math.min(
      webhooksCountedMax,
      groups.reduce((total, one) => total + one[count], 0)
    )
  return {
    waiting: sum("waiting"),
    due: sum("due"),
    oldestDueSeconds: Math.max(0, ...groups.map(({ oldestDueSeconds }) => oldestDueSeconds)),
    lateSeconds: Math.max(0, ...groups.map(({ lateSeconds }) => lateSeconds))
  }
}

/**
 * A time before which no delivery waits for an attempt, nor will one whose transaction ends within `webhookCommitMs`; as PostgreSQL
 * spells it. Alone, because it must succeed where counting takes too long.
 */
const sinceStatement = `
SELECT least(
  (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL),
  statement_timestamp() - interval '${webhookCommitMs} ms'
)::text AS since`

const OutboxStatsRow = Schema.Struct({
  waiting: Schema.Int,
  due: Schema.Int,
  oldestDueSeconds: Schema.Finite,
  lateSeconds: Schema.Finite
})
