/** Two real servers, and a service configured with both: the primary is killed under load, or its synchronous standby is down. */

import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { setTimeout as sleep } from "node:timers/promises"
import type { Scope } from "../../src/domain/Caller.ts"
import { statusRefreshMs } from "../../src/limits.ts"
import { Database, roleLogins } from "../../src/storage/Database.ts"
import { openEmbeddedPostgres } from "../../src/storage/embeddedPostgres/EmbeddedPostgres.ts"
import { findPrimary } from "../../src/storage/findPrimary.ts"
import { migrate } from "../../src/storage/migrate.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { accounts, pepper } from "../support/FaultedService.ts"
import { actionRisk, serving } from "../support/actionRisk.ts"
import { assessOnce, randomFrom, runClients } from "../support/clients.ts"
import { freshDataDirectory, postmasterOf, removeDataDirectory } from "../support/dataDirectory.ts"
import { scaled, seed } from "../support/depth.ts"
import { newKey, newOrganization } from "../support/fullService.ts"
import { contradictions, type Kept } from "../support/historyChecker.ts"
import { startStandby } from "./standby.ts"

const urlOf = (sockets: string) => Redacted.make(`postgres://action_risk@localhost/postgres?host=${sockets}`)

const superuser = (socket: string) => PgClient.makeClient({ url: urlOf(socket) })

const environmentOf = (sockets: string) => ({
  DATABASE_URL: Redacted.value(urlOf(sockets)),
  KEY_PEPPER: pepper,
  RATE_LIMIT_TEST: "1000000",
  RATE_LIMIT_ANONYMOUS: "1000000",
  LOG_LEVEL: "error"
})

const newPrimary = Effect.gen(function* () {
  const dataDirectory = yield* Effect.acquireRelease(Effect.sync(freshDataDirectory), (directory) =>
    Effect.sync(() => removeDataDirectory(directory))
  )
  const url = yield* openEmbeddedPostgres({ dataDirectory, serving: false })
  yield* migrate(url)
  const key = yield* Effect.flatMap(newOrganization("acme"), (owner) =>
    newKey(owner, "test", everyScope)
  ).pipe(
    Effect.provide(accounts),
    Effect.provide(ControlSql.layer),
    Effect.provideService(Database, Database.of({ kind: "external", url, logins: roleLogins(url) }))
  )
  const socket = new URL(Redacted.value(url)).searchParams.get("host") ?? ""
  return { dataDirectory, key, socket }
})

const everyScope: ReadonlyArray<Scope> = ["assess", "read", "outcomes", "reviews", "webhooks"]

const postOf = (body: object, key?: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: key === undefined ? {} : { "idempotency-key": key }
})

const startService = (env: Readonly<Record<string, string>>, key: string) =>
  Effect.gen(function* () {
    const started = yield* Effect.acquireRelease(
      Effect.promise(() => serving({ env })),
      (service) => Effect.sync(() => service.signal("SIGKILL"))
    )
    const ask = async (path: string, init: RequestInit = {}) => {
      const startedAtMs = performance.now()
      const url = `${started.url}/api/v1${path}`
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers }
      try {
        const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(6_000) })
        return { status: response.status, body: await response.text(), ms: performance.now() - startedAtMs }
      } catch {
        return { status: null, body: "", ms: performance.now() - startedAtMs }
      }
    }
    const databaseHealth = async (): Promise<string> => {
      const response = await fetch(`${started.url}/api/public/v1/status`)
      const { components } = (await response.json()) as {
        readonly components: ReadonlyArray<{ readonly name: string; readonly status: string }>
      }
      return components.find(({ name }) => name === "database")?.status ?? ""
    }
    return { ask, databaseHealth }
  })

/** Milliseconds until it holds; Infinity if it did not within 20 s. */
const until = async (holds: () => Promise<boolean>): Promise<number> => {
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < 20_000) {
    if (await holds()) return performance.now() - startedAtMs
    await sleep(50)
  }
  return Infinity
}

describe(
  "a service configured with the primary and its standby",
  { timeout: scaled(120_000, 3_600_000) },
  () => {
    it.live(`loses nothing that it acknowledged when the standby is promoted under load; seed ${seed}`, () =>
      Effect.gen(function* () {
        const primary = yield* newPrimary
        const toPrimary = yield* superuser(primary.socket)
        const { socket: standbySocket } = yield* startStandby(
          primary.dataDirectory,
          primary.socket,
          toPrimary
        )
        // The standby comes first: the position in the list does not determine which server takes writes.
        const env = environmentOf(`${standbySocket},${primary.socket}`)
        const service = yield* startService(env, primary.key)
        const { stop, told } = runClients(service, randomFrom(seed), 8)
        yield* Effect.promise(() => sleep(scaled(3_000, 60_000)))

        process.kill(postmasterOf(primary.dataDirectory) ?? 0, "SIGKILL")
        const killedAt = told.length
        const isOut = async () => (await service.databaseHealth()) === "major_outage"
        expect(yield* Effect.promise(() => until(isOut))).toBeLessThan(10_000)

        const toStandby = yield* superuser(standbySocket)
        yield* toStandby`SELECT pg_promote()`
        const isBack = async () => (await assessOnce(service, "after", 1)).outcome === "ok"
        const backMs = yield* Effect.promise(() => until(isBack))
        const isUp = async () => (await service.databaseHealth()) === "operational"
        expect(yield* Effect.promise(() => until(isUp))).toBeLessThan(10_000)
        yield* Effect.promise(() => sleep(scaled(2_000, 60_000)))
        yield* Effect.promise(stop)
        expect(backMs).toBeLessThan(5_000)

        const kept = yield* toStandby<Kept>`
        SELECT convert_from(input, 'UTF8')::json #>> '{metadata,call}' AS call, assessment_id AS "assessmentId",
          convert_from(response, 'UTF8') AS response
        FROM test.assessments
      `
        const acknowledged = told.filter(({ outcome }) => outcome === "ok")
        console.info(
          `${acknowledged.length} acknowledged, ${Math.round(backMs)} ms from promotion to an answer`
        )
        expect(
          contradictions(
            told,
            kept.filter(({ call }) => call !== "after")
          )
        ).toEqual([])
        // A run without acknowledgements before and after the kill, or without failures between, would prove nothing.
        const outcomesSince = (from: number, to: number) =>
          new Set(told.slice(from, to).map(({ outcome }) => outcome))
        expect(outcomesSince(0, killedAt)).toContain("ok")
        expect(outcomesSince(killedAt, told.length)).toEqual(new Set(["ok", "refused", "unknown"]))

        // Commands find the promoted server by the same variable, and the chain is whole.
        const verified = yield* Effect.promise(() =>
          actionRisk(["evidence", "verify", "--org", "acme", "--mode", "test"], { env })
        )
        expect([verified.code, verified.stderr]).toEqual([0, ""])

        // The old primary takes writes when someone starts it again: of two such servers the promoted one is correct.
        const old = yield* openEmbeddedPostgres({ dataDirectory: primary.dataDirectory, serving: false })
        const { found } = yield* findPrimary([old, urlOf(standbySocket)])
        expect(found).toEqual({ place: 1, timeline: "00000002" })
      }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
    )

    it.live("answers nothing as stored while its synchronous standby is down, and says so", () =>
      Effect.gen(function* () {
        const primary = yield* newPrimary
        const toPrimary = yield* superuser(primary.socket)
        const standby = yield* startStandby(primary.dataDirectory, primary.socket, toPrimary)
        const service = yield* startService(environmentOf(`${primary.socket},${standby.socket}`), primary.key)
        const assess = (call: string, key?: string) =>
          Effect.promise(() => assessOnce(service, call, 1, key)).pipe(Effect.map(({ outcome }) => outcome))
        const healthBecomes = (health: string) =>
          Effect.promise(() => until(async () => (await service.databaseHealth()) === health))
        expect(yield* assess("before")).toBe("ok")
        expect(yield* healthBecomes("operational")).toBeLessThan(10_000)
        const post = (path: string, body: object, key?: string) =>
          Effect.promise(() => service.ask(path, postOf(body, key)))
        const payment = { action_type: "payments.transfer", financial_value: 900_000, currency: "USD" }
        const assessed = yield* post("/actions/assess", { ...payment, environment: "production" })
        const { assessment_id: id } = JSON.parse(assessed.body) as { readonly assessment_id: string }
        // Each acknowledges again what it acknowledged before.
        const repeated = Effect.all(
          [
            post(`/assessments/${id}/events`, { type: "executed" }, "outcome"),
            post(`/reviews/${id}/close`, { outcome: "risk_accepted" }),
            post(
              "/webhook-endpoints",
              { url: "https://hooks.acme.com/", events: ["assessment.completed"] },
              "hook"
            )
          ],
          { concurrency: "unbounded" }
        )
        const statusesOf = Effect.map(repeated, (answers) => answers.map(({ status }) => status))
        const refused = [503, 503, 503]

        yield* standby.stop
        expect(yield* statusesOf).toEqual(refused)
        // Each waits in the primary for the standby. A caller that retries must not learn that it is stored: it would be lost if
        // the primary failed now.
        expect(yield* assess("with a key", "k")).toBe("unknown")
        expect(yield* assess("with a key", "k")).toBe("unknown")
        expect(yield* assess("without a key")).toBe("unknown")
        expect(yield* healthBecomes("partial_outage")).toBeLessThan(15_000)
        const list = yield* Effect.promise(() => service.ask("/actions"))
        expect(list.status).toBe(200)
        // Checking adds no load: one commit of the status page waits in the server, however often it checks.
        yield* Effect.promise(() => sleep(2 * statusRefreshMs))
        const waiting = yield* toPrimary`
          SELECT FROM pg_stat_activity WHERE application_name = 'action-risk control' AND wait_event = 'SyncRep'
        `
        expect(waiting).toHaveLength(1)
        // If someone ends the wait, the primary has the row and the standby does not: its answer is not repeated yet.
        yield* toPrimary`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
        const onPrimary = toPrimary`
          SELECT FROM test.idempotency_keys, test.outcome_events, test.reviews, test.webhook_answers
          WHERE key = 'k' AND closed_at IS NOT NULL
        `
        expect(
          yield* Effect.promise(() => until(async () => (await Effect.runPromise(onPrimary)).length === 1))
        ).toBeLessThan(5_000)
        expect(yield* assess("with a key", "k")).toBe("unknown")
        expect(yield* statusesOf).toEqual(refused)

        yield* standby.start
        expect(yield* healthBecomes("operational")).toBeLessThan(20_000)
        expect(yield* assess("with a key", "k")).toBe("ok")
        expect(yield* statusesOf).toEqual([200, 200, 201])
        const toStandby = yield* superuser(standby.socket)
        const stored = yield* toStandby`
          SELECT FROM test.assessments WHERE convert_from(input, 'UTF8')::json #>> '{metadata,call}' = 'with a key'
        `
        expect(stored).toHaveLength(1)
      }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
    )
  }
)
