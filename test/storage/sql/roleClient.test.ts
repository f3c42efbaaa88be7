/** Connections that a pool lends to single statements: what it counts, and for how long. */

import { expect, it } from "@effect/vitest"
import { Context, Effect, Fiber } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { acquireMs } from "../../../src/limits.ts"
import { prometheusName } from "../../../src/metrics.ts"
import { Database } from "../../../src/storage/Database.ts"
import { roleClient } from "../../../src/storage/sql/roleClient.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const name = "one-connection"

/** For the pool of that name: connections in use, and statements that wait for one. */
const counted = (): readonly [used: number, waiting: number] => {
  const metrics = PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: prometheusName })
  const valueOf = (metric: string) => {
    const line = metrics.split("\n").find((one) => one.startsWith(`${metric}{`) && one.includes(`"${name}"`))
    return Number(line?.split(" ").at(-1))
  }
  return [valueOf("db_client_connection_count"), valueOf("db_client_connection_pending_requests")]
}

/** Fails if the pool does not reach these counts within two seconds. */
const comesToCount = Effect.fnUntraced(function* (used: number, waiting: number) {
  for (let i = 0; i < 200 && String(counted()) !== String([used, waiting]); i++) yield* Effect.sleep(10)
  expect(counted()).toEqual([used, waiting])
})

const oneConnection = Effect.flatMap(Database, ({ url }) =>
  roleClient({ url, name, role: "action_risk_test", schema: "test", connectionsMax: 1 })
)

it.live("a statement counts while it waits and while it has a connection, and not once it has ended", () =>
  Effect.gen(function* () {
    const sql = yield* oneConnection
    const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkScoped(Effect.exit(effect))

    const running = yield* fork(sql`SELECT pg_sleep(10)`)
    yield* comesToCount(1, 0)
    const waiting = yield* fork(sql`SELECT 1`)
    yield* comesToCount(1, 1)
    yield* Fiber.interrupt(waiting)
    yield* comesToCount(1, 0)
    yield* Fiber.interrupt(running)
    yield* comesToCount(0, 0)

    yield* Effect.flip(sql`SELECT 1 / 0`)
    yield* comesToCount(0, 0)
    expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    yield* comesToCount(0, 0)

    const held = yield* fork(sql.withTransaction(sql`SELECT pg_sleep(1.5)`))
    yield* comesToCount(1, 0)
    yield* Effect.flip(sql`SELECT 1`)
    yield* comesToCount(1, 0)
    yield* Fiber.join(held)
    yield* comesToCount(0, 0)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)

it.live("a statement may take longer than the wait for its connection may", () =>
  Effect.gen(function* () {
    const sql = yield* oneConnection
    const seconds = (acquireMs + 400) / 1_000
    expect(yield* sql`SELECT 1 AS one FROM pg_sleep(${seconds})`).toEqual([{ one: 1 }])
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
