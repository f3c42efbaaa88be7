/** A webhook receiver on its own port, which answers as the test wants and records what it receives. */

import { Effect, type Scope } from "effect"
import { createServer, type ServerResponse } from "node:http"

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A status, with headers if they matter; `never` keeps the exchange open. */
export type Reply = "never" | number | { readonly status: number; readonly headers: Record<string, string> }

export interface WebhookReceiver {
  readonly url: (path: string) => string
  /** In order of arrival. */
  readonly received: ReadonlyArray<Received>
  readonly at: (path: string) => ReadonlyArray<Received>
  /** Resolves once the path has received this many. */
  readonly arrived: (path: string, count: number) => Effect.Effect<void>
  readonly reply: (path: string, reply: Reply) => void
  /** Answers open exchanges, and new ones from now on. */
  readonly let: (path: string, reply: Exclude<Reply, "never">) => void
}

const answer = (response: ServerResponse, reply: Exclude<Reply, "never">) => {
  const { headers, status } = typeof reply === "number" ? { status: reply, headers: {} } : reply
  response.writeHead(status, headers).end()
}

/** Answers 200 by default. */
export const webhookReceiver: Effect.Effect<WebhookReceiver, never, Scope.Scope> = Effect.gen(function* () {
  const received: Array<Received> = []
  const replies = new Map<string, Reply>()
  const open = new Map<string, Array<ServerResponse>>()
  const watchers = new Set<() => void>()
  const at = (path: string) => received.filter((one) => one.path === path)

  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const path = request.url ?? ""
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      )
      received.push({ path, headers, body: Buffer.concat(parts).toString("utf8") })
      const reply = replies.get(path) ?? 200
      if (reply === "never") open.set(path, [...(open.get(path) ?? []), response])
      else answer(response, reply)
      for (const look of watchers) look()
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0

  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    at,
    arrived: (path, count) =>
      Effect.callback<void>((resume) => {
        const look = () => {
          if (at(path).length < count) return
          watchers.delete(look)
          resume(Effect.void)
        }
        watchers.add(look)
        look()
        return Effect.sync(() => watchers.delete(look))
      }),
    reply: (path, reply) => void replies.set(path, reply),
    let: (path, reply) => {
      replies.set(path, reply)
      for (const response of open.get(path) ?? []) answer(response, reply)
      open.delete(path)
    }
  }
})
