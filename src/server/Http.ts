/** The HTTP server as one layer: routes and their handlers behind the edge, behind node:http. */

import { Context, Effect, Layer } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { AppConfig } from "../Config.ts"
import { RateLimits } from "../storage/RateLimits.ts"
import { makeAdminServer } from "./AdminServer.ts"
import type { Answer } from "./Answer.ts"
import { Authenticate } from "./Authenticate.ts"
import { clientAddress, trusting } from "./clientAddress.ts"
import { makeEdge } from "./edge.ts"
import { actionsHandlers } from "./handlers/actions.ts"
import { assessmentsHandlers } from "./handlers/assessments.ts"
import { documentHandlers } from "./handlers/documents.ts"
import { reviewsHandlers } from "./handlers/reviews.ts"
import { statusHandlers } from "./handlers/status.ts"
import { webhookDeliveriesHandlers } from "./handlers/webhookDeliveries.ts"
import { webhookEndpointsHandlers } from "./handlers/webhookEndpoints.ts"
import { answerParserErrors } from "./node/answerParserErrors.ts"
import { createNodeServer } from "./node/createNodeServer.ts"
import { drain, listen } from "./node/listen.ts"
import { serveRequests } from "./node/serveRequests.ts"
import { StatusBoard } from "./StatusBoard.ts"
import { watchProcess } from "./watchProcess.ts"

/** The server that this process listens with. */
export class ListeningServer extends Context.Service<
  ListeningServer,
  {
    /** `http://HOST:PORT` with the real port: where this process is reached from its own machine. */
    readonly url: string
    readonly port: number
  }
>()("action-risk/server/ListeningServer") {}

/** As URLs spell it: IPv6 in brackets. */
const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

const serve = Effect.gen(function* () {
  const config = yield* AppConfig
  const address = { baseUrl: config.publicUrl ?? urlOf(config.host, config.port) }
  const baseUrl = () => address.baseUrl

  const edge = yield* makeEdge(
    {
      keyed: {
        ...(yield* actionsHandlers),
        ...(yield* assessmentsHandlers),
        ...(yield* reviewsHandlers),
        ...(yield* webhookEndpointsHandlers),
        ...(yield* webhookDeliveriesHandlers)
      },
      open: yield* statusHandlers,
      documents: yield* documentHandlers(baseUrl)
    },
    baseUrl
  )
  const context = yield* Effect.context<never>()
  // Not in the layer's scope, which would interrupt requests before they are drained: each ends with its exchange.
  const run = (effect: Effect.Effect<Answer>) => Effect.runForkWith(context)(effect)
  const trusted = trusting(config.trustedProxies)

  const server = createNodeServer()
  const serving = serveRequests(
    server,
    edge,
    ({ headers, socket }) =>
      clientAddress(socket.remoteAddress, String(headers["x-forwarded-for"] ?? ""), trusted),
    run
  )
  answerParserErrors(
    server,
    edge,
    serving,
    (socket) => clientAddress(socket.remoteAddress, undefined, trusted),
    run
  )

  yield* watchProcess
  // Before the API's listener, so that probes are answered while it drains.
  yield* makeAdminServer(baseUrl, () => server.listening)
  const port = yield* Effect.acquireRelease(listen(server, config.host, config.port, "PORT or HOST"), () =>
    drain(server, serving, (exchange) => edge.refuseNow(exchange, new AssessmentUnavailable()))
  )
  const url = urlOf(config.host, port)
  // PORT=0: the real port is known only now.
  address.baseUrl = config.publicUrl ?? url
  return ListeningServer.of({ url, port })
})

const RateLimitsLive = Layer.unwrap(
  Effect.map(AppConfig, ({ rateLimitStore }) =>
    rateLimitStore === "postgres" ? RateLimits.layerPostgres : RateLimits.layerMemory
  )
)

export const HttpServerLive = Layer.effect(ListeningServer, serve).pipe(
  Layer.provide([Authenticate.layer, StatusBoard.layer, RateLimitsLive])
)
