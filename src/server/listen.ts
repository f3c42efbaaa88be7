/** Starts listening, and stops without cutting off what is under way. */

import { Effect, Schema } from "effect"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { drainMs } from "../limits.ts"
import type { HttpExchange, HttpResponse } from "./Exchange.ts"
import type { ActiveRequests } from "./serveRequests.ts"

/** The port cannot be had: taken, forbidden, or no such address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** The real port. `variables` names what an operator would set to something else. */
export const listen = (
  server: Server,
  host: string,
  port: number,
  variables: "PORT or HOST" | "ADMIN_PORT or ADMIN_HOST" | "--port"
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

/** Refuses new connections, lets requests under way finish, and after `drainMs` answers the rest with `answer`. */
export const drain = (
  server: Server,
  serving: ActiveRequests,
  answer: (exchange: HttpExchange) => HttpResponse
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => {
      for (const exchange of serving.active) serving.abort(exchange, answer(exchange))
      setImmediate(() => server.closeAllConnections())
    }, drainMs)
    server.close(() => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })
