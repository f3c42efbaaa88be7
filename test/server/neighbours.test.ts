/** How others that ask for more than their share affect an organization: over real sockets, on a real database. */

import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Scope } from "../../src/domain/Caller.ts"
import { acquireMs } from "../../src/limits.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { superuser } from "../support/eraser.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

const scopes: ReadonlyArray<Scope> = ["assess", "read", "reviews", "webhooks"]

const get = Effect.fnUntraced(function* (key: string, path: string) {
  const { url } = yield* ListeningServer
  return yield* Effect.promise(async (signal) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
      signal
    })
    await response.arrayBuffer()
    return response.status
  })
})

const searchSeconds = 0.15

/** From now on a search for `heavy` takes long, as in a table that is larger than a test can fill. */
const makeHeavy = Effect.gen(function* () {
  const sql = yield* superuser
  yield* sql`
    CREATE OR REPLACE FUNCTION search_assessments(organization uuid, older_than uuid, pattern text, part text, request text, id uuid,
      rows_max int, looked_at int, looked_on_max int, looked_max int,
      OUT items_json text, OUT last_id uuid)
    LANGUAGE plpgsql STABLE AS $$
      BEGIN
        IF pattern = '%heavy%' THEN PERFORM pg_sleep(${sql.literal(String(searchSeconds))}); END IF;
      END
    $$`
}).pipe(Effect.scoped)

layer(fullService(), { excludeTestServices: true, timeout: "60 seconds" })("during a flood", (it) => {
  it.effect(
    "of searches by two organizations, others list at once, and search after one search of each",
    () =>
      Effect.gen(function* () {
        yield* makeHeavy
        const newKeyOf = (slug: string) =>
          Effect.flatMap(newOrganization(slug), (owner) => newKey(owner, "test", scopes))
        const floods = yield* Effect.forEach(["flood", "deluge"], newKeyOf)
        const neighbour = yield* newKeyOf("neighbour")
        const answered: Array<number> = []
        const floodOnce = (key: string) =>
          Effect.map(get(key, "/actions?q=heavy"), (status) => answered.push(status))
        const flooding = yield* Effect.forEach(floods, (key) =>
          Effect.forkChild(
            Effect.forEach(Array(20), () => Effect.forever(floodOnce(key)), {
              concurrency: "unbounded",
              discard: true
            })
          )
        )
        while (answered.length < 20) yield* Effect.sleep(20)

        const waits: Record<string, Array<number>> = {}
        for (const path of ["/actions", "/reviews", "/webhook-endpoints", "/actions?q=light"]) {
          for (let n = 0; n < 8; n++) {
            const beganMs = performance.now()
            expect([path, yield* get(neighbour, path)]).toEqual([path, 200])
            waits[path] = [...(waits[path] ?? []), performance.now() - beganMs]
          }
        }
        yield* Fiber.interruptAll(flooding)
        const medians = Object.fromEntries(
          Object.entries(waits).map(([path, ms]) => [
            path,
            ms.toSorted((x, y) => x - y)[ms.length >> 1] ?? Infinity
          ])
        )
        console.info(`beside floods of searches, median ms: ${JSON.stringify(medians)}`)
        // The flooding organization gets its turns too, and a refusal for the others.
        expect(new Set(answered)).toEqual(new Set([200, 503]))
        for (const path of ["/actions", "/reviews", "/webhook-endpoints"])
          expect(medians[path]).toBeLessThan(acquireMs)
      })
  )
})
