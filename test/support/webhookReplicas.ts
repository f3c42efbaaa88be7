/** One or more processes of the service on one database that send webhooks to this machine, with endpoints to make. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { Database } from "../../src/storage/Database.ts"
import type { ControlSql } from "../../src/storage/sql/Sql.ts"
import { accounts, pepper } from "./FaultedService.ts"
import { serving, type Serving } from "./actionRisk.ts"
import { newKey, newOrganization } from "./fullService.ts"
import { waitUntil } from "./waitUntil.ts"

export interface NewEndpoint {
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly min_level?: string
}

export interface WebhookReplicas {
  readonly organizationId: string
  readonly replicas: ReadonlyArray<Serving>
  /** `path` below `/api/v1`, sent to the replicas in turn; null without an answer. */
  readonly ask: (
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>
  ) => Promise<Response | null>
  readonly createEndpoint: (
    endpoint: NewEndpoint
  ) => Promise<{ readonly id: string; readonly secret: string }>
  /** Returns the new secret. */
  readonly rotateSecret: (endpointId: string) => Promise<string>
  /** kill -9, and a start on the same database. */
  readonly restart: (replica: number) => Promise<void>
  /** SIGTERM to all; resolves once they have ended: nothing is sent after that. */
  readonly stop: () => Promise<void>
  /** Resolves once all deliveries waiting for these endpoints are marked as delivered. */
  readonly untilDelivered: (endpointIds: ReadonlyArray<string>) => Promise<void>
  /** One statement on the database, as its owner. */
  readonly directly: <A extends object>(statement: string) => Effect.Effect<ReadonlyArray<A>>
  /** `effect` while a transaction of the owner holds what `statement` locks. */
  readonly holding: <A>(statement: string, effect: Effect.Effect<A>) => Effect.Effect<A>
}

export const webhookReplicas = (
  count: number
): Effect.Effect<WebhookReplicas, unknown, Scope.Scope | Database | ControlSql> =>
  Effect.gen(function* () {
    const { url } = yield* Database
    const { key, organizationId } = yield* Effect.gen(function* () {
      const owner = yield* newOrganization("acme")
      return {
        key: yield* newKey(owner, "test", ["assess", "read", "reviews", "webhooks"]),
        organizationId: owner.id
      }
    }).pipe(Effect.provide(accounts))
    const start = () =>
      serving({
        env: {
          DATABASE_URL: Redacted.value(url),
          KEY_PEPPER: pepper,
          RATE_LIMIT_TEST: "1000000",
          RATE_LIMIT_STORE: "memory",
          WEBHOOK_ALLOW_INSECURE: "loopback",
          LOG_LEVEL: "error"
        }
      })
    const replicas = yield* Effect.acquireRelease(
      Effect.promise(() => Promise.all(Array.from({ length: count }, start))),
      (started) =>
        // A test may have already ended one.
        Effect.forEach(started, (replica) => Effect.ignore(Effect.try(() => replica.signal("SIGKILL"))))
    )
    let turn = 0
    const ask: WebhookReplicas["ask"] = async (method, path, body, headers = {}) => {
      const replica = replicas[turn++ % count]
      try {
        return await fetch(`${replica?.url}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
          signal: AbortSignal.timeout(6_000),
          ...(body !== undefined && { body: JSON.stringify(body) })
        })
      } catch {
        return null
      }
    }
    const withSecret = async (path: string, body?: object) => {
      const answer = await ask("POST", path, body)
      if (answer === null || !answer.ok) throw new Error(`no secret: ${await answer?.text()}`)
      return (await answer.json()) as { id: string; secret: string }
    }
    const owner = yield* PgClient.makeClient({ url }).pipe(Effect.provide(Reactivity.layer))
    const directly = <A extends object>(statement: string) => Effect.orDie(owner.unsafe<A>(statement))
    return {
      organizationId,
      replicas,
      ask,
      createEndpoint: (endpoint) => withSecret("/webhook-endpoints", endpoint),
      rotateSecret: async (id) => (await withSecret(`/webhook-endpoints/${id}/rotate-secret`)).secret,
      restart: async (number) => {
        const replica = replicas[number]
        replica?.signal("SIGKILL")
        await replica?.finished
        replicas[number] = await start()
      },
      stop: async () => {
        for (const replica of replicas) replica.signal("SIGTERM")
        await Promise.all(replicas.map(({ finished }) => finished))
      },
      untilDelivered: async (endpointIds) => {
        const left = directly<{ readonly count: number }>(`
          SELECT count(*)::int AS count FROM test.webhook_deliveries
          WHERE status <> 'delivered' AND endpoint_id::text IN (${endpointIds.map((id) => `'${id}'`).join()})
        `)
        await Effect.runPromise(waitUntil(left, ([row]) => row?.count === 0))
      },
      directly,
      holding: (statement, effect) =>
        Effect.orDie(owner.withTransaction(Effect.andThen(owner.unsafe(statement), effect)))
    }
  })
