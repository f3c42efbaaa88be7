/** Answers what Node's parser rejects before any request exists, in the envelope and with every header. */

import type { Effect, Fiber } from "effect"
import { Exit } from "effect"
import type { Server } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Failure, NotFound } from "../../api/Failures.ts"
import { transportFailures } from "../../api/transportFailures.ts"
import type { Answer } from "../Answer.ts"
import type { Edge } from "../edge.ts"
import type { Exchange } from "../Exchange.ts"
import { requestId } from "../requestId.ts"
import { sendRaw } from "./sendRaw.ts"
import type { Serving } from "./serveRequests.ts"

/** null: the connection itself is gone, nobody listens. */
const failureOf = (code: string | undefined): Failure | null => {
  switch (code) {
    case "ECONNRESET":
    case "EPIPE":
      return null
    case "HPE_HEADER_OVERFLOW":
      return transportFailures[431]
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return transportFailures[408]
    default:
      return transportFailures[400]
  }
}

export const answerParserErrors = (
  server: Server,
  edge: Edge,
  serving: Serving,
  addressOf: (socket: Socket) => string,
  run: (effect: Effect.Effect<Answer>) => Fiber.Fiber<Answer>
): void => {
  const turnAway = (socket: Socket, failure: Failure) => {
    const startedAtMs = performance.now()
    const exchange: Exchange = {
      id: requestId(Date.now()),
      address: addressOf(socket),
      path: null,
      route: null,
      window: null
    }
    run(edge.turnAway(exchange, failure)).addObserver((exit) => {
      if (Exit.isSuccess(exit)) sendRaw(socket, exchange, exit.value)
      else socket.destroy()
      const status = Exit.isSuccess(exit) ? exit.value.status : null
      edge.answered(exchange, "", status, performance.now() - startedAtMs)
    })
  }

  const onClientError = (error: NodeJS.ErrnoException, stream: Duplex) => {
    const failure = failureOf(error.code)
    if (failure === null || !(stream instanceof Socket) || !stream.writable) {
      stream.destroy()
      return
    }
    const open = [...serving.underWay].filter(({ request }) => request.socket === stream)
    // The request whose body broke off gets this answer; those before it on the connection get theirs first.
    for (const exchange of open) if (!exchange.request.complete) serving.cutShort(exchange, null)
    const before = open.findLast(({ request }) => request.complete)
    if (before === undefined) turnAway(stream, failure)
    else before.response.once("finish", () => turnAway(stream, failure))
  }

  server.on("clientError", onClientError)
  // A tunnel is not a path of ours.
  server.on("connect", (_request, stream) => {
    stream.on("error", () => stream.destroy())
    if (stream instanceof Socket) turnAway(stream, new NotFound())
    else stream.destroy()
  })
}
