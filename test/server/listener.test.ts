/** Bytes that Node's parser rejects only after some time or after half a request. */

import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Failure, statusOf } from "../../src/api/Failures.ts"
import { jsonResponse } from "../../src/server/Exchange.ts"
import { createNodeServer } from "../../src/server/nodeServer.ts"
import { pipelinedRequestsMax } from "../../src/limits.ts"
import type { Edge } from "../../src/server/edge.ts"
import { makeClients } from "../../src/server/Clients.ts"
import { answerParserErrors, serveRequests } from "../../src/server/listener.ts"
import { parseResponses, sendRaw } from "../support/rawHttp.ts"

const server = createNodeServer()
const sockets: Array<Socket> = []
const respond = (failure: Failure) => jsonResponse({ code: failure.code }, statusOf(failure))
answerParserErrors(
  server,
  {
    answer: () => Effect.never,
    answered: () => undefined,
    rejectNow: (_, failure) => respond(failure),
    reject: (_, failure) => Effect.succeed(respond(failure))
  },
  { active: new Set(), abort: () => undefined, afterWaiting: () => undefined },
  { ofSocket: () => "test" },
  Effect.runFork
)
server.on("connection", (socket) => sockets.push(socket))

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})
afterAll(() => server.close())

const port = () => (server.address() as AddressInfo).port

describe("a request that takes too long", () => {
  it("is answered 408", async () => {
    const client = connect(port(), "127.0.0.1")
    const received: Array<Buffer> = []
    client.on("data", (chunk) => received.push(chunk))
    await expect.poll(() => sockets.length).toBe(1)
    client.write("POST / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    // What Node emits once `headersTimeout` has passed.
    server.emit(
      "clientError",
      Object.assign(new Error("slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      sockets[0]
    )
    await once(client, "end")
    expect(parseResponses(Buffer.concat(received))).toMatchObject([
      {
        status: 408,
        headers: { connection: "close", "svc-risk-opinion": "none" },
        body: '{"code":"MALFORMED_JSON"}'
      }
    ])
    client.destroy()
  })
})

describe("a connection that is reset", () => {
  it("is closed without an answer", async () => {
    const client = connect(port(), "127.0.0.1")
    await expect.poll(() => sockets.length).toBe(2)
    server.emit("clientError", Object.assign(new Error("reset"), { code: "ECONNRESET" }), sockets[1])
    expect(await once(client, "close")).toBeDefined()
  })
})

describe("a text that is not HTTP", () => {
  it("is answered 400, and the connection is closed", async () => {
    expect(await sendRaw(port(), "\u0000\u0001\r\n\r\n")).toMatchObject([
      { status: 400, headers: { connection: "close" } }
    ])
  })
})

describe("requests that a client sends ahead of its answers", () => {
  const begun: Array<string> = []
  const finish = new Map<string, () => void>()
  const pipelined = createNodeServer()
  const edge: Edge = {
    answer: ({ path }) =>
      Effect.callback((resume) => {
        begun.push(path)
        finish.set(path, () => resume(Effect.succeed(jsonResponse({ path }, 200))))
      }),
    answered: () => undefined,
    rejectNow: (_, failure) => respond(failure),
    reject: (_, failure) => Effect.succeed(respond(failure))
  }
  const clients = makeClients([], 10)
  const requests = serveRequests(pipelined, edge, clients, Effect.runFork)
  answerParserErrors(pipelined, edge, requests, clients, Effect.runFork)
  const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  beforeAll(async () => {
    pipelined.listen(0, "127.0.0.1")
    await once(pipelined, "listening")
  })
  afterAll(() => pipelined.close())

  it("are begun one after the other, and all answered in order", async () => {
    const { port } = pipelined.address() as AddressInfo
    const [client, other] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")]
    const received: Array<Buffer> = []
    client.on("data", (chunk) => received.push(chunk))
    client.write(["/1", "/2", "/3"].map(asking).join(""))
    await expect.poll(() => begun).toEqual(["/1"])
    other.write(asking("/other"))
    await expect.poll(() => begun).toEqual(["/1", "/other"])
    finish.get("/1")?.()
    await expect.poll(() => begun).toEqual(["/1", "/other", "/2"])
    finish.get("/2")?.()
    await expect.poll(() => begun).toEqual(["/1", "/other", "/2", "/3"])
    finish.get("/3")?.()
    await expect
      .poll(() => parseResponses(Buffer.concat(received)).map(({ body }) => body))
      .toEqual(['{"path":"/1"}', '{"path":"/2"}', '{"path":"/3"}'])
    client.destroy()
    other.destroy()
  })

  it("are answered before the bytes behind them that are no request", async () => {
    const { port } = pipelined.address() as AddressInfo
    const client = connect(port, "127.0.0.1")
    const received: Array<Buffer> = []
    client.on("data", (chunk) => received.push(chunk))
    const posting = "POST /good/3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nbroken\r\n"
    client.write(
      `${["/good/1", "/good/2"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("")}${posting}`
    )
    for (const path of ["/good/1", "/good/2"]) {
      await expect.poll(() => begun).toContain(path)
      finish.get(path)?.()
    }
    await once(client, "end")
    expect(parseResponses(Buffer.concat(received)).map(({ body }) => body)).toEqual([
      '{"path":"/good/1"}',
      '{"path":"/good/2"}',
      '{"code":"MALFORMED_JSON"}'
    ])
    expect(begun).not.toContain("/good/3")
    client.destroy()
  })

  it("close the connection beyond their number", async () => {
    const { port } = pipelined.address() as AddressInfo
    const client = connect(port, "127.0.0.1")
    client.on("error", () => undefined)
    client.write(asking("/ahead").repeat(1 + pipelinedRequestsMax))
    await expect.poll(() => begun).toContain("/ahead")
    expect(client.closed).toBe(false)
    client.write(asking("/ahead"))
    await expect.poll(() => client.closed).toBe(true)
    expect(begun.filter((path) => path === "/ahead")).toHaveLength(1)
  })

  it("are not begun when the client leaves before their turn", async () => {
    const { port } = pipelined.address() as AddressInfo
    const client = connect(port, "127.0.0.1")
    client.write(["/left/1", "/left/2"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""))
    await expect.poll(() => begun).toContain("/left/1")
    client.destroy()
    const next = connect(port, "127.0.0.1")
    next.write("GET /after HTTP/1.1\r\nHost: x\r\n\r\n")
    await expect.poll(() => begun).toContain("/after")
    expect(begun).not.toContain("/left/2")
    next.destroy()
  })
})
