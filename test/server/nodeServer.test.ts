/** The node:http server: its bounds, and the error of a port that cannot be used. */

import { Effect } from "effect"
import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { headerBytesMax } from "../../src/limits.ts"
import { createNodeServer, listen } from "../../src/server/nodeServer.ts"

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
