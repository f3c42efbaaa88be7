/** The node:http server: its bounds, and the error of a port that cannot be used. */

import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { drainIdleMs, headerBytesMax } from "../../src/limits.ts"
import { createNodeServer, drain, listen } from "../../src/server/nodeServer.ts"

describe("createNodeServer", () => {
  it("bounds time, size and number, whatever Node's defaults are", () => {
    const server = createNodeServer()
    expect({
      headers: server.headersTimeout,
      request: server.requestTimeout,
      keepAlive: server.keepAliveTimeout,
      connections: server.maxConnections,
      headerFields: server.maxHeadersCount
    }).toEqual({ headers: 10_000, request: 20_000, keepAlive: 30_000, connections: 10_000, headerFields: 0 })
    expect(headerBytesMax).toBe(16_384)
  })
})

const heard = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let text = ""
    socket.on("data", (chunk) => (text += chunk.toString()))
    socket.once("error", ({ message }) => resolve(message))
    socket.once("close", () => resolve(text))
  })

const aRequest = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

describe("a stop", () => {
  it("answers what a client sends on an idle connection, tells it to leave, and then closes the silent ones", async () => {
    const server = createNodeServer()
    server.on("request", (_, response) => {
      if (!server.listening) response.setHeader("connection", "close")
      response.end("ok")
    })
    const port = await Effect.runPromise(listen(server, "127.0.0.1", 0, "PORT or HOST"))
    const [asking, silent] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")]
    for (const socket of [asking, silent]) {
      socket.write(aRequest)
      await once(socket, "data")
    }
    const [answers, silence] = [heard(asking), heard(silent)]
    const startedAtMs = performance.now()
    const stopped = Effect.runPromise(
      drain(server, { active: new Set(), abort: () => undefined }, () => never())
    )
    await new Promise(setImmediate)
    asking.write(aRequest)
    expect(await answers).toMatch(/^HTTP\/1\.1 200 OK\r\n(?=[^]*connection: close\r\n)[^]*ok/i)
    expect(await silence).toBe("")
    await stopped
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(drainIdleMs - 10)
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toThrow("ECONNREFUSED")
  })

  it("waits for nothing where no connection is open", async () => {
    const server = createNodeServer()
    await Effect.runPromise(listen(server, "127.0.0.1", 0, "PORT or HOST"))
    const startedAtMs = performance.now()
    await Effect.runPromise(drain(server, { active: new Set(), abort: () => undefined }, () => never()))
    expect(performance.now() - startedAtMs).toBeLessThan(drainIdleMs)
  })
})

const never = (): never => {
  throw new Error("no request is left")
}

describe("a port that cannot be used", () => {
  it.each(["PORT or HOST", "ADMIN_PORT or ADMIN_HOST"] as const)(
    "fails with a message that names %s",
    async (variables) => {
      const holder = createServer()
      try {
        const port = await Effect.runPromise(listen(holder, "127.0.0.1", 0, variables))
        const failure = await Effect.runPromise(
          Effect.flip(listen(createServer(), "127.0.0.1", port, variables))
        )
        expect(failure.message).toMatch(
          new RegExp(
            `^cannot listen on 127\\.0\\.0\\.1:${port} \\(.*EADDRINUSE.*\\); give another ${variables}$`
          )
        )
      } finally {
        holder.close()
      }
    }
  )
})
