/** The webhook endpoints of both modes, each inside its organization, with their remembered answers. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import type { WebhookEventType } from "../../domain/WebhookEvent.ts"
import { idempotencyMemoryHours, webhookSecretOverlapHours } from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { makeOwnerMutex } from "../keyedMutex.ts"
import { ResourceSql } from "../sql/Sql.ts"

export interface StoredEndpoint {
  /** UUIDv7 of its creation. */
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<WebhookEventType>
  /** Assessments below it are not told of. */
  readonly minLevel: ActionRiskLevel
  readonly enabled: boolean
  readonly description: string | null
  readonly createdAt: Date
}

/** What is left out stays as it is. */
export type EndpointChanges = Partial<Omit<StoredEndpoint, "id" | "createdAt">>

interface EndpointPageQuery {
  /** Only ids less than this one. */
  readonly before: string | undefined
  readonly limit: number
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

interface Outcome<Tag extends string> {
  readonly _tag: Tag
}

export class EndpointRecords extends Context.Service<
  EndpointRecords,
  {
    /** `sealed`: the encrypted secret. `full` where the organization has `endpointsMax` endpoints. */
    readonly create: (
      owner: Owner,
      endpoint: StoredEndpoint,
      sealed: Uint8Array,
      endpointsMax: number,
      answering: AnswerToStore | null
    ) => Stored<Outcome<"created"> | Outcome<"full"> | StoredSecretAnswer>
    /**
     * `sealed`: the new encrypted secret. The one before it signs too for a while; one that this had replaced itself, and
     * that still did, stops at once.
     */
    readonly rotate: (
      owner: Owner,
      endpointId: string,
      sealed: Uint8Array,
      answering: AnswerToStore | null
    ) => Stored<
      (Outcome<"rotated"> & { readonly endpoint: StoredEndpoint }) | Outcome<"unknown"> | StoredSecretAnswer
    >
    readonly find: (owner: Owner, endpointId: string) => Stored<StoredEndpoint | undefined>
    /** Newest first. */
    readonly page: (owner: Owner, query: EndpointPageQuery) => Stored<ReadonlyArray<StoredEndpoint>>
    /** Enabling it, or another URL, forgets since when it has been failing. */
    readonly update: (
      owner: Owner,
      endpointId: string,
      changes: EndpointChanges
    ) => Stored<StoredEndpoint | undefined>
    /** False where there is none. Its deliveries are the relay's to clear away. */
    readonly remove: (owner: Owner, endpointId: string) => Stored<boolean>
  }
>()("action-risk/storage/WebhookEndpoints") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    EndpointRecords,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const inTurnHere = makeOwnerMutex()

      /** One at a time of an organization, in this process and in all: a limit holds, and a removal meets no rotation half-way. */
      const inTurn = <A>(owner: Owner, work: Stored<A>): Stored<A> => {
        const sql = clients.for(owner.mode)
        const turn = `webhook endpoints of ${owner.organizationId} in ${owner.mode}`
        const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${turn}, 0))`
        return inTurnHere(owner, sql.withTransaction(Effect.andThen(lock, work)))
      }

      /** So that an idempotency key holds too. */
      const onceInTurn = <A>(
        owner: Owner,
        answering: AnswerToStore | null,
        work: Stored<A>
      ): Stored<A | StoredSecretAnswer> => {
        if (answering === null) return inTurn(owner, work)
        const { idempotencyKey } = answering
        const answered = findAnswer(clients.for(owner.mode), owner.organizationId, idempotencyKey)
        return inTurn(
          owner,
          Effect.flatMap(answered, (answer): Stored<A | StoredSecretAnswer> =>
            answer ? Effect.succeed(answer) : work
          )
        )
      }

      const create = Effect.fn("WebhookEndpoints.create")((
        owner: Owner,
        endpoint: StoredEndpoint,
        sealed: Uint8Array,
        endpointsMax: number,
        answering: AnswerToStore | null
      ) => {
        const sql = clients.for(owner.mode)
        const { organizationId } = owner
        const work = Effect.gen(function* () {
          const inserted = yield* insertEndpoint(sql, organizationId, endpoint, sealed, endpointsMax)
          if (inserted.length === 0) return { _tag: "full" as const }
          if (answering !== null) yield* storeAnswer(sql, organizationId, endpoint, answering)
          return { _tag: "created" as const }
        })
        return onceInTurn(owner, answering, work)
      })

      const rotate = Effect.fn("WebhookEndpoints.rotate")((
        owner: Owner,
        endpointId: string,
        sealed: Uint8Array,
        answering: AnswerToStore | null
      ) => {
        const sql = clients.for(owner.mode)
        const { organizationId } = owner
        const work = Effect.gen(function* () {
          const [row] = yield* replaceSecret(sql, organizationId, endpointId, sealed)
          if (row === undefined) return { _tag: "unknown" as const }
          const endpoint = endpointOfRow(row)
          if (answering !== null) yield* storeAnswer(sql, organizationId, endpoint, answering)
          return { _tag: "rotated" as const, endpoint }
        })
        return onceInTurn(owner, answering, work)
      })

      const find = Effect.fn("WebhookEndpoints.find")(function* (owner: Owner, endpointId: string) {
        const [row] = yield* selectEndpoint(clients.for(owner.mode), owner.organizationId, endpointId)
        return row && endpointOfRow(row)
      })

      const page = Effect.fn("WebhookEndpoints.page")(function* (owner: Owner, query: EndpointPageQuery) {
        const rows = yield* selectEndpoints(clients.for(owner.mode), owner.organizationId, query)
        return rows.map(endpointOfRow)
      })

      const update = Effect.fn("WebhookEndpoints.update")(function* (
        owner: Owner,
        endpointId: string,
        changes: EndpointChanges
      ) {
        const sql = clients.for(owner.mode)
        const updating = updateEndpoint(sql, owner.organizationId, endpointId, changes)
        const [row] = yield* inTurnHere(owner, updating)
        return row && endpointOfRow(row)
      })

      const remove = Effect.fn("WebhookEndpoints.remove")(function* (owner: Owner, endpointId: string) {
        const deleting = deleteEndpoint(clients.for(owner.mode), owner.organizationId, endpointId)
        const rows = yield* inTurn(owner, deleting)
        return rows.length > 0
      })

      return EndpointRecords.of({ create, rotate, find, page, update, remove })
    })
  )
}

/** An endpoint as a row, and back; its secrets are in no row that is read for a caller. */
interface EndpointRow {
  readonly endpoint_id: string
  readonly url: string
  readonly events: ReadonlyArray<WebhookEventType>
  readonly least_rank: number
  readonly enabled: boolean
  readonly description: string | null
  readonly created_at: Date
}

const levelRank = (level: ActionRiskLevel): number => actionRiskLevels.indexOf(level)

const endpointOfRow = (row: EndpointRow): StoredEndpoint => ({
  id: row.endpoint_id,
  url: row.url,
  events: row.events,
  // The table checks the range.
  minLevel: actionRiskLevels[row.least_rank] ?? "low",
  enabled: row.enabled,
  description: row.description,
  createdAt: row.created_at
})

/** The statements about webhook endpoints, each inside one organization. */
const columns = "endpoint_id, url, events, least_rank, enabled, description, created_at"

/** No row where there are `endpointsMax` already. */
const insertEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpoint: StoredEndpoint,
  sealed: Uint8Array,
  endpointsMax: number
) => sql`
  INSERT INTO webhook_endpoints (organization_id, secret, ${sql.literal(columns)})
  SELECT ${organizationId}::uuid, ${sealed}::bytea, ${endpoint.id}::uuid, ${endpoint.url},
    ${endpoint.events}::text[], ${levelRank(endpoint.minLevel)}::int, ${endpoint.enabled}::boolean,
    ${endpoint.description}, ${endpoint.createdAt}::timestamptz
  WHERE (SELECT count(*) FROM webhook_endpoints WHERE organization_id = ${organizationId}) < ${endpointsMax}
  RETURNING 1
`

/** The secret there was becomes the previous one. */
const replaceSecret = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  sealed: Uint8Array
) => sql<EndpointRow>`
  UPDATE webhook_endpoints SET secret = ${sealed}, previous_secret = secret,
    previous_until = statement_timestamp() + ${`${webhookSecretOverlapHours} hours`}::interval
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING ${sql.literal(columns)}
`

const selectEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string
) => sql<EndpointRow>`
  SELECT ${sql.literal(columns)} FROM webhook_endpoints
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
`

const selectEndpoints = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, limit }: EndpointPageQuery
) => sql<EndpointRow>`
  SELECT ${sql.literal(columns)} FROM webhook_endpoints
  WHERE organization_id = ${organizationId} ${before === undefined ? sql`` : sql`AND endpoint_id < ${before}`}
  ORDER BY endpoint_id DESC
  LIMIT ${limit}
`

/** One statement, so that of two at once the second sees what the first has changed. */
const updateEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  { description, enabled, events, minLevel, url }: EndpointChanges
) => sql<EndpointRow>`
  UPDATE webhook_endpoints SET
    url = coalesce(${url ?? null}, url),
    events = coalesce(${events ?? null}::text[], events),
    least_rank = coalesce(${minLevel === undefined ? null : levelRank(minLevel)}::int, least_rank),
    enabled = coalesce(${enabled ?? null}::boolean, enabled),
    description = ${description === undefined ? sql`description` : sql`${description}`},
    failing_since = CASE
      WHEN ${url ?? null} <> url OR (${enabled ?? null}::boolean AND NOT enabled) THEN NULL
      ELSE failing_since
    END
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING ${sql.literal(columns)}
`

/** Its secrets go with it, those in remembered answers too. */
const deleteEndpoint = (sql: SqlClient.SqlClient, organizationId: string, endpointId: string) => sql`
  WITH forgotten AS (
    DELETE FROM webhook_answers WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  )
  DELETE FROM webhook_endpoints WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING 1
`

/**
 * Answers that hold a secret, remembered for a day under their idempotency keys, encrypted as the secrets are.
 * How the answer to a request is to be remembered.
 */
export interface AnswerToStore {
  readonly idempotencyKey: string
  /** SHA-256 of what was asked. */
  readonly inputDigest: Uint8Array
  /** The answer, encrypted. */
  readonly sealedAnswer: (endpoint: StoredEndpoint) => Uint8Array
}

/** The idempotency key was used before: this is what was answered. */
export interface StoredSecretAnswer {
  readonly _tag: "answered"
  readonly endpointId: string
  readonly inputDigest: Uint8Array
  /** Encrypted. */
  readonly answer: Uint8Array
}

const memory = `${idempotencyMemoryHours} hours`

const findAnswer = (sql: SqlClient.SqlClient, organizationId: string, idempotencyKey: string) =>
  Effect.map(
    sql<{ readonly endpoint_id: string; readonly input_digest: Uint8Array; readonly answer: Uint8Array }>`
      SELECT endpoint_id, input_digest, answer FROM webhook_answers
      WHERE organization_id = ${organizationId} AND idempotency_key = ${idempotencyKey}
        AND answered_at > statement_timestamp() - ${memory}::interval
    `,
    ([row]): StoredSecretAnswer | undefined =>
      row && {
        _tag: "answered",
        endpointId: row.endpoint_id,
        inputDigest: row.input_digest,
        answer: row.answer
      }
  )

/** Takes the place of one under the same key whose time is over. */
const storeAnswer = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpoint: StoredEndpoint,
  { idempotencyKey, inputDigest, sealedAnswer }: AnswerToStore
) => sql`
  INSERT INTO webhook_answers (organization_id, idempotency_key, endpoint_id, input_digest, answer, answered_at)
  VALUES (
    ${organizationId}, ${idempotencyKey}, ${endpoint.id}, ${inputDigest}, ${sealedAnswer(endpoint)},
    statement_timestamp()
  )
  ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET
    endpoint_id = excluded.endpoint_id, input_digest = excluded.input_digest,
    answer = excluded.answer, answered_at = excluded.answered_at
`
