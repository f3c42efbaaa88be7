/** The HTTP server as one layer: routes and their handlers behind the edge, behind node:http. */

import { Context, Effect, Layer } from "effect"
import { BlockList, isIPv4, isIPv6 } from "node:net"
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
import { drain, listen } from "./listen.ts"
import { createNodeServer } from "./nodeServer.ts"
import { answerParserErrors, serveRequests } from "./serveRequests.ts"

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
  const run = (effect: Effect.Effect<HttpResponse>) => Effect.runForkWith(context)(effect)
  const trusted = trustedProxyList(config.trustedProxies)

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

  yield* registerProcessMetrics
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
  Layer.provide([Authentication.layer, StatusBoard.layer, RateLimitsLive])
)

/** The address that a client without a valid key is counted by. */
const groups = (part: string) => (part === "" ? [] : part.split(":"))

/** The first four groups of an IPv6 address: what one customer of a provider usually holds. */
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

/** Without a zone; IPv4 mapped into IPv6 is IPv4. */
const withoutZone = (address: string): string => {
  const [bare = ""] = address.split("%")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** One spelling per countable address: IPv4 as it is, IPv6 by its /64. */
const countedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  return isIPv6(address) ? `${prefix64(address)}::/64` : "unknown"
}

const addressFamily = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6")

/** Addresses and CIDR ranges as one list; they were checked when the configuration was read. */
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
 * The peer's address, or, where the peer is a trusted proxy, the last address of `x-forwarded-for` that is not one:
 * everything to the left of it was written by the client.
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
