/** Webhook endpoints of the whole service on a real database: the service stores what it answers. */

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { scopes } from "../../src/domain/Caller.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

const all = "/api/v1/webhook-endpoints"

const asker = Effect.fnUntraced(function* (key: string) {
  const { url } = yield* ListeningServer
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    Effect.promise(async () => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
    })
})

describe("a webhook endpoint of the whole service", () => {
  it.live("lives from its creation to its deletion as it was told", () =>
    Effect.gen(function* () {
      const organization = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
      const ask = yield* asker(yield* newKey(organization, "test", scopes))
      const wanted = { url: "http://127.0.0.1:1/hook", events: ["assessment.completed", "assessment.high"] }
      const key = { "idempotency-key": "once" }
      const created = yield* ask("POST", all, wanted, key)
      const replayed = yield* ask("POST", all, wanted, key)
      expect([created.status, replayed.status, replayed.text]).toEqual([201, 201, created.text])
      expect([
        replayed.headers.get("svc-idempotent-replay"),
        created.headers.get("svc-idempotent-replay")
      ]).toEqual(["true", null])
      expect(replayed.headers.get("svc-request-id")).toBe(created.body.request_id)
      expect(replayed.headers.get("svc-replay-request-id")).not.toBe(created.body.request_id)
      expect((yield* ask("POST", all, { ...wanted, enabled: false }, key)).body.error.code).toBe(
        "IDEMPOTENCY_KEY_REUSED"
      )

      const one = `${all}/${created.body.id}`
      yield* ask("POST", "/api/v1/actions/assess", { action_type: "customer.update", environment: "staging" })
      const tested = yield* ask("POST", `${one}/test`)
      const { data } = (yield* ask("GET", `${one}/deliveries`)).body
      expect(data.map(({ type }: { type: string }) => type)).toEqual(["ping", "assessment.completed"])
      expect(data[0].id).toBe(tested.body.delivery_id)
      const again = yield* ask("POST", `/api/v1/webhook-deliveries/${data[1].id}/redeliver`)
      expect(again.status).toBe(202)
      const pending = (yield* ask("GET", `${one}/deliveries?status=pending`)).body.data
      expect(pending[0]).toMatchObject({ id: again.body.delivery_id, event_id: data[1].event_id })

      yield* ask("PATCH", one, { enabled: false, description: "off" })
      expect((yield* ask("POST", `${one}/test`)).body.error.details).toEqual([
        { field: "enabled", message: "must be true for anything to be sent" }
      ])
      expect((yield* ask("GET", one)).body).toMatchObject({ enabled: false, description: "off", ...wanted })
      expect((yield* ask("DELETE", one)).status).toBe(204)
      for (const [method, path] of [
        ["GET", one],
        ["DELETE", one],
        ["GET", `${one}/deliveries`],
        ["POST", `/api/v1/webhook-deliveries/${data[1].id}/redeliver`]
      ] as const)
        expect((yield* ask(method, path)).status).toBe(404)
    }).pipe(Effect.provide(fullService({ WEBHOOK_ALLOW_INSECURE: "loopback" })))
  )

  it.live(
    "is rejected for an address that must get nothing, including this machine unless the operator permits it",
    () =>
      Effect.gen(function* () {
        const organization = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
        const ask = yield* asker(yield* newKey(organization, "test", ["webhooks"]))
        const { body, status } = yield* ask("POST", all, { url: "http://127.0.0.1:1/", events: ["ping"] })
        expect([status, body.error.details[0].field]).toEqual([422, "url"])
        expect((yield* ask("GET", "/api/v1/actions")).body.error.code).toBe("INSUFFICIENT_SCOPE")
      }).pipe(Effect.provide(fullService()))
  )
})
