/** The operator's listener: liveness, readiness and metrics of the process. */

import { Context, Effect } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { AssessmentUnavailable, type Failure, MethodNotAllowed, NotFound } from "../api/Failures.ts"
import type { ServiceStatus } from "../api/Status.ts"
import { AppConfig } from "../config.ts"
import { statusRefreshMs } from "../limits.ts"
import { prometheusName } from "../metrics.ts"
import { windowAt } from "../storage/RateLimits.ts"
import { type Exchange, type HttpExchange, type HttpResponse, jsonResponse } from "./Exchange.ts"
import { type Clients, nothing } from "./Clients.ts"
import { StatusBoard } from "./StatusBoard.ts"
import type { Edge } from "./edge.ts"
import { createNodeServer, listen } from "./nodeServer.ts"
import { errorResponse } from "./respond.ts"
import { answerParserErrors, serveRequests } from "./listener.ts"

const notReady = new AssessmentUnavailable({
  message: "the database cannot be reached, so no assessment can be served; retry",
  retryAfterSeconds: Math.ceil(statusRefreshMs / 1_000)
})

const notListening = new AssessmentUnavailable({
  message: "this process is starting or stopping; send requests to another one"
})

/** The state that the pages show, read at each request. */
interface AdminState {
  readonly status: ServiceStatus
  /** Whether the API's listener accepts connections: from the end of startup until shutdown begins. */
  readonly listening: boolean
}

const ready = ({ listening, status: { status } }: AdminState): HttpResponse | Failure => {
  if (!listening) return notListening
  return status === "major_outage" ? notReady : jsonResponse({ api_version: "v1", status })
}

const pages: ReadonlyMap<string, (state: AdminState) => HttpResponse | Failure> = new Map([
  ["/healthz", () => jsonResponse({ api_version: "v1", status: "ok" })],
  ["/readyz", ready],
  ["/metrics", ({ status }) => prometheusPage(status)]
])

const findPage = ({ method, path }: HttpExchange, state: AdminState): HttpResponse | Failure => {
  const page = pages.get(path)
  if (page === undefined) return new NotFound()
  if (method !== "GET" && method !== "HEAD") return new MethodNotAllowed({ allow: "GET, HEAD" })
  return page(state)
}

/** The edge of this listener: it needs no key and does not count requests, so every response shows an unused window. */
const makeAdminEdge = (limit: number, state: () => AdminState, baseUrl: () => string): Edge => {
  const rejectNow = (exchange: Exchange, failure: Failure): HttpResponse => {
    exchange.window = windowAt(Date.now(), limit, 0)
    return errorResponse(failure, exchange.id, baseUrl())
  }
  return {
    rejectNow,
    // Not counted in the metrics, because probes would outnumber the callers' requests.
    answered: () => undefined,
    reject: (exchange, failure) => Effect.sync(() => rejectNow(exchange, failure)),
    answer: (exchange) =>
      Effect.sync(() => {
        const page = findPage(exchange, state())
        if ("code" in page) return rejectNow(exchange, page)
        exchange.window = windowAt(Date.now(), limit, 0)
        return page
      })
  }
}

/** Operators are not limited: their requests are not counted by address, and they may hold any number of connections. */
const operators: Clients = {
  ofRequest: () => "operator",
  ofSocket: () => "operator",
  holdConnection: () => nothing,
  holdRequest: () => nothing
}

/** Listens until its scope closes, if ADMIN_PORT is set. `baseUrl`: the public URL of the API. */
export const makeAdminServer = Effect.fn("makeAdminServer")(function* (
  baseUrl: () => string,
  isListening: () => boolean
) {
  const { adminHost, adminPort, rateLimitAnonymous } = yield* AppConfig
  if (adminPort === null) return
  const { read } = yield* StatusBoard

  const state = () => ({ status: read(), listening: isListening() })
  const edge = makeAdminEdge(rateLimitAnonymous, state, baseUrl)
  const server = createNodeServer()
  const requests = serveRequests(server, edge, operators, Effect.runFork)
  answerParserErrors(server, edge, requests, operators, Effect.runFork)
  yield* Effect.acquireRelease(listen(server, adminHost, adminPort, "ADMIN_PORT or ADMIN_HOST"), () =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
})

/** One gauge in the Prometheus text format 0.0.4. */
const gauge = (name: string, help: string, value: number, labels = ""): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`

/** The metrics of the process. No label or value comes from a caller. */
const prometheusPage = ({ risk_engine_version, status }: ServiceStatus): HttpResponse => {
  const version = `{api_version="v1",risk_engine_version="${risk_engine_version}"}`
  const up = status === "major_outage" ? 0 : 1
  const startedAt = (performance.timeOrigin / 1_000).toFixed(3)
  return {
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    body: [
      gauge("action_risk_up", "1 while assessments can be served, 0 while the database is unreachable.", up),
      gauge("action_risk_build_info", "Always 1; the labels say what is running.", 1, version),
      gauge("process_start_time_seconds", "When the process started, in Unix seconds.", Number(startedAt)),
      gauge("process_uptime_seconds", "How long the process has been running.", process.uptime()),
      gauge("process_resident_memory_bytes", "Memory that the process holds.", process.memoryUsage.rss()),
      PrometheusMetrics.formatUnsafe(Context.empty(), { metricNameMapper: prometheusName })
    ].join("")
  }
}
