/** A real process whose database fails in every way: nothing acknowledged is lost or stored twice, and the process recovers. */

import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import { setTimeout as sleep } from "node:timers/promises"
import { type Mode, modes } from "../../src/domain/Caller.ts"
import { Database, roleLogins } from "../../src/storage/Database.ts"
import { openEmbeddedPostgres } from "../../src/storage/embeddedPostgres/EmbeddedPostgres.ts"
import { migrate } from "../../src/storage/migrate.ts"
import { sqlLayer } from "../../src/storage/sql/Sql.ts"
import { type FaultedService, faultedService } from "../support/FaultedService.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { assessOnce, randomFrom, runClients } from "../support/clients.ts"
import { freshDataDirectory, postmasterOf, removeDataDirectory } from "../support/dataDirectory.ts"
import { long, scaled, seed } from "../support/depth.ts"
import { faults } from "../support/faultyProxy.ts"
import { contradictions, type Kept, type Told } from "../support/historyChecker.ts"
import { miscounted } from "../support/recount.ts"

const dataDirectory = long ? freshDataDirectory() : ""

/** A separate server can be killed; its commits are on disk before it acknowledges them. */
const ownServer = sqlLayer.pipe(
  Layer.provideMerge(
    Layer.effect(
      Database,
      Effect.gen(function* () {
        yield* Effect.addFinalizer(() => Effect.sync(() => removeDataDirectory(dataDirectory)))
        const url = yield* openEmbeddedPostgres({ dataDirectory, serving: true })
        yield* migrate(url)
        return Database.of({ kind: "external", url, logins: roleLogins(url) })
      })
    )
  )
)

/** As the owner, past the proxy and for as long as it takes: comparing an hour's rows exceeds the time limit of a statement. */
const directly = <A, E>(mode: Mode, use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const { url } = yield* Database
    return yield* PgClient.makeClient({ url, startupParameters: { search_path: mode } }).pipe(
      Effect.flatMap(use),
      Effect.scoped,
      Effect.provide(Reactivity.layer)
    )
  })

const killBackends = directly(
  "test",
  (sql) => sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'action-risk %' AND pid <> pg_backend_pid()
  `
)

const killServer = Effect.gen(function* () {
  const postmaster = postmasterOf(dataDirectory)
  if (postmaster !== null) process.kill(postmaster, "SIGKILL")
  // The new one takes connections before it has rewritten its lock file, or the other way round.
  yield* Effect.promise(() => sleep(2_500))
  // On a busy machine it reads its log for longer, and later errors would not be the service's fault.
  yield* Effect.retry(
    directly("test", (sql) => sql`SELECT 1`),
    { times: 240, schedule: Schedule.spaced("250 millis") }
  )
})

const storedOf = directly(
  "test",
  (sql) => sql<Kept>`
    SELECT convert_from(input, 'UTF8')::json #>> '{metadata,call}' AS call, assessment_id AS "assessmentId",
      convert_from(response, 'UTF8') AS response
    FROM assessments
  `
)

/** Assessments that are not sealed exactly once, or out of place; empty where each has one seal. */
const unsealedOrTwice = directly(
  "test",
  (sql) => sql`
    SELECT assessment_id FROM assessments LEFT JOIN seals USING (organization_id, assessment_id)
    WHERE sequence IS NULL
    UNION ALL SELECT assessment_id FROM unsealed
    UNION ALL SELECT assessment_id FROM (
      SELECT assessment_id, sequence, row_number() OVER (PARTITION BY organization_id ORDER BY sequence) AS place FROM seals
    ) AS placed WHERE sequence <> place
  `
)

/** Milliseconds until the service answers 200 again; a request is sent every 20 ms, whether or not earlier ones are answered. */
const untilAnswered = async (service: FaultedService, name: string): Promise<number> => {
  const startedAtMs = performance.now()
  const answered = Promise.withResolvers<number>()
  const askOnce = async (n: number) => {
    const { outcome } = await assessOnce(service, `${name} ${n}`, 1)
    if (outcome === "ok") answered.resolve(performance.now() - startedAtMs)
  }
  const asked: Array<Promise<void>> = []
  const asking = setInterval(() => asked.push(askOnce(asked.length)), 20)
  const ms = await Promise.race([answered.promise, sleep(8_000, Infinity, { ref: false })])
  clearInterval(asking)
  await Promise.all(asked)
  return ms
}

const posting = (metadata: object, key?: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify({ action_type: "customer.update", environment: "staging", metadata }),
  headers: key === undefined ? {} : { "idempotency-key": key }
})

/** One of each thing that needs the database. */
const askAll = (service: FaultedService) =>
  Promise.all([
    ...Array.from({ length: 8 }, () => service.ask("/actions/assess", posting({}))),
    ...Array.from({ length: 4 }, (_, i) => service.ask("/actions/assess", posting({}, `during ${i % 2}`))),
    service.ask("/actions?q=nothing"),
    service.ask("/assessments/01890a5d-ac96-774b-bcce-b302099a8057")
  ])

describe("a service whose database fails", { timeout: scaled(60_000, 3_600_000) }, () => {
  it.live("answers 503 within 3 s, and 200 within 2 s once the database is back", () =>
    Effect.gen(function* () {
      const service = yield* faultedService
      const { proxy } = service
      yield* Effect.promise(async () => {
        await askAll(service)
        for (let round = 0; round < scaled(1, 20); round++) {
          proxy.setSilent(true)
          for (const { ms, status } of await askAll(service)) {
            expect([status, ms < 3_000]).toEqual([503, true])
          }
          // At the worst moment: everything that can get stuck was sent just before.
          const stuck = askAll(service)
          await sleep(50 + 100 * (round % 5))
          proxy.setSilent(false)
          expect(await untilAnswered(service, `after silence ${round}`)).toBeLessThan(2_000)
          await stuck
          proxy.setReachable(false)
          for (const { ms, status } of await askAll(service)) {
            expect([status, ms < 3_000]).toEqual([503, true])
          }
          proxy.setReachable(true)
          expect(await untilAnswered(service, `after absence ${round}`)).toBeLessThan(2_000)
        }
      })
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )

  it.live(`keeps what it acknowledged, once, through every fault; seed ${seed}`, () =>
    Effect.gen(function* () {
      const service = yield* faultedService
      const { proxy } = service
      const random = randomFrom(seed)
      const pause = (mostMs: number) => Effect.promise(() => sleep(random() * mostMs))
      const { stop, told } = runClients(service, random, 16)
      for (let round = 0; round < scaled(1, 100); round++) {
        yield* pause(500)
        for (const fault of faults) {
          yield* pause(150)
          // An empty marker is in every message: the next one that any connection sends.
          proxy.failOnce(fault, "")
        }
        yield* pause(150)
        yield* killBackends
        yield* pause(300)
        proxy.setReachable(false)
        yield* pause(200)
        proxy.setReachable(true)
        if (round % 10 === 0) {
          yield* pause(200)
          proxy.setSilent(true)
          yield* pause(scaled(300, 4_000))
          proxy.setSilent(false)
        }
        if (long && round % 10 === 5) yield* killServer
        yield* pause(1_000)
        yield* Effect.promise(service.restart)
      }
      yield* Effect.promise(() => untilAnswered(service, "at the end"))
      yield* pause(1_000)
      yield* Effect.promise(stop)
      yield* expectTrue(service, told)
    }).pipe(Effect.scoped, Effect.provide(long ? ownServer : TestDatabase.layer))
  )
})

const expectTrue = Effect.fnUntraced(function* (service: FaultedService, told: ReadonlyArray<Told>) {
  const waited = Effect.promise(() => sleep(100))
  yield* Effect.repeat(Effect.andThen(waited, unsealedOrTwice), {
    until: (rows) => rows.length === 0,
    times: 150
  })
  expect(yield* unsealedOrTwice).toEqual([])
  const kept = yield* storedOf
  const ours = kept.filter(({ call }) => !call.startsWith("at the end"))
  expect(contradictions(told, ours)).toEqual([])
  for (const mode of modes) expect(yield* directly(mode, miscounted)).toEqual([])
  const outcomes = new Set(told.map(({ outcome }) => outcome))
  // A run in which nothing was refused or left open would prove nothing.
  expect(outcomes).toEqual(new Set(["ok", "refused", "unknown"]))
  const acknowledged = kept.filter(({ response }) => told.some(({ body }) => body === response))
  expect(acknowledged.length).toBeGreaterThan(scaled(30, 5_000))
  // The proxy is in this process: while so much was compared, the service's database was silent.
  yield* Effect.promise(() => untilAnswered(service, "at the end, compared"))
  for (const { assessmentId, response } of acknowledged.slice(-scaled(100, 2_000))) {
    const { body, status } = yield* Effect.promise(() => service.ask(`/assessments/${assessmentId}`))
    const answer = response.slice(0, -1)
    expect([status, body.slice(0, answer.length)]).toEqual([200, answer])
  }
})
