/** A node:http server with limits on every time and size, which listens on its port and is drained when it stops. */

import { Effect, Schema } from "effect"
import type { Server } from "node:http"
import { type AddressInfo, Server as NetServer } from "node:net"
import {
  connectionsMax,
  drainIdleMs,
  drainMs,
  headerBytesMax,
  headersMs,
  keepAliveMs,
  requestMs
} from "../limits.ts"
import { nodeHttp } from "../runtimeTuning.ts"
import type { HttpExchange, HttpResponse } from "./Exchange.ts"
import type { ActiveRequests } from "./listener.ts"

/** How often Node checks for connections that exceed `headersMs` or `requestMs`. */
const connectionsCheckMs = 1_000

export const createNodeServer = (): Server => {
  const server = nodeHttp().createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: connectionsCheckMs,
    insecureHTTPParser: false,
    // Node would answer a missing Host without our headers, so listener.ts checks it.
    requireHostHeader: false
  })
  server.maxConnections = connectionsMax
  // With a limit, Node would silently drop further fields, among them perhaps a second Authorization. `headerBytesMax` limits the total
  // size of fields, and listener.ts rejects a request with too many.
  server.maxHeadersCount = 0
  return server
}

/** The server cannot listen: the port is in use or forbidden, or the machine does not have this address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Returns the actual port. `variables` names the settings that the operator can change if listening fails. */
export const listen = (
  server: Server,
  host: string,
  port: number,
  variables: "PORT or HOST" | "ADMIN_PORT or ADMIN_HOST" | "CONSOLE_PORT or CONSOLE_HOST" | "--port"
): Effect.Effect<number, CannotListen> =>
  Effect.callback((resume) => {
    const onError = (cause: Error) =>
      resume(
        Effect.fail(
          new CannotListen({
            message: `cannot listen on ${host}:${port} (${cause.message}); give another ${variables}`,
            cause
          })
        )
      )
    server.once("error", onError)
    server.listen({ host, port }, () => {
      server.off("error", onError)
      resume(Effect.succeed((server.address() as AddressInfo).port))
    })
  })

/**
 * Accepts no new connections, lets active requests finish, and after `drainMs` answers the rest with `respond`. Idle connections stay open
 * for `drainIdleMs`, because a client may just be sending its next request. That response says `connection: close`, so that the client
 * leaves and is not cut off.
 */
export const drain = (
  server: Server,
  requests: Pick<ActiveRequests, "active" | "abort">,
  respond: (exchange: HttpExchange) => HttpResponse
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => {
      for (const request of requests.active) requests.abort(request, respond(request))
      setImmediate(() => server.closeAllConnections())
    }, drainMs)
    // The server's own `close` would close idle connections too.
    const idleTimer = setTimeout(() => server.close(), drainIdleMs)
    NetServer.prototype.close.call(server, () => {
      clearTimeout(timer)
      clearTimeout(idleTimer)
      server.close()
      resume(Effect.void)
    })
  })
