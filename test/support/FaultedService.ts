/** The service as a real process behind a proxy that fails its database, to be killed, restarted and asked over HTTP. */

import { Effect, Layer, Redacted, type Scope } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Database } from "../../src/storage/Database.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import type { ControlSql } from "../../src/storage/sql/Sql.ts"
import { serving, type Serving } from "./actionRisk.ts"
import { type FaultyProxy, faultyProxy } from "./faultyProxy.ts"
import { newKey, newOrganization } from "./fullService.ts"

export interface Answered {
  /** Null without an answer: whether the request took effect is unknown. */
  readonly status: number | null
  readonly body: string
  readonly ms: number
}

export interface FaultedService {
  readonly proxy: FaultyProxy
  /** `path` below `/api/v1`. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Answered>
  /** kill -9, and a start on the same database. */
  readonly restart: () => Promise<void>
  readonly stderr: () => string
}

export const pepper = "a pepper of these tests"

/** Makes organizations and keys for a process that has `pepper`. */
export const accounts = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
  Layer.provideMerge(KeyHasher.layer),
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] }))
)

/** As under `restart: unless-stopped`: a start that failed because of the database is retried. */
const supervised = async (start: () => Promise<Serving>, triesLeft = 20): Promise<Serving> => {
  try {
    return await start()
  } catch (error) {
    if (triesLeft === 0) throw error
    await sleep(250)
    return supervised(start, triesLeft - 1)
  }
}

export const faultedService: Effect.Effect<FaultedService, unknown, Scope.Scope | Database | ControlSql> =
  Effect.gen(function* () {
    const url = Redacted.value((yield* Database).url)
    const proxy = yield* faultyProxy(url)
    const key = yield* Effect.flatMap(newOrganization("acme"), (owner) => newKey(owner)).pipe(
      Effect.provide(accounts)
    )
    const start = () =>
      serving({
        env: {
          DATABASE_URL: proxy.through(url),
          KEY_PEPPER: pepper,
          RATE_LIMIT_TEST: "1000000",
          LOG_LEVEL: "error"
        }
      })
    const current: { process: Serving } = yield* Effect.acquireRelease(
      Effect.promise(async () => ({ process: await start() })),
      ({ process }) => Effect.sync(() => process.signal("SIGKILL"))
    )
    const ask: FaultedService["ask"] = async (path, init = {}) => {
      const startedAtMs = performance.now()
      const answered = (status: number | null, body: string) => ({
        status,
        body,
        ms: performance.now() - startedAtMs
      })
      try {
        const response = await fetch(`${current.process.url}/api/v1${path}`, {
          ...init,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers },
          signal: AbortSignal.timeout(6_000)
        })
        return answered(response.status, await response.text())
      } catch {
        return answered(null, "")
      }
    }
    const restart = async () => {
      current.process.signal("SIGKILL")
      await current.process.finished
      current.process = await supervised(start)
    }
    return { proxy, ask, restart, stderr: () => current.process.output().stderr }
  })
