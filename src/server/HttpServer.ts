/** The HTTP server as one layer: a node:http server, the edge, and the handlers; and how it finds a client's address. */

import { Context, Effect, Layer } from "effect"
import type { IncomingMessage } from "node:http"
import { BlockList, isIPv4, isIPv6, type Socket } from "node:net"
import { AssessmentUnavailable } from "../api/Failures.ts"
import { AppConfig } from "../config.ts"
import { registerProcessMetrics } from "../metrics.ts"
import { RateLimits } from "../storage/RateLimits.ts"
import { makeAdminServer } from "./AdminServer.ts"
import { Authentication } from "./Authentication.ts"
import type { HttpResponse } from "./Exchange.ts"
import { StatusBoard, statusHandlers } from "./StatusBoard.ts"
import { makeEdge } from "./edge.ts"
import { actionsHandlers, assessmentsHandlers } from "./handlers/actions.ts"
import { documentHandlers } from "./handlers/documents.ts"
import { reviewsHandlers } from "./handlers/reviews.ts"
import { webhookDeliveriesHandlers, webhookEndpointsHandlers } from "./handlers/webhooks.ts"
import { createNodeServer, drain, listen } from "./nodeServer.ts"
import { answerParserErrors, serveRequests } from "./listener.ts"

/** The server that this process listens with. */
export class ListeningServer extends Context.Service<
  ListeningServer,
  {
    /** `http://HOST:PORT` with the real port: the URL of this process on its own machine. */
    readonly url: string
    readonly port: number
  }
>()("action-risk/server/ListeningServer") {}

/** A URL needs brackets around an IPv6 address. */
const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

const serve = Effect.gen(function* () {
  const config = yield* AppConfig
  const address = { baseUrl: config.publicUrl ?? urlOf(config.host, config.port) }
  const baseUrl = () => address.baseUrl

  const edge = yield* makeEdge(yield* makeHandlers(baseUrl), baseUrl)
  const context = yield* Effect.context<never>()
  // A request's fiber is not in the layer's scope, because the scope would interrupt requests before they are drained.
  const run = (effect: Effect.Effect<HttpResponse>) => Effect.runForkWith(context)(effect)
  const trusted = trustedProxyList(config.trustedProxies)
  const addressOfRequest = ({ headers, socket }: IncomingMessage) =>
    clientAddress(socket.remoteAddress, String(headers["x-forwarded-for"] ?? ""), trusted)
  const addressOfSocket = (socket: Socket) => clientAddress(socket.remoteAddress, undefined, trusted)

  const server = createNodeServer()
  const requests = serveRequests(server, edge, addressOfRequest, run)
  answerParserErrors(server, edge, requests, addressOfSocket, run)

  yield* registerProcessMetrics
  // Started before the API's listener, so that it stops after it and still answers probes while the API drains.
  yield* makeAdminServer(baseUrl, () => server.listening)
  const port = yield* Effect.acquireRelease(listen(server, config.host, config.port, "PORT or HOST"), () =>
    drain(server, requests, (exchange) => edge.rejectNow(exchange, new AssessmentUnavailable()))
  )
  const url = urlOf(config.host, port)
  // With PORT=0 the real port is known only now.
  address.baseUrl = config.publicUrl ?? url
  return ListeningServer.of({ url, port })
})

const makeHandlers = Effect.fnUntraced(function* (baseUrl: () => string) {
  return {
    keyed: {
      ...(yield* actionsHandlers),
      ...(yield* assessmentsHandlers),
      ...(yield* reviewsHandlers),
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
  Layer.provide([Authentication.layer, StatusBoard.layer, RateLimitsLive])
)

const groups = (part: string) => (part === "" ? [] : part.split(":"))

/** The first four groups of an IPv6 address. A provider usually gives one customer a whole /64. */
const prefix64 = (address: string): string => {
  const [head = "", tail] = address.split("::")
  const front = groups(head)
  const back = tail === undefined ? [] : groups(tail)
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const all = [...front, ...Array.from({ length: zeros }, () => "0"), ...back]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

/** Drops the zone, and turns an IPv4 address mapped into IPv6 into IPv4. */
const withoutZone = (address: string): string => {
  const [bare = ""] = address.split("%")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** The address as the rate limit counts it: an IPv4 address, or the /64 of an IPv6 address. */
const countedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  return isIPv6(address) ? `${prefix64(address)}::/64` : "unknown"
}

const addressFamily = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")

/** Addresses and CIDR ranges as one list. The configuration has checked them. */
const trustedProxyList = (proxies: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/")
    if (bits === undefined) list.addAddress(address, addressFamily(address))
    else list.addSubnet(address, Number(bits), addressFamily(address))
  }
  return list
}

/**
 * The address that the rate limit counts a client by: the peer's address, or, if the peer is a trusted proxy, the last
 * address of `x-forwarded-for` that is not a trusted proxy. The client can have written everything to the left of it.
 */
const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList
): string => {
  let address = withoutZone(peer ?? "unknown")
  const hops = (forwardedFor ?? "").split(",")
  while (trusted.check(address, addressFamily(address)) && hops.length > 0) {
    const hop = withoutZone(hops.pop()?.trim() ?? "")
    if (!isIPv4(hop) && !isIPv6(hop)) break
    address = hop
  }
  return countedAddress(address)
}
