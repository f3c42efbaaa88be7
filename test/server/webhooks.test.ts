/** Webhook endpoints as HTTP resources: statuses, headers, and every problem at once. */

import { describe, expect, it } from "vitest"
import { exampleEndpointRequest } from "../../src/api/examples/examples.ts"
import { keys, storedId, testServer } from "../support/TestServer.ts"
import { expectHeaders } from "../support/expectRefusal.ts"
import { request, sendRaw } from "../support/rawHttp.ts"
import { runServer } from "../support/runServer.ts"

const { port } = runServer(testServer())

const all = "/api/v1/webhook-endpoints"
const one = `${all}/${storedId}`
const redelivery = `/api/v1/webhook-deliveries/${storedId}/redeliver`

const ask = async (method: string, path: string, body?: string) => {
  const headers = [`Authorization: Bearer ${keys.test}`]
  const [response] = await sendRaw(
    port(),
    request({ method, path, headers, ...(body !== undefined && { body }) })
  )
  if (response === undefined) throw new Error("no answer")
  return response
}

const created = JSON.stringify(exampleEndpointRequest)

describe("webhook endpoints over HTTP", () => {
  it.each([
    ["POST", all, created, 201],
    ["GET", all, undefined, 200],
    ["GET", `${all}?limit=1&cursor=2026-01-01T00:00:00Z&status=x`, undefined, 200],
    ["GET", one, undefined, 200],
    ["PATCH", one, '{"description":null}', 200],
    ["PATCH", one, "{}", 200],
    ["POST", `${one}/rotate-secret`, undefined, 200],
    ["POST", `${one}/rotate-secret`, "{}", 200],
    ["POST", `${one}/test`, undefined, 202],
    ["GET", `${one}/deliveries?status=dead&limit=100`, undefined, 200],
    ["POST", redelivery, undefined, 202]
  ])("%s %s with %s answers %i with every header", async (method, path, body, status) => {
    const response = await ask(method, path, body)
    expect(response.status).toBe(status)
    expectHeaders(response)
    expect(response.headers["cache-control"]).toBe("no-store")
    expect(response.headers["content-type"]).toBe("application/json")
    expect(JSON.parse(response.body)).toMatchObject({
      api_version: "v1",
      environment_mode: "test",
      request_id: response.headers["svc-request-id"]
    })
  })

  it("answer a deletion with every header and nothing else", async () => {
    const { body, headers, status } = await ask("DELETE", one)
    expectHeaders({ body, headers, status })
    expect([status, body, headers["content-type"], headers["cache-control"]]).toEqual([
      204,
      "",
      undefined,
      "no-store"
    ])
  })

  it("answer HEAD where they answer GET", async () => {
    for (const path of [all, one, `${one}/deliveries`]) {
      const response = await fetch(`http://127.0.0.1:${port()}${path}`, {
        method: "HEAD",
        headers: { authorization: `Bearer ${keys.test}` }
      })
      expect([response.status, await response.text()]).toEqual([200, ""])
    }
  })

  it.each([
    [all, "GET, HEAD, POST"],
    [one, "DELETE, GET, HEAD, PATCH"],
    [`${one}/deliveries`, "GET, HEAD"],
    [`${one}/rotate-secret`, "POST"],
    [`${one}/test`, "POST"],
    [redelivery, "POST"]
  ])("%s says that it accepts %s", async (path, allow) => {
    const { headers, status } = await ask("PUT", path, "{}")
    expect([status, headers["allow"]]).toEqual([405, allow])
  })

  it("report every problem of a body at once, by field, including those of the address of its URL", async () => {
    const { body } = await ask(
      "POST",
      all,
      '{"url":"https://10.0.0.1/","events":["ping","pong"],"min_level":1,"x":1,"description":"\\u0000"}'
    )
    expect(JSON.parse(body).error).toMatchObject({
      message: "the request is not valid and nothing was done; `details` lists every problem",
      details: [
        { field: "description", message: "must not contain the character U+0000" },
        { field: "events.1", message: expect.stringMatching(/^must be one of assessment.completed, /) },
        { field: "min_level", message: "must be one of low, moderate, high, critical" },
        { field: "url", message: "must not lead to an address outside the public internet" },
        { field: "x", message: "is not a field of this request" }
      ]
    })
  })
})
