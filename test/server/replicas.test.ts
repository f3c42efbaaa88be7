/** Two processes on one database share one count of requests, and reject requests that they cannot count. */

import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Serving, serving } from "../support/actionRisk.ts"
import { ownDatabase, type OwnDatabase } from "../support/ownDatabase.ts"

const limit = 200
/** Far fewer at once than one organization may have in progress in a process. */
const clients = 32
const scope = Scope.makeUnsafe()
let database: OwnDatabase
let replicas: ReadonlyArray<Serving> = []

beforeAll(async () => {
  database = await Effect.runPromise(Scope.provide(ownDatabase, scope))
  const env = { ...database.env, RATE_LIMIT_TEST: String(limit) }
  replicas = await Promise.all([serving({ env }), serving({ env })])
})
afterAll(async () => {
  for (const replica of replicas) replica.signal("SIGTERM")
  await Promise.all(replicas.map(({ finished }) => finished))
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

/** Counted like any request, without further cost for the database, because the id is invalid. */
const ask = async (replica: Serving | undefined) => {
  const headers = { authorization: `Bearer ${database.key}` }
  const response = await fetch(`${replica?.url}/api/v1/assessments/none`, { headers })
  await response.arrayBuffer()
  return { status: response.status, window: response.headers.get("svc-ratelimit-reset") }
}

it("both together serve exactly as many requests as the limit allows", async () => {
  const answers: Array<Awaited<ReturnType<typeof ask>>> = []
  let asked = 0
  const client = async () => {
    while (asked < 3 * limit) answers.push(await ask(replicas[asked++ % 2]))
  }
  await Promise.all(Array.from({ length: clients }, client))
  const passed = answers.filter(({ status }) => status === 404)
  expect(answers.filter(({ status }) => status !== 404 && status !== 429)).toEqual([])
  const windows = [...new Set(answers.map(({ window }) => window))]
  for (const one of windows) {
    const asked = answers.filter(({ window }) => window === one).length
    const through = passed.filter(({ window }) => window === one).length
    // A minute may end meanwhile: then each has its own count.
    expect(through).toBe(Math.min(asked, limit))
  }
})

it("a request that cannot be counted is answered 503 and not served", async () => {
  database.proxy.setReachable(false)
  const answers = await Promise.all(replicas.flatMap((replica) => [ask(replica), ask(replica)]))
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  database.proxy.setReachable(true)
  const back = async () => [404, 429].includes((await ask(replicas[0])).status)
  await expect.poll(back, { timeout: 20_000 }).toBe(true)
})
