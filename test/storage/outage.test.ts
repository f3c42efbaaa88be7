import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { Database } from "../../src/storage/Database.ts"
import { roleClient } from "../../src/storage/sql/roleClient.ts"
import { classifyDatabaseFailure } from "../../src/storage/storageErrors.ts"
import { type SocketProxy, socketProxy } from "./SocketProxy.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

/** A client with two connections whose database can be cut off. */
const withProxy = Effect.gen(function* () {
  const { url } = yield* Database
  const direct = new URL(Redacted.value(url))
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => socketProxy(direct.searchParams.get("host") ?? "")),
    ({ close }) => Effect.promise(close)
  )
  direct.searchParams.set("host", proxy.folder)
  const sql = yield* roleClient({
    url: Redacted.make(direct.href),
    role: "action_risk_test",
    schema: "test",
    connectionsMax: 2
  })
  return { proxy, sql }
})

describe.concurrent("a database that is down", () => {
  // The bounds are of wall time, and a machine that stalls for a second breaks each of them: only a second failure is our fault.
  const claim = (name: string, body: Effect.Effect<void, unknown, Effect.Services<typeof withProxy>>) =>
    it.live(name, () => body.pipe(Effect.scoped, Effect.provide(TestDatabase.layer)), { retry: 2 })

  claim(
    "that refuses connections fails at once and serves again without a restart of ours",
    Effect.gen(function* () {
      const { proxy, sql } = yield* withProxy
      yield* sql`SELECT 1`
      yield* Effect.promise(proxy.cut)
      for (const _ of Array(5).keys()) {
        const { error, ms } = yield* timedFailure(sql`SELECT 1`)
        expect([classifyDatabaseFailure(error), ms < 600]).toEqual(["unavailable", true])
      }
      yield* Effect.promise(proxy.restore)
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    })
  )

  claim(
    "that never answers fails each statement in time, also while others wait, and serves again",
    Effect.gen(function* () {
      const { proxy, sql } = yield* withProxy
      yield* sql`SELECT 1`
      proxy.silence()
      const failures = yield* Effect.forEach(Array(6).keys(), () => timedFailure(sql`SELECT 1`), {
        concurrency: 6
      })
      for (const { error, ms } of failures) {
        expect([classifyDatabaseFailure(error), ms < 3_200]).toEqual(["unavailable", true])
      }
      proxy.resume()
      expect(yield* recovered(sql`SELECT 1 AS one`)).toBeLessThan(2_500)
    })
  )

  claim(
    "in the middle of a transaction is a failure and no defect",
    Effect.gen(function* () {
      const { proxy, sql } = yield* withProxy
      for (const fault of [proxy.cut, async () => proxy.silence()]) {
        const exit = yield* Effect.exit(
          sql.withTransaction(
            Effect.andThen(Effect.andThen(sql`SELECT 1`, Effect.promise(fault)), sql`SELECT 2`)
          )
        )
        expect(failureOf(exit)).toBe("unavailable")
        yield* heal(proxy)
        expect(yield* recovered(sql`SELECT 1`)).toBeLessThan(2_500)
      }
    })
  )

  claim(
    "at COMMIT is a failure in time, whose outcome has to be looked up",
    Effect.gen(function* () {
      const { proxy, sql } = yield* withProxy
      const startedAt = performance.now()
      const exit = yield* Effect.exit(
        sql.withTransaction(Effect.tap(sql`SELECT 1`, () => Effect.sync(proxy.silence)))
      )
      expect([failureOf(exit), performance.now() - startedAt < 3_200]).toEqual(["unavailable", true])
    })
  )

  claim(
    "by its own connections all being in use fails the next statement in half a second",
    Effect.gen(function* () {
      const { sql } = yield* withProxy
      const holding = sql.withTransaction(Effect.andThen(sql`SELECT 1`, Effect.sleep("1500 millis")))
      yield* Effect.forkScoped(Effect.all([holding, holding], { concurrency: 2 }))
      yield* Effect.sleep("200 millis")
      const { error, ms } = yield* timedFailure(sql`SELECT 1`)
      expect([classifyDatabaseFailure(error), ms >= 450 && ms < 900]).toEqual(["unavailable", true])
      yield* Effect.sleep("1500 millis")
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    })
  )

  claim(
    "because a statement takes too long fails with the server's own limit",
    Effect.gen(function* () {
      const { sql } = yield* withProxy
      const { error, ms } = yield* timedFailure(sql`SELECT pg_sleep(10)`)
      expect([classifyDatabaseFailure(error), ms < 2_400]).toEqual(["unavailable", true])
    })
  )

  claim(
    "does not hold up a caller who gives up",
    Effect.gen(function* () {
      const { proxy, sql } = yield* withProxy
      yield* sql`SELECT 1`
      proxy.silence()
      const startedAt = performance.now()
      yield* Effect.timeoutOption(sql`SELECT 1`, "100 millis")
      expect(performance.now() - startedAt).toBeLessThan(400)
    })
  )
})

const timedFailure = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) => {
  const startedAt = performance.now()
  return Effect.map(Effect.flip(statement), (error) => ({ error, ms: performance.now() - startedAt }))
}

/** The time until the statement worked again. */
const recovered = <A>(statement: Effect.Effect<A, SqlError.SqlError>) => {
  const startedAt = performance.now()
  return Effect.map(Effect.retry(statement, { times: 20 }), () => performance.now() - startedAt)
}

const failureOf = (exit: Exit.Exit<unknown, SqlError.SqlError>) =>
  Exit.isFailure(exit) && !Cause.hasDies(exit.cause)
    ? classifyDatabaseFailure(Cause.squash(exit.cause))
    : exit

const heal = (proxy: SocketProxy) =>
  Effect.promise(async () => {
    proxy.resume()
    await proxy.cut()
    await proxy.restore()
  })
