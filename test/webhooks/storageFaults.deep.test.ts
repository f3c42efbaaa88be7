import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, References, Result, Schedule } from "effect"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { WebhookSecrets } from "../../src/storage/webhooks/WebhookSecrets.ts"
import { Deliveries } from "../../src/webhooks/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { caller } from "../support/assessCall.ts"
import { long } from "../support/depth.ts"
import { createEndpoint, secretCall } from "../support/endpointCall.ts"
import { faults, type FaultyProxy, proxiedDatabase } from "../support/faultyProxy.ts"
import { secretsUnder } from "../support/secretsUnder.ts"

const secrets = secretsUnder("pepper")

/** The use cases behind a proxy, on a database that the test itself reaches directly. */
const behindProxy = <A, E>(
  test: (
    proxy: FaultyProxy
  ) => Effect.Effect<A, E, Endpoints | Deliveries | WebhookSecrets | Layer.Success<typeof TestDatabase.layer>>
) =>
  Effect.gen(function* () {
    const { proxiedSql, proxy } = yield* proxiedDatabase
    const services = Layer.mergeAll(Endpoints.layer, Deliveries.layer).pipe(
      Layer.provide(proxiedSql),
      Layer.provideMerge(secrets)
    )
    return yield* test(proxy).pipe(Effect.provide(services))
  }).pipe(
    Effect.provide(TestDatabase.layer),
    Effect.scoped,
    // Every fault is logged, and there are many.
    Effect.provideService(References.MinimumLogLevel, "None")
  )

/** Three seconds; next to other tests this shows how fast the machine was, so it only proves that a bound exists. */
const mostMs = long ? 3_000 : 8_000

const inBoundedTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const startedAtMs = performance.now()
    const result = yield* Effect.result(effect)
    expect(performance.now() - startedAtMs).toBeLessThan(mostMs)
    return result
  })

const spaced = Schedule.spaced("100 millis")
const unavailable = { code: "ASSESSMENT_UNAVAILABLE" }

describe("a database that fails under webhook endpoints", { timeout: 120_000 }, () => {
  const whole = faults.flatMap((fault) => [["the row", fault] as const, ["the COMMIT", fault] as const])
  const telling = [
    ["the row", "torn"],
    ["the row", "black hole"],
    ["the COMMIT", "unanswered"],
    ["the COMMIT", "unheard"],
    ["the COMMIT", "black hole"]
  ] as const
  for (const [what, fault] of long ? whole : telling) {
    const marker = what === "the row" ? "hooks.example" : "COMMIT"
    it.live(
      `when ${what} is ${fault}, sending again with the key makes one endpoint and tells its one secret`,
      () =>
        behindProxy((proxy) =>
          Effect.gen(function* () {
            const owner = caller()
            proxy.failOnce(fault, marker)
            const first = yield* inBoundedTime(createEndpoint(owner, {}, "key"))
            if (Result.isFailure(first)) expect(first.failure).toMatchObject(unavailable)
            // The server of a lost connection gives up or finishes by itself what it still holds.
            const again = yield* Effect.retry(createEndpoint(owner, {}, "key"), {
              schedule: spaced,
              times: 20
            })
            if (Result.isSuccess(first)) expect(again).toEqual(first.success)
            const sql = (yield* ModeSql).for("test")
            const rows = yield* sql<{ readonly secret: Uint8Array }>`
              SELECT secret FROM webhook_endpoints WHERE organization_id = ${owner.organizationId}
            `
            expect(rows).toHaveLength(1)
            const { open } = yield* WebhookSecrets
            const signs = yield* open({ ...owner, endpointId: again.id }, rows[0]?.secret ?? Buffer.alloc(0))
            expect(Redacted.value(signs)).toBe(again.secret)
          })
        )
    )
  }

  for (const [name, take, give] of [
    ["is down", (proxy) => proxy.setReachable(false), (proxy) => proxy.setReachable(true)],
    ["answers nothing", (proxy) => proxy.setSilent(true), (proxy) => proxy.setSilent(false)]
  ] satisfies ReadonlyArray<[string, ...ReadonlyArray<(proxy: FaultyProxy) => void>]>) {
    it.live(
      `one that ${name} gives ASSESSMENT_UNAVAILABLE in bounded time to every operation, and works when it is back`,
      () =>
        behindProxy((proxy) =>
          Effect.gen(function* () {
            const owner = caller()
            const { change, get, list, remove, rotateSecret } = yield* Endpoints
            const deliveries = yield* Deliveries
            const { id } = yield* createEndpoint(owner)
            const { delivery_id } = yield* deliveries.test(owner, id, "req")
            take(proxy)
            const asked: ReadonlyArray<Effect.Effect<unknown, unknown, Endpoints>> = [
              createEndpoint(owner),
              list(owner, { limit: 1, cursor: null }, "req"),
              get(owner, id, "req"),
              change(owner, id, { enabled: false }, "req"),
              rotateSecret(secretCall(owner), id),
              remove(owner, id),
              deliveries.list(owner, id, { limit: 1, cursor: null, status: null }, "req"),
              deliveries.test(owner, id, "req"),
              deliveries.redeliver(owner, delivery_id, "req")
            ]
            const told = yield* Effect.forEach(asked, inBoundedTime, { concurrency: asked.length })
            for (const one of told) expect(one).toMatchObject({ failure: unavailable })
            give(proxy)
            const back = yield* Effect.retry(get(owner, id, "req"), { schedule: spaced, times: 50 })
            expect(back).toMatchObject({ id, enabled: true })
          })
        )
    )
  }
})
