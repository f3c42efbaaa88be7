/** The HTTP server as one layer: a node:http server, the edge, and the handlers. */

import { Context, Effect, Layer } from "effect"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { AppConfig } from "../config.ts"
import { urlOf } from "../environment.ts"
import { registerProcessMetrics } from "../metrics.ts"
import { RuleLibrary } from "../rules/library/RuleLibrary.ts"
import { RateLimits } from "../storage/RateLimits.ts"
import { makeAdminServer } from "./AdminServer.ts"
import { Authentication } from "./Authentication.ts"
import type { HttpResponse } from "./Exchange.ts"
import { boundConnections, HeldPerAddressMax, makeClients } from "./Clients.ts"
import { StatusBoard, statusHandlers } from "./StatusBoard.ts"
import { makeEdge } from "./edge.ts"
import { actionsHandlers } from "./handlers/actions.ts"
import { assessmentsHandlers, eventsHandlers, statisticsHandlers } from "./handlers/assessments.ts"
import { documentHandlers } from "./handlers/documents.ts"
import { explanationsHandlers } from "./handlers/explanations.ts"
import { rulesHandlers } from "./handlers/rules.ts"
import { outcomesHandlers } from "./handlers/outcomes.ts"
import { reviewsHandlers } from "./handlers/reviews.ts"
import { webhookDeliveriesHandlers, webhookEndpointsHandlers } from "./handlers/webhooks.ts"
import { createNodeServer, drain, listen } from "./nodeServer.ts"
import { answerParserErrors, serveRequests } from "./listener.ts"

/** The server on which this process listens. */
export class ListeningServer extends Context.Service<
  ListeningServer,
  {
    /** `http://HOST:PORT` with the actual port: the URL of this process on its own machine. */
    readonly url: string
    readonly port: number
  }
>()("action-risk/server/ListeningServer") {}

const serve = Effect.gen(function* () {
  const config = yield* AppConfig
  const address = { baseUrl: config.publicUrl ?? urlOf(config.host, config.port) }
  const baseUrl = () => address.baseUrl

  const edge = yield* makeEdge(yield* makeHandlers(baseUrl), baseUrl)
  const context = yield* Effect.context<never>()
  // Fibers of requests are not in the layer's scope, because the scope would interrupt them before they are drained.
  const run = (effect: Effect.Effect<HttpResponse>) => Effect.runForkWith(context)(effect)
  const clients = makeClients(config.trustedProxies, yield* HeldPerAddressMax)

  const server = createNodeServer()
  boundConnections(server, clients)
  const requests = serveRequests(server, edge, clients, run)
  answerParserErrors(server, edge, requests, clients, run)

  yield* registerProcessMetrics
  // Started before the API's listener, so that it stops after it and still answers probes while the API drains.
  yield* makeAdminServer(baseUrl, () => server.listening)
  const port = yield* Effect.acquireRelease(listen(server, config.host, config.port, "PORT or HOST"), () =>
    drain(server, requests, (exchange) => edge.rejectNow(exchange, new AssessmentUnavailable()))
  )
  const url = urlOf(config.host, port)
  // With PORT=0, the actual port is known only now.
  address.baseUrl = config.publicUrl ?? url
  return ListeningServer.of({ url, port })
})

const makeHandlers = Effect.fnUntraced(function* (baseUrl: () => string) {
  return {
    keyed: {
      ...(yield* actionsHandlers),
      ...(yield* assessmentsHandlers),
      ...(yield* explanationsHandlers),
      ...(yield* reviewsHandlers),
      ...(yield* statisticsHandlers),
      ...(yield* eventsHandlers),
      ...(yield* rulesHandlers),
      ...(yield* outcomesHandlers),
      ...(yield* webhookEndpointsHandlers),
      ...(yield* webhookDeliveriesHandlers)
    },
    open: yield* statusHandlers,
    documents: yield* documentHandlers(baseUrl)
  }
})

const RateLimitsLive = Layer.unwrap(
  Effect.map(AppConfig, ({ rateLimitStore }) =>
    rateLimitStore === "postgres" ? RateLimits.layerPostgres : RateLimits.layerMemory
  )
)

export const HttpServerLive = Layer.effect(ListeningServer, serve).pipe(
  Layer.provide([Authentication.layer, StatusBoard.layer, RateLimitsLive, RuleLibrary.layer])
)
