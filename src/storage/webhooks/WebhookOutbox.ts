/** The outbox of deliveries: claims them for one process among many, records outcomes, and deletes old rows. */

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
import { decodeRows, rowBeside } from "../sql/rows.ts"
import {
  type Group,
  type GroupClients,
  inEachGroup,
  lockOf,
  makeForGroups,
  makeGroups
} from "../sql/groups.ts"
import { type AttemptResult, makeMarker, postponeStatement } from "./AttemptResult.ts"
import {
  type AttemptRooms,
  type ClaimCursor,
  type ClaimedDelivery,
  claimOf,
  type ClaimRow,
  claimStatement
} from "./ClaimedDelivery.ts"

type Sql = SqlClient.SqlClient
type Stored<A> = Effect.Effect<A, SqlError.SqlError>

/** The key space of advisory locks that allow one claim per group at a time across all processes. */
const lockSpace = 0x7765

interface ClaimOptions {
  readonly mode: Mode
  /** The number of the group whose deliveries are claimed; 0 if the mode has only one. */
  readonly number?: number
  /** Where the previous claim ended. */
  readonly after: ClaimCursor
  /** Endpoints that currently get no deliveries. */
  readonly pausedEndpoints: ReadonlyArray<string>
  readonly rowsMax: number
  readonly rooms: AttemptRooms
}

/** Works across organizations, like the relay. All times come from the database's clock. */
export class WebhookOutbox extends Context.Service<WebhookOutbox>()("action-risk/storage/WebhookOutbox", {
  make: Effect.gen(function* () {
    // Separate connections, so that deliveries and requests never wait for each other's.
    const clients = yield* makeGroups((mode) => ({
      name: `${mode} webhooks`,
      connectionsMax: webhookConnectionsMax
    }))
    const markers = yield* makeForGroups(clients, makeMarker)
    /** For each group, by its lock, how far back claims look: see `sinceStatement`. Unlimited until that is known. */
    const since = new Map<number, string>()
    const sinceOf = (group: Group): string => since.get(lockOf(group)) ?? "-infinity"
    // Relays only use numbers of existing groups.
    const groupAt = (mode: Mode, number = 0) => clients.groups(mode)[number] as Group

    /** Whether any delivery is due that no process is sending. Costs one step in an index. */
    const isDue = Effect.fnUntraced(function* (mode: Mode, number?: number) {
      const group = groupAt(mode, number)
      const rows = yield* group.sql`
        SELECT FROM webhook_deliveries
        WHERE next_attempt_at BETWEEN ${sinceOf(group)}::timestamptz AND statement_timestamp()
          AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
        LIMIT 1
      `
      return rows.length > 0
    })

    const claim = (options: ClaimOptions) => {
      const group = groupAt(options.mode, options.number)
      return claimIn(group, options, sinceOf(group))
    }

    const mark = (mode: Mode, result: AttemptResult) => markers({ ...result, mode })(result)

    /**
     * Also finds out since when deliveries have been waiting, so that claims of this process look no further back: earlier deliveries would
     * slow them down as long as some transaction in the database could still see them waiting.
     */
    const outboxStats = Effect.fnUntraced(function* (mode: Mode) {
      const found = yield* inEachGroup(clients, mode, (group) =>
        Effect.andThen(
          Effect.map(group.sql.unsafe<{ readonly since: string }>(sinceStatement), ([bound]) => {
            if (bound !== undefined) since.set(lockOf(group), bound.since)
          }),
          decodeStats(group.sql.unsafe(outboxStatsStatement))
        )
      )
      return sumStats(found.flat())
    })

    /** The numbers of the groups. Each group has its own relay. */
    const groups = (mode: Mode) => clients.groups(mode).map(({ number }) => number)

    return { isDue, claim, mark, outboxStats, groups, ...endingsOf(clients), ...sweepsOf(clients) }
  })
}) {
  static readonly layer = Layer.effect(WebhookOutbox, WebhookOutbox.make)
}

/** How claims end without a mark. */
const endingsOf = (clients: GroupClients) => ({
  /** Ends the leases of the deliveries, so that any process can claim them immediately. Skips leases that were lost meanwhile. */
  release: (mode: Mode, deliveries: ReadonlyArray<ClaimedDelivery>) =>
    Effect.asVoid(
      inEachGroup(clients, mode, ({ sql }) => {
        const own = deliveries.filter((delivery) => clients.for({ ...delivery, mode }) === sql)
        return own.length === 0 ? Effect.void : Effect.asVoid(releaseIn(sql, own))
      })
    ),

  /** Postpones a delivery that this service cannot send, or marks it dead if it is too old. `all`: every due delivery of the endpoint. */
  postpone: (mode: Mode, delivery: ClaimedDelivery, all: boolean) => {
    const { deliveryId, endpointId, organizationId, token } = delivery
    return clients
      .for({ mode, organizationId })
      .unsafe(postponeStatement, [organizationId, endpointId, deliveryId, token, all])
  }
})

/** Each returns the largest number of rows found in any group, up to `webhookSweepBatchMax`. */
const sweepsOf = (clients: GroupClients) => {
  const most = (sweep: (sql: Sql) => Stored<ReadonlyArray<unknown>>) => (mode: Mode) =>
    Effect.map(
      inEachGroup(clients, mode, ({ sql }) => sweep(sql)),
      (found) => Math.max(...found.map(({ length }) => length))
    )
  return {
    /** Marks deliveries for disabled or deleted endpoints as dead. */
    markDead: most((sql) => sql.unsafe(markDeadStatement)),
    /** Deletes finished deliveries that are old enough. */
    sweepDeliveries: most((sql) => sql.unsafe(sweepDeliveriesStatement)),
    /** Deletes old events without deliveries. */
    sweepEvents: most(sweepEvents)
  }
}

const claimIn = Effect.fnUntraced(function* (group: Group, options: ClaimOptions, since: string) {
  const { sql } = group
  const { after, pausedEndpoints, rooms, rowsMax } = options
  const rows = yield* sql.withTransaction(
    // Invariant: one claim at a time. Two concurrent claims could each take as many deliveries as an endpoint may have in flight. The lock
    // is taken in an earlier statement, so that the claim sees what the previous one took.
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

const releaseIn = (sql: Sql, deliveries: ReadonlyArray<ClaimedDelivery>) => sql`
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

/** The endpoints for which deliveries are waiting, found by one index step from each endpoint to the next. */
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

/** Marks deliveries of disabled endpoints as dead and deletes those of deleted ones, unless in flight. Returns a row for each. */
export const markDeadStatement = `
WITH RECURSIVE ${pendingEndpoints}, stray AS MATERIALIZED (
  SELECT waiting.*, enabled IS NULL AS gone
  FROM endpoint LEFT JOIN LATERAL ${rowBeside({ table: "webhook_endpoints", of: "endpoint", by: ["organization_id", "endpoint_id"], columns: "enabled" })} AS known ON true
    CROSS JOIN LATERAL (
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
), marked AS (
  UPDATE webhook_deliveries AS delivery
  SET status = 'dead', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL
  FROM stray
  WHERE NOT stray.gone AND delivery.organization_id = stray.organization_id AND delivery.delivery_id = stray.delivery_id
  RETURNING 1
)
SELECT * FROM removed UNION ALL SELECT * FROM marked`

/** Goes organization by organization, by ids, which begin with their time: no waiting delivery is as old. */
const sweepDeliveriesStatement = `
WITH RECURSIVE organization AS (
  (SELECT organization_id FROM webhook_deliveries ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT following.* FROM organization CROSS JOIN LATERAL (
    SELECT organization_id FROM webhook_deliveries
    WHERE organization_id > organization.organization_id ORDER BY organization_id LIMIT 1
  ) AS following
), bound AS MATERIALIZED (
  -- Citus takes no volatile function, such as time_ordered_id, in a recursive statement.
  SELECT (lpad(to_hex((extract(epoch FROM statement_timestamp() - interval '${webhookKeptDays} days') * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid AS kept
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

/** Checked for one event after the other, oldest first, until there are enough. */
const hasNoDelivery = `${rowBeside({ table: "webhook_deliveries", of: "event", by: ["organization_id", "event_id"], columns: "true" })} IS NULL`

const decodeEvents = decodeRows(Schema.Struct({ organizationId: Schema.String, eventId: Schema.String }))

/** Locks the events, so that no delivery of them can be queued again. Only a second statement sees deliveries queued before that. */
const sweepEvents = (sql: Sql) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const old = yield* decodeEvents(
        sql.unsafe(`
          SELECT organization_id, event_id FROM webhook_events AS event
          WHERE created_at < statement_timestamp() - interval '${webhookKeptDays} days' AND ${hasNoDelivery}
          ORDER BY created_at LIMIT ${webhookSweepBatchMax} FOR UPDATE SKIP LOCKED
        `)
      )
      return yield* sql`
        DELETE FROM webhook_events AS event USING unnest(
          ${old.map(({ organizationId }) => organizationId)}::uuid[], ${old.map(({ eventId }) => eventId)}::text[]
        ) AS old (organization_id, event_id)
        WHERE event.organization_id = old.organization_id AND event.event_id = old.event_id AND ${sql.literal(hasNoDelivery)}
        RETURNING 1
      `
    })
  )

/** The number of waiting deliveries, and how long they have waited. Every process reads the same figures. */
const OutboxStats = Schema.Struct({
  /** Counted up to `webhooksCountedMax`. */
  waiting: Schema.Int,
  /** Due deliveries that no process is sending yet. */
  due: Schema.Int,
  oldestDueSeconds: Schema.Finite,
  /** The age of the oldest due delivery that waits only for this service: its endpoint works and has free places. */
  lateSeconds: Schema.Finite
})
export type OutboxStats = typeof OutboxStats.Type

const decodeStats = decodeRows(OutboxStats)

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

const sumStats = (groups: ReadonlyArray<OutboxStats>): OutboxStats =>
  groups.reduce((one, other) => ({
    waiting: Math.min(webhooksCountedMax, one.waiting + other.waiting),
    due: Math.min(webhooksCountedMax, one.due + other.due),
    oldestDueSeconds: Math.max(one.oldestDueSeconds, other.oldestDueSeconds),
    lateSeconds: Math.max(one.lateSeconds, other.lateSeconds)
  }))

/**
 * A time before which no delivery is waiting for an attempt, nor will one whose transaction ends within `webhookCommitMs`; in PostgreSQL's
 * format. A separate statement, because it must succeed even if counting takes too long.
 */
const sinceStatement = `
SELECT least(
  (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL),
  statement_timestamp() - interval '${webhookCommitMs} ms'
)::text AS since`
