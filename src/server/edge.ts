/** The checks that every request passes before its handler, in order (contract 3), and the response to every failure. */

import { Cause, Effect, References, Result } from "effect"
import {
  AssessmentUnavailable,
  type Failure,
  InsufficientScope,
  RateLimited,
  statusOf
} from "../api/Failures.ts"
import { AppConfig, type Settings } from "../config.ts"
import type { Caller, Mode, Scope } from "../domain/Caller.ts"
import { addressRefusalMs, bodyBytesMax } from "../limits.ts"
import { rateLimited, requestAnswered } from "../metrics.ts"
import {
  RateLimits,
  type RateLimitStoreUnavailable,
  type RateWindow,
  windowAt
} from "../storage/RateLimits.ts"
import { makeFaultLog } from "../storage/storageErrors.ts"
import { Authentication } from "./Authentication.ts"
import type { Call, Exchange, HttpExchange, HttpResponse } from "./Exchange.ts"
import { InFlightMax, makeConcurrencyLimit, overloaded, overloadFailure } from "./concurrency.ts"
import { errorResponse, errorResponseTemplate } from "./respond.ts"
import { type Handlers, type KeyedRoute, makeRoutes, type MatchedRoute } from "./routes.ts"

export interface Edge {
  /** The response if no wait is needed; otherwise an effect that never fails and that the listener interrupts if the client leaves. */
  readonly answer: (exchange: HttpExchange) => HttpResponse | Effect.Effect<HttpResponse>
  /** The response to a request that could not be routed. It counts against the limit of the client's address. */
  readonly reject: (exchange: Exchange, failure: Failure) => Effect.Effect<HttpResponse>
  /** The response to a failure, without waiting and without counting the request. */
  readonly rejectNow: (exchange: Exchange, failure: Failure) => HttpResponse
  /** Called once per request: the status that was sent, or null if the client left first. */
  readonly answered: (exchange: Exchange, method: string, status: number | null, ms: number) => void
}

/**
 * The checks, in order: path and method (404, 405), key (401), permit (503), rate limit (429), scope (403). The handler checks the body. A
 * request without a valid key counts against its address, and a 429 takes precedence over its other failures. If an address has used up its
 * window, a key that this process does not know is not looked up for it. `baseUrl` is known only after the server listens.
 */
export const makeEdge = Effect.fn("makeEdge")(function* (handlers: Handlers, baseUrl: () => string) {
  const config = yield* AppConfig
  const authentication = yield* Authentication
  const tracing = yield* References.TracerEnabled
  const matchRoute = makeRoutes(handlers)
  const counter = makeRequestCounter(config, yield* RateLimits)
  const admission = makeAdmission(counter, yield* InFlightMax)
  const { guarded, reject, rejectNow } = makeRejections(config, counter, baseUrl)

  const serve = Effect.fnUntraced(function* (
    exchange: HttpExchange,
    { params, route }: MatchedRoute
  ): Effect.fn.Return<HttpResponse, Failure> {
    if (route.scope === null) {
      yield* counter.countAddress(exchange)
      return yield* route.handle(exchange)
    }
    const caller = yield* authentication.caller(exchange.request.rawHeaders, {
      address: exchange.address,
      refusal: () => counter.exhaustedAddress(exchange)
    })
    return yield* admission.serve(route, admission.toCall(exchange, caller, params))
  })

  const start = (exchange: HttpExchange): HttpResponse | Effect.Effect<HttpResponse> => {
    const matched = matchRoute(exchange.method, exchange.path)
    if (Result.isFailure(matched)) return guarded(exchange, Effect.fail(matched.failure))
    const { params, route, template } = matched.success
    exchange.route = template
    if (tracing) return guarded(exchange, traceRequest(exchange, template, serve(exchange, matched.success)))
    const caller = route.scope === null ? null : authentication.cachedCaller(exchange.request.rawHeaders)
    if (route.scope === null || caller === null) return guarded(exchange, serve(exchange, matched.success))
    if (Result.isFailure(caller)) return guarded(exchange, Effect.fail(caller.failure))
    // During an overload most requests end here, without a fiber, which would cost more than the rest of such a request. A span needs a
    // fiber, so the branch for `tracing` comes first.
    const call = admission.toCall(exchange, caller.success, params)
    const rejection = admission.overloadRejection(call, route.scope)
    return rejection === null
      ? guarded(exchange, admission.serve(route, call))
      : rejectNow(exchange, rejection)
  }

  const answer: Edge["answer"] = (exchange) => {
    try {
      return start(exchange)
    } catch (defect) {
      // There is no fiber yet that could report the defect.
      return guarded(exchange, Effect.die(defect))
    }
  }

  return {
    answer,
    answered: ({ route }, method, status, ms) => requestAnswered(route, method, status, ms),
    reject: (exchange, failure) => withRequestId(exchange, reject(exchange, failure)),
    rejectNow
  } satisfies Edge
})

type RequestCounter = ReturnType<typeof makeRequestCounter>

/** Delays a refusal, so that a client that retries immediately takes little time from other requests. */
const slowly = <A, E>(counted: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.tapError(counted, () => Effect.sleep(addressRefusalMs))

/** Counts requests against their rate limits, and records on each exchange the window in which it was counted. */
const makeRequestCounter = (config: Settings, limits: RateLimits["Service"]) => {
  const logFault = makeFaultLog(Effect.logError)

  const limitOf = ({ mode }: Caller): number =>
    mode === "live" ? config.rateLimitLive : config.rateLimitTest

  /** Null while the window has room. */
  const noteWindow = (
    exchange: Exchange,
    subject: Mode | "anonymous",
    window: RateWindow
  ): RateLimited | null => {
    exchange.window = window
    const { exceeded, retryAfterSeconds } = window
    if (!exceeded) return null
    rateLimited(subject)
    return new RateLimited({ retryAfterSeconds })
  }

  /** Invariant: a request that cannot be counted is rejected, never let through. */
  const count = (
    exchange: Exchange,
    subject: Mode | "anonymous",
    limit: number,
    counting: Effect.Effect<RateWindow, RateLimitStoreUnavailable>
  ): Effect.Effect<void, RateLimited | AssessmentUnavailable> =>
    counting.pipe(
      Effect.catch(({ cause }) => {
        exchange.window = windowAt(Date.now(), limit, limit)
        const logged = logFault("a request could not be counted", cause)
        return Effect.andThen(logged, Effect.fail(new AssessmentUnavailable()))
      }),
      Effect.flatMap((window) => {
        const exceeded = noteWindow(exchange, subject, window)
        return exceeded === null ? Effect.void : Effect.fail(exceeded)
      })
    )

  return {
    countAddress: (exchange: Exchange) => {
      const limit = config.rateLimitAnonymous
      return slowly(count(exchange, "anonymous", limit, limits.spendAddress(exchange.address, limit)))
    },
    countKey: (exchange: Exchange, caller: Caller) => {
      const limit = limitOf(caller)
      return count(exchange, caller.mode, limit, limits.spendKey(caller.keyId, limit))
    },
    /** The refusal of a request whose address has used up its window; null while there is room. Counts nothing. */
    exhaustedAddress: (exchange: Exchange) => {
      const limit = config.rateLimitAnonymous
      const window = limits.exhaustedAddress(exchange.address, limit, Date.now())
      const exceeded = window === null ? null : noteWindow(exchange, "anonymous", window)
      return exceeded === null ? null : slowly(Effect.fail(exceeded))
    },
    /** Counts a request that gets no permit, without waiting. */
    countOverloaded: (exchange: Exchange, caller: Caller): RateLimited | null =>
      noteWindow(exchange, caller.mode, limits.spendRefused(caller.keyId, limitOf(caller), Date.now()))
  }
}

/** The checks of a request with a valid key before its handler: permit, rate limit, scope. */
const makeAdmission = (counter: RequestCounter, inFlightMax: number) => {
  const permitFor = makeConcurrencyLimit(inFlightMax)

  const toCall = (exchange: HttpExchange, caller: Caller, params: MatchedRoute["params"]): Call => {
    exchange.mayDrain = Number(exchange.request.headers["content-length"] ?? Infinity) <= bodyBytesMax
    exchange.permit = permitFor(caller)
    return { exchange, caller, params }
  }

  /** A body that is or may be too large needs no permit here, so that its failure is 413 and not 503. */
  const needsPermit = ({ caller, exchange: { mayDrain, method } }: Call, scope: Scope): boolean =>
    caller.scopes.includes(scope) && (mayDrain || !methodsWithBody.has(method))

  /** Called before any wait, so that a request without a permit costs neither a statement nor reading a body. */
  const overloadRejection = (call: Call, scope: Scope): RateLimited | AssessmentUnavailable | null => {
    if (!needsPermit(call, scope) || call.exchange.permit.isFree()) return null
    return counter.countOverloaded(call.exchange, call.caller) ?? overloaded()
  }

  const admit = Effect.fnUntraced(function* (
    { handle, scope }: KeyedRoute,
    call: Call
  ): Effect.fn.Return<HttpResponse, Failure> {
    const { caller, exchange } = call
    const rejection = overloadRejection(call, scope)
    if (rejection !== null) return yield* rejection
    if (needsPermit(call, scope)) exchange.permit.acquire()
    yield* counter.countKey(exchange, caller)
    if (!caller.scopes.includes(scope)) return yield* new InsufficientScope({ scope })
    return yield* handle(call)
  })

  /** Invariant: the permit is acquired inside `ensuring`, because an interruption may occur between any two steps. */
  const serve = (route: KeyedRoute, call: Call): Effect.Effect<HttpResponse, Failure> =>
    Effect.ensuring(admit(route, call), Effect.sync(call.exchange.permit.release))

  return { toCall, overloadRejection, serve }
}

const methodsWithBody: ReadonlySet<string> = new Set(["POST", "PATCH"])

/** Turns failures and defects into responses. */
const makeRejections = (config: Settings, counter: RequestCounter, baseUrl: () => string) => {
  const overloadResponse = errorResponseTemplate(overloadFailure)
  const logFault = makeFaultLog(Effect.logError)

  const rejectNow = (exchange: Exchange, failure: Failure): HttpResponse => {
    // A request that was not counted shows an empty window, so that the client does not immediately send more.
    exchange.window ??= windowAt(Date.now(), config.rateLimitAnonymous, config.rateLimitAnonymous)
    if (failure === overloadFailure) return overloadResponse(exchange.id, baseUrl())
    return errorResponse(failure, exchange.id, baseUrl())
  }

  // Invariant: after a failed key look-up the key may still be valid. That is the service's fault, so it answers 503 and not 429, and does
  // not use up the window of the address. Requesting more look-ups than allowed does use it up.
  const isOurFault = (failure: Failure): boolean =>
    failure.code === "ASSESSMENT_UNAVAILABLE" && failure !== overloadFailure

  /** A request that fails before it is counted has presented no valid key, so it counts against its address, and 429 takes precedence. */
  const reject = (exchange: Exchange, failure: Failure): Effect.Effect<HttpResponse> => {
    if (exchange.window !== null || isOurFault(failure)) return Effect.succeed(rejectNow(exchange, failure))
    return Effect.match(counter.countAddress(exchange), {
      onSuccess: () => rejectNow(exchange, failure),
      onFailure: (rateLimit) => rejectNow(exchange, rateLimit)
    })
  }

  const guarded = (
    exchange: HttpExchange,
    served: Effect.Effect<HttpResponse, Failure>
  ): Effect.Effect<HttpResponse> =>
    withRequestId(
      exchange,
      served.pipe(
        Effect.catch((failure) => reject(exchange, failure)),
        Effect.catchCause((cause) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          return Effect.as(
            logFault("a request met a defect", cause),
            rejectNow(exchange, new AssessmentUnavailable())
          )
        })
      )
    )

  return { guarded, reject, rejectNow }
}

/** Adds the request's id to every log line of the request. */
const withRequestId = <A, E>(exchange: { readonly id: string }, effect: Effect.Effect<A, E>) =>
  Effect.provideService(effect, References.CurrentLogAnnotations, { request_id: exchange.id })

const recordStatus = (status: number) => Effect.annotateCurrentSpan("http.response.status_code", status)

/** One span for the request, named by the template of its path. Starts its own trace: callers' trace ids are not used. */
const traceRequest = (
  { id, method }: HttpExchange,
  template: string,
  served: Effect.Effect<HttpResponse, Failure>
): Effect.Effect<HttpResponse, Failure> =>
  served.pipe(
    Effect.tap(({ status }) => recordStatus(status)),
    Effect.tapError((failure) => recordStatus(statusOf(failure))),
    Effect.withSpan(
      `${method} ${template}`,
      {
        kind: "server",
        root: true,
        attributes: { "http.request.method": method, "http.route": template, "svc.request_id": id }
      },
      { captureStackTrace: false }
    )
  )
