/** Stores the webhook endpoints of both modes, and the answers that must be repeatable under an idempotency key. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import {
  type WebhookEventType,
  webhookEventTypes,
  type WebhookFormat,
  webhookFormats
} from "../../domain/WebhookEvent.ts"
import { idempotencyMemoryHours, webhookSecretOverlapHours } from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { afterStandby } from "../assessments/storedAnswers.ts"
import { decodeRows } from "../sql/rows.ts"
import { makeOneAtATime, ResourceSql } from "../sql/Sql.ts"

export interface StoredEndpoint {
  /** UUIDv7 of its creation. */
  readonly id: string
  readonly url: string
  readonly format: WebhookFormat
  readonly events: ReadonlyArray<WebhookEventType>
  /** Assessments below this level cause no events for the endpoint. */
  readonly minLevel: ActionRiskLevel
  readonly enabled: boolean
  readonly description: string | null
  readonly createdAt: Date
}

/** Fields that are absent stay as they are. */
export type EndpointChanges = Partial<Omit<StoredEndpoint, "id" | "createdAt">>

interface EndpointPageQuery {
  /** Only endpoints with a smaller id. */
  readonly before: string | undefined
  readonly limit: number
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class EndpointRecords extends Context.Service<EndpointRecords>()(
  "action-risk/storage/EndpointRecords",
  {
    make: Effect.gen(function* () {
      const clients = yield* ResourceSql
      const oneAtATime = makeOneAtATime()
      const transactions = endpointTransactions(clients, oneAtATime)

      const find = Effect.fn("EndpointRecords.find")(function* (owner: Owner, endpointId: string) {
        const selecting = selectEndpoint(clients.for(owner), owner.organizationId, endpointId)
        const [endpoint] = yield* clients.inTurn(owner, selecting)
        return endpoint
      })

      /** Newest first. */
      const page = Effect.fn("EndpointRecords.page")((owner: Owner, query: EndpointPageQuery) =>
        clients.inTurn(owner, selectEndpoints(clients.for(owner), owner.organizationId, query))
      )

      /** Enabling the endpoint, or giving it another URL, clears the time since when it has been failing. */
      const update = Effect.fn("EndpointRecords.update")(function* (
        owner: Owner,
        endpointId: string,
        changes: EndpointChanges
      ) {
        const sql = clients.for(owner)
        const updating = updateEndpoint(sql, owner.organizationId, endpointId, changes)
        const [endpoint] = yield* oneAtATime(owner, clients.inTurn(owner, updating))
        return endpoint
      })

      /** False where there is no such endpoint. The relay clears its deliveries away later. */
      const remove = Effect.fn("EndpointRecords.remove")(function* (owner: Owner, endpointId: string) {
        const deleting = deleteEndpoint(clients.for(owner), owner.organizationId, endpointId)
        const rows = yield* transactions.locked(owner, deleting)
        return rows.length > 0
      })

      return { ...secretWrites(clients, transactions), find, page, update, remove }
    })
  }
) {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(EndpointRecords, EndpointRecords.make)
}

type Clients = ResourceSql["Service"]

/** Two kinds of transactions that change the endpoints of an organization. */
interface EndpointTransactions {
  /**
   * One at a time for an organization, in this process and in all others: so a limit on endpoints holds, and a removal
   * never runs during a rotation.
   */
  readonly locked: <A>(owner: Owner, work: Stored<A>) => Stored<A>
  /** Like `locked`, but runs no work where an answer is stored under the idempotency key: it returns that answer. */
  readonly lockedOnce: <A>(
    owner: Owner,
    answering: AnswerToStore | null,
    work: Stored<A>
  ) => Stored<A | StoredSecretAnswer>
}

const endpointTransactions = (
  clients: Clients,
  oneAtATime: ReturnType<typeof makeOneAtATime>
): EndpointTransactions => {
  const locked = <A>(owner: Owner, work: Stored<A>): Stored<A> => {
    const sql = clients.for(owner)
    const name = `webhook endpoints of ${owner.organizationId} in ${owner.mode}`
    const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
    return oneAtATime(owner, clients.inTurn(owner, sql.withTransaction(Effect.andThen(lock, work))))
  }

  const lockedOnce = <A>(
    owner: Owner,
    answering: AnswerToStore | null,
    work: Stored<A>
  ): Stored<A | StoredSecretAnswer> => {
    if (answering === null) return locked(owner, work)
    const stored = findAnswer(clients.for(owner), owner.organizationId, answering.idempotencyKey)
    return locked<A | StoredSecretAnswer>(
      owner,
      Effect.flatMap(stored, (answer): Stored<A | StoredSecretAnswer> =>
        answer ? Effect.succeed(answer) : work
      )
    )
  }

  return { locked, lockedOnce }
}

/** The two changes whose answers hold a secret. */
const secretWrites = (clients: Clients, { lockedOnce }: EndpointTransactions) => ({
  /** `sealed`: the encrypted secret. `full`: the organization has `endpointsMax` endpoints already. */
  create: Effect.fn("EndpointRecords.create")(
    (
      owner: Owner,
      endpoint: StoredEndpoint,
      sealed: Uint8Array,
      endpointsMax: number,
      answering: AnswerToStore | null
    ) => {
      const sql = clients.for(owner)
      const { organizationId } = owner
      const work = Effect.gen(function* () {
        const inserted = yield* insertEndpoint(sql, organizationId, endpoint, sealed, endpointsMax)
        if (inserted.length === 0) return { _tag: "full" as const }
        if (answering !== null) yield* storeAnswer(sql, organizationId, endpoint, answering)
        return { _tag: "created" as const }
      })
      return lockedOnce(owner, answering, work)
    }
  ),

  /**
   * `sealed`: the new encrypted secret. For a while the secret before it signs too. A still older secret stops signing at
   * once.
   */
  rotate: Effect.fn("EndpointRecords.rotate")(
    (owner: Owner, endpointId: string, sealed: Uint8Array, answering: AnswerToStore | null) => {
      const sql = clients.for(owner)
      const { organizationId } = owner
      const work = Effect.gen(function* () {
        const [endpoint] = yield* replaceSecret(sql, organizationId, endpointId, sealed)
        if (endpoint === undefined) return { _tag: "unknown" as const }
        if (answering !== null) yield* storeAnswer(sql, organizationId, endpoint, answering)
        return { _tag: "rotated" as const, endpoint }
      })
      return lockedOnce(owner, answering, work)
    }
  )
})

/** No row that is read for a caller holds a secret. */
const EndpointRow = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  format: Schema.Literals(webhookFormats),
  events: Schema.Array(Schema.Literals(webhookEventTypes)),
  leastRank: Schema.Int,
  enabled: Schema.Boolean,
  description: Schema.NullOr(Schema.String),
  createdAt: Schema.Date
}).pipe(Schema.encodeKeys({ id: "endpoint_id", leastRank: "least_rank", createdAt: "created_at" }))

const decodeEndpointRows = decodeRows(EndpointRow)

const levelRank = (level: ActionRiskLevel): number => actionRiskLevels.indexOf(level)

const decodeEndpoints = (statement: Stored<ReadonlyArray<unknown>>): Stored<ReadonlyArray<StoredEndpoint>> =>
  Effect.map(decodeEndpointRows(statement), (rows) =>
    rows.map(({ leastRank, ...row }) => ({
      ...row,
      // The table checks the range.
      minLevel: actionRiskLevels[leastRank] ?? "low"
    }))
  )

const columns = "endpoint_id, url, format, events, least_rank, enabled, description, created_at"

/** Returns no row where the organization has `endpointsMax` endpoints already. */
const insertEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpoint: StoredEndpoint,
  sealed: Uint8Array,
  endpointsMax: number
) => sql`
  INSERT INTO webhook_endpoints (organization_id, secret, ${sql.literal(columns)})
  SELECT ${organizationId}::uuid, ${sealed}::bytea, ${endpoint.id}::uuid, ${endpoint.url},
    ${endpoint.format}, ${endpoint.events}::text[], ${levelRank(endpoint.minLevel)}::int, ${endpoint.enabled}::boolean,
    ${endpoint.description}, ${endpoint.createdAt}::timestamptz
  WHERE (SELECT count(*) FROM webhook_endpoints WHERE organization_id = ${organizationId}) < ${endpointsMax}
  RETURNING 1
`

/** The current secret becomes the previous one. */
const replaceSecret = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  sealed: Uint8Array
) =>
  decodeEndpoints(sql`
  UPDATE webhook_endpoints SET secret = ${sealed}, previous_secret = secret,
    previous_until = statement_timestamp() + ${`${webhookSecretOverlapHours} hours`}::interval
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING ${sql.literal(columns)}
`)

const selectEndpoint = (sql: SqlClient.SqlClient, organizationId: string, endpointId: string) =>
  decodeEndpoints(sql`
  SELECT ${sql.literal(columns)} FROM webhook_endpoints
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
`)

const selectEndpoints = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, limit }: EndpointPageQuery
) =>
  decodeEndpoints(sql`
  SELECT ${sql.literal(columns)} FROM webhook_endpoints
  WHERE organization_id = ${organizationId} ${before === undefined ? sql`` : sql`AND endpoint_id < ${before}`}
  ORDER BY endpoint_id DESC
  LIMIT ${limit}
`)

/** One statement: of two concurrent updates the second sees what the first has changed. */
const updateEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  { description, enabled, events, format, minLevel, url }: EndpointChanges
) =>
  decodeEndpoints(sql`
  UPDATE webhook_endpoints SET
    url = coalesce(${url ?? null}, url),
    format = coalesce(${format ?? null}, format),
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
`)

/** Deletes the secrets of the endpoint with it, also those in stored answers. */
const deleteEndpoint = (sql: SqlClient.SqlClient, organizationId: string, endpointId: string) => sql`
  WITH forgotten AS (
    DELETE FROM webhook_answers WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  )
  DELETE FROM webhook_endpoints WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING 1
`

/** An answer that holds a secret. It is stored for a day under its idempotency key, encrypted as the secret is. */
export interface AnswerToStore {
  readonly idempotencyKey: string
  /** SHA-256 of the request. */
  readonly inputDigest: Uint8Array
  /** The answer, encrypted. */
  readonly sealedAnswer: (endpoint: StoredEndpoint) => Uint8Array
}

/** The idempotency key was used before. This is the answer of that time. */
export interface StoredSecretAnswer {
  readonly _tag: "answered"
  readonly endpointId: string
  readonly inputDigest: Uint8Array
  /** Encrypted. */
  readonly answer: Uint8Array
}

const memory = `${idempotencyMemoryHours} hours`

const decodeAnswers = decodeRows(
  Schema.Struct({
    endpointId: Schema.String,
    inputDigest: Schema.Uint8Array,
    answer: Schema.Uint8Array
  }).pipe(Schema.encodeKeys({ endpointId: "endpoint_id", inputDigest: "input_digest" }))
)

const findAnswer = (sql: SqlClient.SqlClient, organizationId: string, idempotencyKey: string) =>
  Effect.map(
    decodeAnswers(sql`
      SELECT endpoint_id, input_digest, answer, ${sql.literal(afterStandby)} FROM webhook_answers
      WHERE organization_id = ${organizationId} AND idempotency_key = ${idempotencyKey}
        AND answered_at > statement_timestamp() - ${memory}::interval
    `),
    ([row]): StoredSecretAnswer | undefined => row && { _tag: "answered", ...row }
  )

/** Replaces an expired answer under the same key. */
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
