/** From node:http to answers: requests on their deadlines, and bytes that Node's parser rejects. */

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
import { answerCheckMs, answerMs, headerFieldsMax } from "../limits.ts"
import type { RateWindow } from "../storage/RateLimits.ts"
import { type Exchange, type HttpExchange, type HttpResponse, readTarget } from "./Exchange.ts"
import { countHeader } from "./body.ts"
import { noPermit, type Permit } from "./concurrency.ts"
import type { Edge } from "./edge.ts"
import { requestId } from "./requestId.ts"
import { sendRawResponse, sendResponse } from "./respond.ts"

/** What is wrong with a request that Node's parser let through. */
const httpProblem = ({ httpVersion, rawHeaders }: IncomingMessage): Failure | null => {
  if (rawHeaders.length / 2 > headerFieldsMax) {
    return new MalformedJson({
      httpStatus: 431,
      message: `the request has more than ${headerFieldsMax} header fields`
    })
  }
  // RFC 9112 3.2: exactly one, or proxies and we could disagree on whom it is for.
  const hosts = countHeader(rawHeaders, "host")
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) {
    return new MalformedJson({ message: "the request must have exactly one Host header" })
  }
  return null
}

/** An exchange with what this listener does about it: how long it may take, and the fiber that works on it. */
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
  /** By `performance.now()`; never while the client's bytes are waited for. */
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

  /** Made when it is asked for: a valid key is never counted by it. */
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

export interface ActiveRequests {
  /** Requests that have no answer yet, or one that is still being written. */
  readonly active: ReadonlySet<ActiveRequest>
  /** Stops the work on a request; an answer, if given, leaves at once. */
  readonly abort: (work: ActiveRequest, answer: HttpResponse | null) => void
}

/** `run` forks into the server's scope; `addressOf` is what a client is counted by. */
export const serveRequests = (
  server: Server,
  edge: Edge,
  addressOf: (request: IncomingMessage) => string,
  run: (effect: Effect.Effect<HttpResponse>) => Fiber.Fiber<HttpResponse>
): ActiveRequests => {
  const underWay = new Set<ActiveRequest>()

  const send = (work: ActiveRequest, answer: HttpResponse) => {
    work.stopDeadline()
    sendResponse(work, answer, !server.listening)
  }

  const cutShort = (work: ActiveRequest, answer: HttpResponse | null) => {
    work.stopDeadline()
    if (answer !== null) send(work, answer)
    // Not awaited: work that does not heed its interruption must not hold up the answer.
    work.fiber?.interruptUnsafe()
  }

  /** One timer for all: a timer for each request costs more than looking at those under way. */
  const cutLate = () => {
    const nowMs = performance.now()
    for (const work of underWay) {
      if (work.dueMs <= nowMs) cutShort(work, edge.refuseNow(work, new AssessmentUnavailable()))
    }
  }
  const looking = setInterval(cutLate, answerCheckMs).unref()
  server.once("close", () => clearInterval(looking))

  const onRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    problem = httpProblem(request)
  ) => {
    const work = new ActiveRequest(request, response, awaitsContinue, addressOf)
    underWay.add(work)
    response.on("close", () => {
      underWay.delete(work)
      const status = response.headersSent ? response.statusCode : null
      edge.answered(work, work.method, status, performance.now() - work.startedAtMs)
      // A client that leaves takes its work with it; what must finish is uninterruptible where it is done.
      if (!response.writableFinished) cutShort(work, null)
    })
    const answer = problem === null ? edge.answer(work) : edge.reject(work, problem)
    if (!Effect.isEffect(answer)) return send(work, answer)
    work.fiber = run(answer)
    work.fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit)) send(work, exit.value)
    })
  }

  server.on("request", (request, response) => onRequest(request, response, false))
  server.on("checkContinue", (request, response) => onRequest(request, response, true))
  server.on("checkExpectation", (request, response) =>
    onRequest(request, response, true, transportFailures[417])
  )
  return { active: underWay, abort: cutShort }
}

/**
 * Answers what Node's parser rejects before any request exists, in the envelope and with every header.
 * null: the connection itself is gone, nobody listens.
 */
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
  serving: ActiveRequests,
  addressOf: (socket: Socket) => string,
  run: (effect: Effect.Effect<HttpResponse>) => Fiber.Fiber<HttpResponse>
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
    run(edge.reject(exchange, failure)).addObserver((exit) => {
      if (Exit.isSuccess(exit)) sendRawResponse(socket, exchange, exit.value)
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
    const open = [...serving.active].filter(({ request }) => request.socket === stream)
    // The request whose body broke off gets this answer; those before it on the connection get theirs first.
    for (const exchange of open) if (!exchange.request.complete) serving.abort(exchange, null)
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
