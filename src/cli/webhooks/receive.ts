/** A receiver on this machine that answers every delivery and tells of each. */

import { Clock, Effect, type Redacted } from "effect"
import type { Json } from "effect/Schema"
import type { IncomingMessage, ServerResponse } from "node:http"
import { receivedIdsMax } from "../../Limits.ts"
import { createNodeServer } from "../../server/node/createNodeServer.ts"
import { listen } from "../../server/node/listen.ts"
import type { Arrival } from "./Arrival.ts"
import { judge } from "./judge.ts"
import { readBody } from "./readBody.ts"

interface Receiver {
  /** 0 picks a free one. */
  readonly port: number
  /** Null verifies nothing. */
  readonly secret: Redacted.Redacted | null
  /** The status that deliveries are answered with; one that does not verify is answered 401. */
  readonly answer: number
}

const host = "127.0.0.1"

const jsonOf = (body: Buffer): Json => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return null
  }
}

/** Whether an id was met before, among the last ones. */
const memory = () => {
  const ids = new Set<string>()
  return (id: string): boolean => {
    if (ids.has(id)) return true
    ids.add(id)
    const [oldest = id] = ids
    if (ids.size > receivedIdsMax) ids.delete(oldest)
    return false
  }
}

/** Listens until its scope closes; the address is `http://127.0.0.1:PORT` with the real port. */
export const receive = Effect.fn("webhooks.receive")(function* (
  { answer, port, secret }: Receiver,
  tell: (arrival: Arrival) => Effect.Effect<void>
) {
  const wasMet = memory()

  const take = Effect.fnUntraced(function* ({ headers }: IncomingMessage, body: Buffer) {
    const problem = judge(secret, headers, body)
    const eventId = headers["webhook-id"]
    const refused = secret !== null && problem !== null
    const arrival: Arrival = {
      receivedAt: new Date(yield* Clock.currentTimeMillis),
      eventId: typeof eventId === "string" ? eventId : null,
      again: !refused && typeof eventId === "string" && wasMet(eventId),
      verified: secret === null ? null : !refused,
      problem,
      answered: refused ? 401 : answer,
      event: jsonOf(body)
    }
    yield* tell(arrival)
    return arrival.answered
  })

  const reply = (response: ServerResponse, status: number) =>
    Effect.sync(() => response.writeHead(status, { connection: "close" }).end())

  const context = yield* Effect.context<never>()
  const server = createNodeServer()
  server.on("request", (request, response) => {
    const status =
      request.method === "POST"
        ? Effect.flatMap(readBody(request), (body) =>
            body === null ? Effect.succeed(413) : take(request, body)
          )
        : Effect.succeed(405)
    Effect.runForkWith(context)(Effect.flatMap(status, (known) => reply(response, known)))
  })
  const realPort = yield* Effect.acquireRelease(listen(server, host, port, "--port"), () =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  return `http://${host}:${realPort}`
})
