/** Stores the webhook endpoints of both modes, and the answers that must be repeatable under an idempotency key. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import { webhookEventTypes, webhookFormats } from "../../domain/WebhookEvent.ts"
import { idempotencyMemoryHours, webhookSecretOverlapHours } from "../../limits.ts"
import type { Owner } from "../assessments/AssessmentRecord.ts"
import { afterStandby } from "../assessments/storedAnswers.ts"
import { decodeRows } from "../sql/rows.ts"
import { makeOneAtATime, ResourceSql } from "../sql/Sql.ts"
import { greatestId, type PageQuery } from "../timeOrderedId.ts"

/** Rows that are read for a caller contain no secret. */
const EndpointRow = Schema.Struct({
  /** A UUIDv7 of its creation time. */
  id: Schema.String,
  url: Schema.String,
  format: Schema.Literals(webhookFormats),
  events: Schema.Array(Schema.Literals(webhookEventTypes)),
  /** Assessments below this level cause no events for the endpoint. */
  minLevel: Schema.Literals(actionRiskLevels),
  enabled: Schema.Boolean,
  description: Schema.NullOr(Schema.String),
  createdAt: Schema.Date
})

export type StoredEndpoint = typeof EndpointRow.Type

const decodeEndpoints = decodeRows(EndpointRow)

const columns = `endpoint_id AS id, url, format, events, (ARRAY['${actionRiskLevels.join("', '")}'])[least_rank + 1] AS min_level,
  enabled, description, created_at`

/** Absent fields stay unchanged. */
export type EndpointChanges = Partial<Omit<StoredEndpoint, "id" | "createdAt">>

/** An answer that contains a secret. Stored for a day under its idempotency key, encrypted like the secret. */
export interface AnswerToStore {
  readonly idempotencyKey: string
  /** SHA-256 of the request. */
  readonly inputDigest: Uint8Array
  /** The answer, encrypted. */
  readonly sealedAnswer: (endpoint: StoredEndpoint) => Uint8Array
}

/** The idempotency key was used before. This is the earlier answer. */
export interface StoredSecretAnswer {
  readonly _tag: "answered"
  readonly endpointId: string
  readonly inputDigest: Uint8Array
  /** Encrypted. */
  readonly answer: Uint8Array
}

type Sql = SqlClient.SqlClient
type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class EndpointRecords extends Context.Service<EndpointRecords>()(
  "action-risk/storage/EndpointRecords",
  {
    make: Effect.gen(function* () {
      const { inTurn } = yield* ResourceSql
      const oneAtATime = makeOneAtATime()

      const find = Effect.fn("EndpointRecords.find")(function* (owner: Owner, endpointId: string) {
        const [endpoint] = yield* inTurn(owner, (sql) =>
          selectEndpoints(sql, owner.organizationId, sql`endpoint_id = ${endpointId}`, 1)
        )
        return endpoint
      })

      /** Newest first. */
      const page = Effect.fn("EndpointRecords.page")((owner: Owner, { before, limit }: PageQuery) =>
        inTurn(owner, (sql) =>
          selectEndpoints(sql, owner.organizationId, sql`endpoint_id < ${before ?? greatestId}`, limit)
        )
      )

      /** Enabling the endpoint or changing its URL clears the time since which it has been failing. */
      const update = Effect.fn("EndpointRecords.update")(function* (
        owner: Owner,
        endpointId: string,
        changes: EndpointChanges
      ) {
        const updating = inTurn(owner, (sql) =>
          updateEndpoint(sql, owner.organizationId, endpointId, changes)
        )
        const [endpoint] = yield* oneAtATime(owner, updating)
        return endpoint
      })

      /** One at a time per organization across all processes, so that the limit holds and no endpoint is removed during a rotation. */
      const locked: Locked = (owner, work) => {
        const name = `webhook endpoints of ${owner.organizationId} in ${owner.mode}`
        const working = inTurn(owner, (sql) => {
          const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
          return sql.withTransaction(Effect.andThen(lock, work(sql)))
        })
        return oneAtATime(owner, working)
      }

      /** Also deletes its secrets in stored answers; the relay removes its deliveries later. False if there is no such endpoint. */
      const remove = Effect.fn("EndpointRecords.remove")(function* (owner: Owner, endpointId: string) {
        const deleted = yield* locked(owner, (sql) => deleteEndpoint(sql, owner.organizationId, endpointId))
        return deleted.length > 0
      })

      return { find, page, update, remove, ...secretWrites(locked) }
    })
  }
) {
  static readonly layer = Layer.effect(EndpointRecords, EndpointRecords.make)
}

type Locked = <A>(owner: Owner, work: (sql: Sql) => Stored<A>) => Stored<A>

/** The two changes whose answers contain a secret. */
const secretWrites = (locked: Locked) => ({
  /** `sealed`: the encrypted secret. `full`: the organization already has `endpointsMax` endpoints. */
  create: Effect.fn("EndpointRecords.create")(
    (
      owner: Owner,
      endpoint: StoredEndpoint,
      sealed: Uint8Array,
      endpointsMax: number,
      answering: AnswerToStore | null
    ) =>
      locked(owner, (sql) => {
        const inserting = insertEndpoint(sql, owner.organizationId, endpoint, sealed, endpointsMax)
        const created = Effect.map(inserting, ({ length }) =>
          length === 0 ? ({ _tag: "full" } as const) : ({ _tag: "created", endpoint } as const)
        )
        return once(sql, owner.organizationId, answering, created)
      })
  ),

  /** `sealed`: the new secret, encrypted. The previous one keeps signing for a while; an older one stops immediately. */
  rotate: Effect.fn("EndpointRecords.rotate")(
    (owner: Owner, endpointId: string, sealed: Uint8Array, answering: AnswerToStore | null) =>
      locked(owner, (sql) => {
        const replacing = decodeEndpoints(sql`
          UPDATE webhook_endpoints SET secret = ${sealed}, previous_secret = secret,
            previous_until = statement_timestamp() + ${`${webhookSecretOverlapHours} hours`}::interval
          WHERE organization_id = ${owner.organizationId} AND endpoint_id = ${endpointId}
          RETURNING ${sql.literal(columns)}
        `)
        const rotated = Effect.map(replacing, ([endpoint]) =>
          endpoint === undefined ? ({ _tag: "unknown" } as const) : ({ _tag: "rotated", endpoint } as const)
        )
        return once(sql, owner.organizationId, answering, rotated)
      })
  )
})

/** Runs the work and stores its answer under the idempotency key, replacing an expired one. Returns a stored answer without running the work. */
const once = Effect.fnUntraced(function* <A extends { readonly endpoint?: StoredEndpoint }>(
  sql: Sql,
  organizationId: string,
  answering: AnswerToStore | null,
  work: Stored<A>
): Effect.fn.Return<A | StoredSecretAnswer, SqlError.SqlError> {
  if (answering === null) return yield* work
  const { idempotencyKey, inputDigest, sealedAnswer } = answering
  const [stored] = yield* decodeAnswers(sql`
    SELECT endpoint_id, input_digest, answer, ${sql.literal(afterStandby)} FROM webhook_answers
    WHERE organization_id = ${organizationId} AND idempotency_key = ${idempotencyKey}
      AND answered_at > statement_timestamp() - ${`${idempotencyMemoryHours} hours`}::interval
  `)
  if (stored !== undefined) return { _tag: "answered", ...stored }
  const done = yield* work
  if (done.endpoint !== undefined)
    yield* sql`
      INSERT INTO webhook_answers (organization_id, idempotency_key, endpoint_id, input_digest, answer, answered_at)
      VALUES (${organizationId}, ${idempotencyKey}, ${done.endpoint.id}, ${inputDigest}, ${sealedAnswer(done.endpoint)},
        statement_timestamp())
      ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET
        endpoint_id = excluded.endpoint_id, input_digest = excluded.input_digest,
        answer = excluded.answer, answered_at = excluded.answered_at
    `
  return done
})

const decodeAnswers = decodeRows(
  Schema.Struct({ endpointId: Schema.String, inputDigest: Schema.Uint8Array, answer: Schema.Uint8Array })
)

const levelRank = (level: ActionRiskLevel): number => actionRiskLevels.indexOf(level)

const selectEndpoints = (sql: Sql, organizationId: string, condition: Statement.Fragment, rowsMax: number) =>
  decodeEndpoints(sql`
    SELECT ${sql.literal(columns)} FROM webhook_endpoints WHERE organization_id = ${organizationId} AND ${condition}
    ORDER BY endpoint_id DESC LIMIT ${rowsMax}
  `)

/** Returns no row if the organization already has `endpointsMax` endpoints. */
const insertEndpoint = (
  sql: Sql,
  organizationId: string,
  endpoint: StoredEndpoint,
  sealed: Uint8Array,
  endpointsMax: number
) => sql`
  INSERT INTO webhook_endpoints (organization_id, secret, endpoint_id, url, format, events, least_rank, enabled, description,
    created_at)
  SELECT ${organizationId}::uuid, ${sealed}::bytea, ${endpoint.id}::uuid, ${endpoint.url},
    ${endpoint.format}, ${endpoint.events}::text[], ${levelRank(endpoint.minLevel)}::int, ${endpoint.enabled}::boolean,
    ${endpoint.description}, ${endpoint.createdAt}::timestamptz
  WHERE (SELECT count(*) FROM webhook_endpoints WHERE organization_id = ${organizationId}) < ${endpointsMax}
  RETURNING 1
`

/** A single statement, so that the second of two concurrent updates sees what the first one changed. */
const updateEndpoint = (
  sql: Sql,
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

const deleteEndpoint = (sql: Sql, organizationId: string, endpointId: string) => sql`
  WITH forgotten AS (
    DELETE FROM webhook_answers WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  )
  DELETE FROM webhook_endpoints WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING 1
`
