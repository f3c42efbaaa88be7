/** The listener for agents that speak MCP over HTTP: it asks the API of its own process, with the key of each request. */

import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, Context, Effect, Layer, Redacted } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import {
  FetchHttpClient,
  HttpIncomingMessage,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { AppConfig } from "../../config.ts"
import { mcpRequestBytesMax } from "../../limits.ts"
import { ListeningServer, urlOf } from "../../server/HttpServer.ts"
import { CannotListen, createNodeServer } from "../../server/nodeServer.ts"
import { CallerKey, mcpRegistrations } from "../agents/mcpTools.ts"
import { version } from "../version.ts"

const path = "/mcp"

const bearerOf = (authorization: string | undefined): Redacted.Redacted | undefined => {
  const key = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "")?.[1]
  return key === undefined ? undefined : Redacted.make(key)
}

/** Whether the key is one, the API says with the first question. */
const withKey = HttpRouter.middleware(
  (answer) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      bearerOf(headers["authorization"]) === undefined
        ? Effect.succeed(HttpServerResponse.empty({ status: 401, headers: { "www-authenticate": "Bearer" } }))
        : Effect.provideService(answer, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(mcpRequestBytesMax))
    ),
  { global: true }
)

const caller = McpServer.middleware<{ provides: CallerKey }>()((effect, { headers }) => {
  const key = bearerOf(headers["authorization"])
  return key === undefined
    ? Effect.fail(new McpSchema.InvalidRequest({ message: "a key is needed: authorization: Bearer …" }))
    : Effect.provideService(effect, CallerKey, key)
})

const serve = (origins: ReadonlyArray<string>) =>
  McpServer.layerHttpRequestScoped({
    name: "action-risk",
    version,
    path,
    // Those before it have sessions, which would have to be kept for whoever begins one.
    protocols: [McpProtocol.v2026_07_28],
    allowedOrigins: origins,
    registrations: Layer.unwrap(
      Effect.gen(function* () {
        const { url } = yield* ListeningServer
        return Layer.provide(yield* mcpRegistrations(url), caller.layer)
      })
    ).pipe(Layer.provide(FetchHttpClient.layer))
  }).pipe(Layer.provide(withKey), (routes) =>
    HttpRouter.serve(routes, { disableListenLog: true, disableLogger: true })
  )

export class McpListener extends Context.Service<
  McpListener,
  {
    /** Null where nobody wants it. */
    readonly url: string | null
  }
>()("action-risk/cli/service/McpListener") {
  /** Needs the API's listener, which it asks. */
  static readonly layer = Layer.unwrap(
    Effect.map(AppConfig, ({ mcpOrigins, mcpHost, mcpPort }) =>
      mcpPort === null ? none : listening(mcpPort, mcpHost, mcpOrigins)
    )
  )
}

const none = Layer.succeed(McpListener, { url: null })

const listening = (port: number, host: string, origins: ReadonlyArray<string>) => {
  const server = NodeHttpServer.layer(createNodeServer, { port, host }).pipe(
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
  ).pipe(Layer.provideMerge(serve(origins)), Layer.provide(server))
}
