/** Runs one fiber per request and sends its answer; what the fiber does not answer in time is answered without it. */

import { type Effect, Exit, type Fiber } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { AssessmentUnavailable, type Failure, MalformedJson } from "../../api/Failures.ts"
import { transportFailures } from "../../api/transportFailures.ts"
import { answerMs, headerFieldsMax } from "../../Limits.ts"
import type { Answer } from "../Answer.ts"
import { countHeader } from "../countHeader.ts"
import type { Edge } from "../edge.ts"
import { type HttpExchange, readTarget } from "../Exchange.ts"
import { noPlace } from "../inFlight.ts"
import { requestId } from "../requestId.ts"
import { sendAnswer } from "./sendAnswer.ts"

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

export interface Serving {
  /** Requests that have no answer yet, or one that is still being written. */
  readonly underWay: ReadonlySet<HttpExchange>
  /** Stops the work on a request; an answer, if given, leaves at once. */
  readonly cutShort: (exchange: HttpExchange, answer: Answer | null) => void
}

/** `run` forks into the server's scope; `addressOf` is what a client is counted by. */
export const serveRequests = (
  server: Server,
  edge: Edge,
  addressOf: (request: IncomingMessage) => string,
  run: (effect: Effect.Effect<Answer>) => Fiber.Fiber<Answer>
): Serving => {
  const underWay = new Set<HttpExchange>()
  const fibers = new WeakMap<HttpExchange, Fiber.Fiber<Answer>>()

  const send = (exchange: HttpExchange, answer: Answer) => {
    exchange.stopDeadline()
    sendAnswer(exchange, answer, !server.listening)
  }

  const cutShort = (exchange: HttpExchange, answer: Answer | null) => {
    exchange.stopDeadline()
    if (answer !== null) send(exchange, answer)
    // Not awaited: work that does not heed its interruption must not hold up the answer.
    fibers.get(exchange)?.interruptUnsafe()
  }

  const onRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    problem = httpProblem(request)
  ) => {
    const startedAtMs = performance.now()
    let deadline: NodeJS.Timeout | undefined
    const stopDeadline = () => clearTimeout(deadline)
    const restartDeadline = () => {
      stopDeadline()
      deadline = setTimeout(
        () => cutShort(exchange, edge.refuseNow(exchange, new AssessmentUnavailable())),
        answerMs
      )
    }
    const exchange: HttpExchange = {
      id: requestId(Date.now()),
      address: addressOf(request),
      ...readTarget(request.url ?? ""),
      method: request.method ?? "",
      request,
      response,
      route: null,
      window: null,
      awaitsContinue,
      mayDrain: false,
      place: noPlace,
      restartDeadline,
      stopDeadline
    }
    underWay.add(exchange)
    response.once("close", () => {
      underWay.delete(exchange)
      const status = response.headersSent ? response.statusCode : null
      edge.answered(exchange, exchange.method, status, performance.now() - startedAtMs)
      // A client that leaves takes its work with it; what must finish is uninterruptible where it is done.
      if (!response.writableFinished) cutShort(exchange, null)
    })
    restartDeadline()
    const fiber = run(problem === null ? edge.answer(exchange) : edge.turnAway(exchange, problem))
    fibers.set(exchange, fiber)
    fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit)) send(exchange, exit.value)
    })
  }

  server.on("request", (request, response) => onRequest(request, response, false))
  server.on("checkContinue", (request, response) => onRequest(request, response, true))
  server.on("checkExpectation", (request, response) =>
    onRequest(request, response, true, transportFailures[417])
  )
  return { underWay, cutShort }
}
