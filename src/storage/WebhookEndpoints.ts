/** Who wants to hear of what: the webhook endpoints of both modes, each inside its organization. */

import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { ActionRiskLevel } from "../domain/Level.ts"
import type { WebhookEventType } from "../domain/WebhookEvent.ts"
import type { Owner } from "./AssessmentRecord.ts"
import { makeOwnerTurns } from "./makeOwnerTurns.ts"
import { ResourceSql } from "./Sql.ts"
import { type Answered, type Answering, findAnswer, keepAnswer } from "./webhookEndpoints/answers.ts"
import { endpointOfRow } from "./webhookEndpoints/row.ts"
import {
  deleteEndpoint,
  insertEndpoint,
  replaceSecret,
  selectEndpoint,
  selectEndpoints,
  updateEndpoint
} from "./webhookEndpoints/statements.ts"

export interface WebhookEndpoint {
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
export type EndpointChanges = Partial<Omit<WebhookEndpoint, "id" | "createdAt">>

export interface EndpointPage {
  /** Only ids less than this one. */
  readonly before: string | undefined
  readonly limit: number
}

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

interface Done<Tag extends string> {
  readonly _tag: Tag
}

export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** `sealed`: the encrypted secret. `full` where the organization has `endpointsMax` endpoints. */
    readonly create: (
      owner: Owner,
      endpoint: WebhookEndpoint,
      sealed: Uint8Array,
      endpointsMax: number,
      answering: Answering | null
    ) => Stored<Done<"created"> | Done<"full"> | Answered>
    /**
     * `sealed`: the new encrypted secret. The one before it signs too for a while; one that this had replaced itself, and
     * that still did, stops at once.
     */
    readonly rotate: (
      owner: Owner,
      endpointId: string,
      sealed: Uint8Array,
      answering: Answering | null
    ) => Stored<(Done<"rotated"> & { readonly endpoint: WebhookEndpoint }) | Done<"unknown"> | Answered>
    readonly find: (owner: Owner, endpointId: string) => Stored<WebhookEndpoint | undefined>
    /** Newest first. */
    readonly page: (owner: Owner, query: EndpointPage) => Stored<ReadonlyArray<WebhookEndpoint>>
    /** Enabling it, or another URL, forgets since when it has been failing. */
    readonly update: (
      owner: Owner,
      endpointId: string,
      changes: EndpointChanges
    ) => Stored<WebhookEndpoint | undefined>
    /** False where there is none. Its deliveries are the relay's to clear away. */
    readonly remove: (owner: Owner, endpointId: string) => Stored<boolean>
  }
>()("action-risk/storage/WebhookEndpoints") {
  /** Needs `ResourceSql`. */
  static readonly layer = Layer.effect(
    WebhookEndpoints,
    Effect.gen(function* () {
      const clients = yield* ResourceSql
      const inTurnHere = makeOwnerTurns()

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
        answering: Answering | null,
        work: Stored<A>
      ): Stored<A | Answered> => {
        if (answering === null) return inTurn(owner, work)
        const { idempotencyKey } = answering
        const answered = findAnswer(clients.for(owner.mode), owner.organizationId, idempotencyKey)
        return inTurn(
          owner,
          Effect.flatMap(answered, (answer): Stored<A | Answered> => (answer ? Effect.succeed(answer) : work))
        )
      }

      const create = Effect.fn("WebhookEndpoints.create")((
        owner: Owner,
        endpoint: WebhookEndpoint,
        sealed: Uint8Array,
        endpointsMax: number,
        answering: Answering | null
      ) => {
        const sql = clients.for(owner.mode)
        const { organizationId } = owner
        const work = Effect.gen(function* () {
          const inserted = yield* insertEndpoint(sql, organizationId, endpoint, sealed, endpointsMax)
          if (inserted.length === 0) return { _tag: "full" as const }
          if (answering !== null) yield* keepAnswer(sql, organizationId, endpoint, answering)
          return { _tag: "created" as const }
        })
        return onceInTurn(owner, answering, work)
      })

      const rotate = Effect.fn("WebhookEndpoints.rotate")((
        owner: Owner,
        endpointId: string,
        sealed: Uint8Array,
        answering: Answering | null
      ) => {
        const sql = clients.for(owner.mode)
        const { organizationId } = owner
        const work = Effect.gen(function* () {
          const [row] = yield* replaceSecret(sql, organizationId, endpointId, sealed)
          if (row === undefined) return { _tag: "unknown" as const }
          const endpoint = endpointOfRow(row)
          if (answering !== null) yield* keepAnswer(sql, organizationId, endpoint, answering)
          return { _tag: "rotated" as const, endpoint }
        })
        return onceInTurn(owner, answering, work)
      })

      const find = Effect.fn("WebhookEndpoints.find")(function* (owner: Owner, endpointId: string) {
        const [row] = yield* selectEndpoint(clients.for(owner.mode), owner.organizationId, endpointId)
        return row && endpointOfRow(row)
      })

      const page = Effect.fn("WebhookEndpoints.page")(function* (owner: Owner, query: EndpointPage) {
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

      return WebhookEndpoints.of({ create, rotate, find, page, update, remove })
    })
  )
}
