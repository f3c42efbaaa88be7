import { Effect } from "effect"
import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { listen } from "../../src/server/nodeServer.ts"

describe("a port that cannot be had", () => {
  it.each(["PORT or HOST", "ADMIN_PORT or ADMIN_HOST"] as const)(
    "is told with %s to change",
    async (variables) => {
      const holder = createServer()
      try {
        const port = await Effect.runPromise(listen(holder, "127.0.0.1", 0, variables))
        const refused = await Effect.runPromise(
          Effect.flip(listen(createServer(), "127.0.0.1", port, variables))
        )
        expect(refused.message).toMatch(
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
