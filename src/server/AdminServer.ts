/** The listener for whoever operates the process: whether it lives, and whether it can serve. */

import { Effect, Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { NotFound } from "../api/Failures.ts"
import { AppConfig } from "../Config.ts"
import { windowAt } from "../storage/RateLimits.ts"
import { type Answer, json } from "./Answer.ts"
import { type Exchange, readTarget } from "./Exchange.ts"
import { createNodeServer } from "./node/createNodeServer.ts"
import { listen } from "./node/listen.ts"
import { refuse } from "./refuse.ts"
import { requestId } from "./requestId.ts"
import { responseHeaders } from "./responseHeaders.ts"
import { StatusBoard } from "./StatusBoard.ts"

/** Nobody counts an operator's probes; every response has its headers all the same. */
const exchangeOf = (request: IncomingMessage, limit: number): Exchange => ({
  id: requestId(Date.now()),
  address: "operator",
  path: readTarget(request.url ?? "").path,
  window: windowAt(Date.now(), limit, 0)
})

/** Listens only where ADMIN_PORT is set. */
export const AdminServerLive = Layer.effectDiscard(
  Effect.gen(function* () {
    const { adminHost, adminPort, publicUrl, rateLimitAnonymous } = yield* AppConfig
    if (adminPort === null) return
    const board = yield* StatusBoard

    const answer = (exchange: Exchange): Answer => {
      switch (exchange.path) {
        case "/healthz":
          return json({ api_version: "v1", status: "ok" })
        case "/readyz": {
          const { status } = board.read()
          return json({ api_version: "v1", status }, status === "major_outage" ? 503 : 200)
        }
        default:
          return refuse(new NotFound(), exchange.id, publicUrl ?? "")
      }
    }

    const server = createNodeServer()
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const exchange = exchangeOf(request, rateLimitAnonymous)
      const answered = answer(exchange)
      response.writeHead(answered.status, responseHeaders(exchange, answered))
      response.end(answered.body)
    })
    yield* Effect.acquireRelease(listen(server, adminHost, adminPort), () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
    )
  })
)
