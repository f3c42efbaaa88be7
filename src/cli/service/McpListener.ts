/** The listener for agents that speak MCP over HTTP. It asks the API of its own process, with the key of each request. */

import { NodeHttpServer, NodeHttpServerRequest } from "@effect/platform-node"
import { ByteSize, Context, Effect, Layer, Redacted } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import {
  FetchHttpClient,
  Headers,
  HttpClient,
  HttpClientRequest,
  HttpIncomingMessage,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { AppConfig } from "../../config.ts"
import { mcpRequestBytesMax } from "../../limits.ts"
import {
  boundConnections,
  type Clients,
  HeldPerAddressMax,
  makeClients,
  sentFor
} from "../../server/Clients.ts"
import { urlOf } from "../../environment.ts"
import { ListeningServer } from "../../server/HttpServer.ts"
import { CannotListen, createNodeServer } from "../../server/nodeServer.ts"
import { CallerKey, mcpRegistrations } from "../agents/mcpTools.ts"
import { version } from "../version.ts"

const path = "/mcp"

const bearerOf = (authorization: string | undefined): Redacted.Redacted | undefined => {
  const key = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "")?.[1]
  return key === undefined ? undefined : Redacted.make(key)
}

/** Carries the address of this listener's client from the middleware to the request that the listener makes for it. */
const clientHeader = "action-risk-mcp-client"

/**
 * The API checks the key at the first request and counts that request for this listener's client. If it counted it for this process's own
 * address, a stranger with unknown keys would use up the window of every MCP client.
 */
const withKey = ({ ofRequest }: Clients) =>
  HttpRouter.middleware(
    (answer) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const { headers } = request
        if (bearerOf(headers["authorization"]) === undefined)
          return Effect.succeed(
            HttpServerResponse.empty({ status: 401, headers: { "www-authenticate": "Bearer" } })
          )
        const client = ofRequest(NodeHttpServerRequest.toIncomingMessage(request))
        const known = request.modify({ headers: Headers.set(headers, clientHeader, client) })
        return answer.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, known),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(mcpRequestBytesMax))
        )
      }),
    { global: true }
  )

/** The client on whose behalf the listener asks the API. */
const Client = Context.Reference<string>("action-risk/cli/service/McpListener/Client", {
  defaultValue: () => "unknown"
})

const askingForClient = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.mapRequestEffect((request) =>
      Effect.map(Client, (client) => HttpClientRequest.setHeaders(request, sentFor(client)))
    )
  )
).pipe(Layer.provide(FetchHttpClient.layer))

const caller = McpServer.middleware<{ provides: CallerKey }>()((effect, { headers }) => {
  const key = bearerOf(headers["authorization"])
  return key === undefined
    ? Effect.fail(new McpSchema.InvalidRequest({ message: "a key is needed: authorization: Bearer …" }))
    : effect.pipe(
        Effect.provideService(CallerKey, key),
        Effect.provideService(Client, headers[clientHeader] ?? "unknown")
      )
})

const serve = (origins: ReadonlyArray<string>, clients: Clients) =>
  McpServer.layerHttpRequestScoped({
    name: "action-risk",
    version,
    path,
    // Only this revision: earlier ones have sessions, with which any client could fill the memory.
    protocols: [McpProtocol.v2026_07_28],
    allowedOrigins: origins,
    registrations: Layer.unwrap(
      Effect.gen(function* () {
        const { url } = yield* ListeningServer
        return Layer.provide(yield* mcpRegistrations(url), caller.layer)
      })
    ).pipe(Layer.provide(askingForClient))
  }).pipe(Layer.provide(withKey(clients)), (routes) =>
    HttpRouter.serve(routes, { disableListenLog: true, disableLogger: true })
  )

export class McpListener extends Context.Service<
  McpListener,
  {
    /** Null if no port is set. */
    readonly url: string | null
  }
>()("action-risk/cli/service/McpListener") {
  /** Needs the API's listener, which it asks. */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const { mcpOrigins, mcpHost, mcpPort, trustedProxies } = yield* AppConfig
      const clients = makeClients(trustedProxies, yield* HeldPerAddressMax)
      return mcpPort === null ? none : listening(mcpPort, mcpHost, mcpOrigins, clients)
    })
  )
}

const none = Layer.succeed(McpListener, { url: null })

const createServer = (clients: Clients) => () => {
  const server = createNodeServer()
  boundConnections(server, clients)
  return server
}

const listening = (port: number, host: string, origins: ReadonlyArray<string>, clients: Clients) => {
  const server = NodeHttpServer.layer(createServer(clients), { port, host }).pipe(
    Layer.catchTag("ServeError", ({ cause }) =>
      Layer.effect(
        HttpServer.HttpServer,
        new CannotListen({
          message: `cannot listen on ${host}:${port} (${cause instanceof Error ? cause.message : String(cause)}); give another MCP_PORT or MCP_HOST`,
          cause
        })
      )
    )
  )
  return Layer.effect(
    McpListener,
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      McpListener.of({
        url: `${urlOf(host, address._tag === "UnixPathAddress" ? port : address.port)}${path}`
      })
    )
  ).pipe(Layer.provideMerge(serve(origins, clients)), Layer.provide(server))
}
