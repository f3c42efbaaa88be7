/** Bytes that Node's parser rejects only after some time or after half a request. */

import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Failure, statusOf } from "../../src/api/Failures.ts"
import { jsonResponse } from "../../src/server/Exchange.ts"
import { createNodeServer } from "../../src/server/nodeServer.ts"
import { answerParserErrors } from "../../src/server/listener.ts"
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
  { active: new Set(), abort: () => undefined },
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
