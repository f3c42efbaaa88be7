/** Sends the answer to each request, from a fiber where it takes work; what that does not answer in time is answered without it. */

import { Effect, Exit, type Fiber } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { AssessmentUnavailable, type Failure, MalformedJson } from "../../api/Failures.ts"
import { transportFailures } from "../../api/transportFailures.ts"
import { answerLookMs, answerMs, headerFieldsMax } from "../../Limits.ts"
import type { Answer } from "../Answer.ts"
import { countHeader } from "../countHeader.ts"
import type { Edge } from "../edge.ts"
import { type HttpExchange, readTarget } from "../Exchange.ts"
import { noPlace, type Place } from "../inFlight.ts"
import { requestId } from "../requestId.ts"
import type { RateWindow } from "../../storage/RateLimits.ts"
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

/** An exchange with what this listener does about it: how long it may take, and the fiber that works on it. */
class Work implements HttpExchange {
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
  place: Place = noPlace
  /** By `performance.now()`; never while the client's bytes are waited for. */
  dueMs = Infinity
  fiber: Fiber.Fiber<Answer> | null = null
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

export interface Serving {
  /** Requests that have no answer yet, or one that is still being written. */
  readonly underWay: ReadonlySet<Work>
  /** Stops the work on a request; an answer, if given, leaves at once. */
  readonly cutShort: (work: Work, answer: Answer | null) => void
}

/** `run` forks into the server's scope; `addressOf` is what a client is counted by. */
export const serveRequests = (
  server: Server,
  edge: Edge,
  addressOf: (request: IncomingMessage) => string,
  run: (effect: Effect.Effect<Answer>) => Fiber.Fiber<Answer>
): Serving => {
  const underWay = new Set<Work>()

  const send = (work: Work, answer: Answer) => {
    work.stopDeadline()
    sendAnswer(work, answer, !server.listening)
  }

  const cutShort = (work: Work, answer: Answer | null) => {
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
  const looking = setInterval(cutLate, answerLookMs).unref()
  server.once("close", () => clearInterval(looking))

  const onRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    problem = httpProblem(request)
  ) => {
    const work = new Work(request, response, awaitsContinue, addressOf)
    underWay.add(work)
    response.on("close", () => {
      underWay.delete(work)
      const status = response.headersSent ? response.statusCode : null
      edge.answered(work, work.method, status, performance.now() - work.startedAtMs)
      // A client that leaves takes its work with it; what must finish is uninterruptible where it is done.
      if (!response.writableFinished) cutShort(work, null)
    })
    const answer = problem === null ? edge.answer(work) : edge.turnAway(work, problem)
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
  return { underWay, cutShort }
}
