/** From node:http to the edge and back: requests with their deadlines, and bytes that Node's parser rejects. */

import { Effect, Exit, type Fiber } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import {
  AssessmentUnavailable,
  type Failure,
  MalformedJson,
  NotFound,
  transportFailures
} from "../api/Failures.ts"
import { answerCheckMs, answerMs, headerFieldsMax, pipelinedRequestsMax } from "../limits.ts"
import { overloadRejected } from "../metrics.ts"
import type { RateWindow } from "../storage/RateLimits.ts"
import { requestId } from "../assessment/requestId.ts"
import { type Exchange, type HttpExchange, type HttpResponse, readTarget } from "./Exchange.ts"
import type { Clients } from "./Clients.ts"
import { noPermit, overloaded, type Permit } from "./concurrency.ts"
import type { Edge } from "./edge.ts"
import { countHeader } from "./requestInput.ts"
import { sendRawResponse, sendResponse } from "./respond.ts"

export interface ActiveRequests {
  /** Requests without a response, or whose response is still being written. */
  readonly active: ReadonlySet<ActiveRequest>
  /** Interrupts the fiber of a request. If a response is given, it is sent immediately. */
  readonly abort: (request: ActiveRequest, answer: HttpResponse | null) => void
  /** Calls `begin` after this request and the complete ones queued behind it on its connection have been answered. */
  readonly afterWaiting: (request: IncomingMessage, begin: () => void) => void
}

/** Answers the requests of `server` through `edge`. `run` starts a fiber that outlives the server's layer until the request is answered. */
export const serveRequests = (
  server: Server,
  edge: Edge,
  clients: Clients,
  run: (effect: Effect.Effect<HttpResponse>) => Fiber.Fiber<HttpResponse>
): ActiveRequests => {
  const active = new Set<ActiveRequest>()

  const send = (exchange: ActiveRequest, answer: HttpResponse) => {
    exchange.stopDeadline()
    sendResponse(exchange, answer, () => !server.listening)
  }

  const abort = (exchange: ActiveRequest, answer: HttpResponse | null) => {
    exchange.stopDeadline()
    if (answer !== null) send(exchange, answer)
    // Not awaited: a fiber that does not react to interruption must not delay the response.
    exchange.fiber?.interruptUnsafe()
  }

  checkUntilClosed(server, () => {
    const nowMs = performance.now()
    for (const exchange of active) {
      if (exchange.dueMs <= nowMs) abort(exchange, edge.rejectNow(exchange, new AssessmentUnavailable()))
    }
  })

  const onRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    problem = httpProblem(request)
  ) => {
    const exchange = new ActiveRequest(request, response, awaitsContinue, clients.ofRequest)
    const held = clients.holdRequest(request)
    active.add(exchange)
    response.on("close", () => {
      active.delete(exchange)
      held?.release()
      const status = response.headersSent ? response.statusCode : null
      edge.answered(exchange, exchange.method, status, performance.now() - exchange.startedAtMs)
      // The client left, so its fiber is interrupted. A write that must finish is marked as uninterruptible where it happens.
      if (!response.writableFinished) abort(exchange, null)
    })
    const answer = held === null ? edge.rejectNow(exchange, overloaded()) : answerOf(edge, exchange, problem)
    if (!Effect.isEffect(answer)) return send(exchange, answer)
    exchange.fiber = run(answer)
    exchange.fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit)) send(exchange, exit.value)
    })
  }

  return { active, abort, afterWaiting: beginInTurn(server, onRequest) }
}

interface Turn {
  readonly request: IncomingMessage
  readonly begin: () => void
}

/**
 * Processes the requests of one connection one at a time, each after the previous response was sent. Node hands over all pipelined requests
 * at once, so a single connection could otherwise cost as much as many. Returns `afterWaiting`.
 */
const beginInTurn = (
  server: Server,
  onRequest: (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    problem?: Failure
  ) => void
): ActiveRequests["afterWaiting"] => {
  const waiting = new WeakMap<Socket, Array<Turn>>()

  const inTurn = (request: IncomingMessage, response: ServerResponse, begin: () => void): void => {
    const { socket } = request
    response.once("close", () => {
      const next = waiting.get(socket)?.shift()
      if (next === undefined || socket.destroyed) waiting.delete(socket)
      else next.begin()
    })
    const queue = waiting.get(socket)
    if (queue !== undefined) {
      queue.push({ request, begin })
      if (queue.length <= pipelinedRequestsMax) return
      overloadRejected()
      socket.destroy()
      return
    }
    waiting.set(socket, [])
    begin()
  }

  const listen = (event: string, awaitsContinue: boolean, problem?: Failure) =>
    server.on(event, (request: IncomingMessage, response: ServerResponse) =>
      inTurn(request, response, () => onRequest(request, response, awaitsContinue, problem))
    )
  listen("request", false)
  listen("checkContinue", true)
  listen("checkExpectation", true, transportFailures[417])

  // Drops a request whose body broke off, because `begin` answers its bytes.
  return (request, begin) => {
    const complete = (waiting.get(request.socket) ?? []).filter((turn) => turn.request.complete)
    waiting.set(request.socket, [...complete, { request, begin }])
  }
}

const answerOf = (edge: Edge, exchange: HttpExchange, problem: Failure | null) =>
  problem === null ? edge.answer(exchange) : edge.reject(exchange, problem)

/** One timer for all requests: a timer per request costs more than a loop over the active ones. */
const checkUntilClosed = (server: Server, check: () => void): void => {
  const timer = setInterval(check, answerCheckMs).unref()
  server.once("close", () => clearInterval(timer))
}

/** The problem of a request that Node's parser accepted; null if there is none. */
const httpProblem = ({ headers, httpVersion, rawHeaders }: IncomingMessage): Failure | null => {
  if (rawHeaders.length / 2 > headerFieldsMax) {
    return new MalformedJson({
      httpStatus: 431,
      message: `the request has more than ${headerFieldsMax} header fields`
    })
  }
  // Node decodes the chunks but leaves any preceding coding in the body, so a proxy that decodes it would read a different body. Node's
  // parser rejects codings that do not end in chunked.
  const codings = headers["transfer-encoding"]?.split(",") ?? []
  if (codings.length > 1 && codings.at(-1)?.trim().toLowerCase() === "chunked") {
    return new MalformedJson({ message: "the request has a transfer encoding other than chunked" })
  }
  // RFC 9112 3.2: exactly one, or proxies and we could disagree on whom it is for.
  const hosts = countHeader(rawHeaders, "host")
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) {
    return new MalformedJson({ message: "the request must have exactly one Host header" })
  }
  return null
}

/** An exchange with what only the listener needs: its deadline and its fiber. */
class ActiveRequest implements HttpExchange {
  readonly id = requestId(Date.now())
  readonly startedAtMs = performance.now()
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  awaitsContinue: boolean
  route: string | null = null
  window: RateWindow | null = null
  mayDrain = false
  permit: Permit = noPermit
  /** By `performance.now()`; Infinity while the client sends its body. */
  dueMs = Infinity
  fiber: Fiber.Fiber<HttpResponse> | null = null
  private readonly addressOf: (request: IncomingMessage) => string

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    addressOf: (request: IncomingMessage) => string
  ) {
    const { path, query } = readTarget(request.url ?? "")
    this.path = path
    this.query = query
    this.method = request.method ?? ""
    this.request = request
    this.response = response
    this.awaitsContinue = awaitsContinue
    this.addressOf = addressOf
    this.restartDeadline()
  }

  /** Computed on demand, because a request with a valid key does not need it. */
  get address(): string {
    return this.addressOf(this.request)
  }

  restartDeadline(): void {
    this.dueMs = performance.now() + answerMs
  }

  stopDeadline(): void {
    this.dueMs = Infinity
  }
}

/**
 * Answers bytes that Node's parser rejects before there is a request, with the error envelope and all headers. Answers CONNECT in the same
 * way.
 */
export const answerParserErrors = (
  server: Server,
  edge: Edge,
  requests: ActiveRequests,
  { ofSocket }: Pick<Clients, "ofSocket">,
  run: (effect: Effect.Effect<HttpResponse>) => Fiber.Fiber<HttpResponse>
): void => {
  const reject = (socket: Socket, failure: Failure) => {
    const startedAtMs = performance.now()
    const exchange: Exchange = {
      id: requestId(Date.now()),
      address: ofSocket(socket),
      path: null,
      route: null,
      window: null
    }
    run(edge.reject(exchange, failure)).addObserver((exit) => {
      if (Exit.isSuccess(exit)) sendRawResponse(socket, exchange, exit.value)
      else socket.destroy()
      const status = Exit.isSuccess(exit) ? exit.value.status : null
      edge.answered(exchange, "", status, performance.now() - startedAtMs)
    })
  }

  const onClientError = (error: NodeJS.ErrnoException, stream: Duplex) => {
    const failure = parserFailure(error.code)
    if (failure === null || !(stream instanceof Socket) || !stream.writable) {
      stream.destroy()
      return
    }
    const open = [...requests.active].find(({ request }) => request.socket === stream)
    // A request whose body broke off gets this response. Complete requests before it on the connection get theirs first.
    if (open?.request.complete === true) {
      requests.afterWaiting(open.request, () => reject(stream, failure))
      return
    }
    if (open !== undefined) requests.abort(open, null)
    reject(stream, failure)
  }

  server.on("clientError", onClientError)
  // The contract has no tunnels, so CONNECT gives NOT_FOUND.
  server.on("connect", (_request, stream) => {
    stream.on("error", () => stream.destroy())
    if (stream instanceof Socket) reject(stream, new NotFound())
    else stream.destroy()
  })
}

/** The failure for an error code of Node's parser; null if the connection is gone. */
const parserFailure = (code: string | undefined): Failure | null => {
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
