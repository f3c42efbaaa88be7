/** The listener for whoever operates the process: whether it lives, whether it can serve, and its metrics. */

import { Effect } from "effect"
import { AssessmentUnavailable, type Failure, MethodNotAllowed, NotFound } from "../api/Failures.ts"
import type { ServiceStatus } from "../api/ServiceStatus.ts"
import { AppConfig } from "../Config.ts"
import { statusRefreshMs } from "../Limits.ts"
import { windowAt } from "../storage/RateLimits.ts"
import { metrics } from "./adminServer/metrics.ts"
import { type Answer, json } from "./Answer.ts"
import type { Edge } from "./edge.ts"
import type { Exchange, HttpExchange } from "./Exchange.ts"
import { answerParserErrors } from "./node/answerParserErrors.ts"
import { createNodeServer } from "./node/createNodeServer.ts"
import { listen } from "./node/listen.ts"
import { serveRequests } from "./node/serveRequests.ts"
import { refuse } from "./refuse.ts"
import { StatusBoard } from "./StatusBoard.ts"

const notReady = new AssessmentUnavailable({
  message: "the database cannot be reached, so no assessment can be served; ask again",
  retryAfterSeconds: Math.ceil(statusRefreshMs / 1_000)
})

const notListening = new AssessmentUnavailable({
  message: "this process is starting or stopping; send requests to another one"
})

/** What the pages tell of, as it is when they are asked. */
export interface Watched {
  readonly status: ServiceStatus
  /** The API's listener takes connections: from the end of the start to the beginning of the stop. */
  readonly listening: boolean
}

const ready = ({ listening, status: { status } }: Watched): Answer | Failure => {
  if (!listening) return notListening
  return status === "major_outage" ? notReady : json({ api_version: "v1", status })
}

const pages: ReadonlyMap<string, (watched: Watched) => Answer | Failure> = new Map([
  ["/healthz", () => json({ api_version: "v1", status: "ok" })],
  ["/readyz", ready],
  ["/metrics", ({ status }) => metrics(status)]
])

const find = ({ method, path }: HttpExchange, watched: Watched): Answer | Failure => {
  const page = pages.get(path)
  if (page === undefined) return new NotFound()
  if (method !== "GET" && method !== "HEAD") return new MethodNotAllowed({ allow: "GET, HEAD" })
  return page(watched)
}

/** The edge of this listener: it asks for no key and counts nobody, and every answer shows a full window. */
const makeAdminEdge = (limit: number, watched: () => Watched, baseUrl: () => string): Edge => {
  const refuseNow = (exchange: Exchange, failure: Failure): Answer => {
    exchange.window = windowAt(Date.now(), limit, 0)
    return refuse(failure, exchange.id, baseUrl())
  }
  return {
    refuseNow,
    // Probes would hide the requests of callers.
    answered: () => undefined,
    turnAway: (exchange, failure) => Effect.sync(() => refuseNow(exchange, failure)),
    answer: (exchange) =>
      Effect.sync(() => {
        const found = find(exchange, watched())
        if ("code" in found) return refuseNow(exchange, found)
        exchange.window = windowAt(Date.now(), limit, 0)
        return found
      })
  }
}

/** Listens until its scope closes, and only where ADMIN_PORT is set. `baseUrl`: where the API is reached from outside. */
export const makeAdminServer = Effect.fn("makeAdminServer")(function* (
  baseUrl: () => string,
  isListening: () => boolean
) {
  const { adminHost, adminPort, rateLimitAnonymous } = yield* AppConfig
  if (adminPort === null) return
  const { read } = yield* StatusBoard

  const watched = () => ({ status: read(), listening: isListening() })
  const edge = makeAdminEdge(rateLimitAnonymous, watched, baseUrl)
  const addressOf = () => "operator"
  const server = createNodeServer()
  const serving = serveRequests(server, edge, addressOf, Effect.runFork)
  answerParserErrors(server, edge, serving, addressOf, Effect.runFork)
  yield* Effect.acquireRelease(listen(server, adminHost, adminPort, "ADMIN_PORT or ADMIN_HOST"), () =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
})
