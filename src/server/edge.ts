/** The order of checks that every request passes (contract 3), and the answer that leaves for it, whatever happens. */

import { Cause, Effect, References, Result } from "effect"
import {
  AssessmentUnavailable,
  type Failure,
  InsufficientScope,
  RateLimited,
  statusOf
} from "../api/Failures.ts"
import { AppConfig } from "../config.ts"
import type { Caller, Mode, Scope } from "../domain/Caller.ts"
import { bodyBytesMax } from "../limits.ts"
import { rateLimited, requestAnswered } from "../metrics.ts"
import {
  RateLimits,
  type RateLimitStoreUnavailable,
  type RateWindow,
  windowAt
} from "../storage/RateLimits.ts"
import { describeCause } from "../storage/storageErrors.ts"
import { Authentication } from "./Authentication.ts"
import type { Call, Exchange, HttpExchange, HttpResponse } from "./Exchange.ts"
import { InFlightMax, makeConcurrencyLimit, overloaded, overloadFailure } from "./concurrency.ts"
import { errorResponse, errorResponseTemplate } from "./respond.ts"
import { type Handlers, type KeyedRoute, makeRoutes, type MatchedRoute } from "./routes.ts"

const bringsBody: ReadonlySet<string> = new Set(["POST", "PATCH"])

export interface Edge {
  /** The answer that must leave at once: nothing is asked, nothing more is counted. */
  readonly refuseNow: (exchange: Exchange, failure: Failure) => HttpResponse
  /** What can be told at once; else the work on it, which never fails and is interrupted when the client leaves. */
  readonly answer: (exchange: HttpExchange) => HttpResponse | Effect.Effect<HttpResponse>
  /** The answer to what could not be dispatched, counted like anything without a valid key. */
  readonly reject: (exchange: Exchange, failure: Failure) => Effect.Effect<HttpResponse>
  /** Told once for every request: the status that left, or null where the client left first. */
  readonly answered: (exchange: Exchange, method: string, status: number | null, ms: number) => void
}

/** `baseUrl` is known once the server listens. */
export const makeEdge = Effect.fn("makeEdge")(function* (handlers: Handlers, baseUrl: () => string) {
  const config = yield* AppConfig
  const authenticate = yield* Authentication
  const limits = yield* RateLimits
  const tracing = yield* References.TracerEnabled
  const find = makeRoutes(handlers)
  const placeFor = makeConcurrencyLimit(yield* InFlightMax)
  const refuseTooMany = errorResponseTemplate(overloadFailure)

  /** The window that a request was counted in; its refusal where it was one too many. */
  const overLimit = (exchange: Exchange, who: Mode | "anonymous", window: RateWindow): RateLimited | null => {
    exchange.window = window
    const { exceeded, retryAfterSeconds } = window
    if (!exceeded) return null
    rateLimited(who)
    return new RateLimited({ retryAfterSeconds })
  }

  /** Invariant: what cannot be counted is refused, never let through. */
  const spend = (
    exchange: Exchange,
    who: Mode | "anonymous",
    limit: number,
    spending: Effect.Effect<RateWindow, RateLimitStoreUnavailable>
  ): Effect.Effect<void, RateLimited | AssessmentUnavailable> =>
    spending.pipe(
      Effect.catch(({ cause }) => {
        exchange.window = windowAt(Date.now(), limit, limit)
        const logged = Effect.logError("a request could not be counted", describeCause(cause))
        return Effect.andThen(logged, Effect.fail(new AssessmentUnavailable()))
      }),
      Effect.flatMap((window) => {
        const exceeded = overLimit(exchange, who, window)
        return exceeded === null ? Effect.void : Effect.fail(exceeded)
      })
    )

  const spendAnonymous = (exchange: Exchange) => {
    const limit = config.rateLimitAnonymous
    return spend(exchange, "anonymous", limit, limits.spendAddress(exchange.address, limit))
  }

  const limitOf = ({ mode }: Caller): number =>
    mode === "live" ? config.rateLimitLive : config.rateLimitTest

  const callOf = (exchange: HttpExchange, caller: Caller, params: MatchedRoute["params"]): Call => {
    exchange.mayDrain = Number(exchange.request.headers["content-length"] ?? Infinity) <= bodyBytesMax
    exchange.permit = placeFor(caller)
    return { exchange, caller, params }
  }

  /** What is too large, or may be, is told so instead of having no place. */
  const needsPlace = ({ caller, exchange: { mayDrain, method } }: Call, scope: Scope): boolean =>
    caller.scopes.includes(scope) && (mayDrain || !bringsBody.has(method))

  /** Asked before anything is waited for: who finds no place costs neither a statement nor the reading of a body. */
  const crowdedOut = (call: Call, scope: Scope): RateLimited | AssessmentUnavailable | null => {
    const { caller, exchange } = call
    if (!needsPlace(call, scope) || exchange.permit.isFree()) return null
    const window = limits.spendRefused(caller.keyId, limitOf(caller), Date.now())
    return overLimit(exchange, caller.mode, window) ?? overloaded()
  }

  const admitted = Effect.fnUntraced(function* (
    { handle, scope }: KeyedRoute,
    call: Call
  ): Effect.fn.Return<HttpResponse, Failure> {
    const { caller, exchange } = call
    const refusal = crowdedOut(call, scope)
    if (refusal !== null) return yield* refusal
    if (needsPlace(call, scope)) exchange.permit.acquire()
    const limit = limitOf(caller)
    yield* spend(exchange, caller.mode, limit, limits.spendKey(caller.keyId, limit))
    if (!caller.scopes.includes(scope)) return yield* new InsufficientScope({ scope })
    return yield* handle(call)
  })

  /** Invariant: a place is taken only where giving it back is certain already: any two steps may be interrupted between. */
  const serveCall = (route: KeyedRoute, call: Call): Effect.Effect<HttpResponse, Failure> =>
    Effect.ensuring(admitted(route, call), Effect.sync(call.exchange.permit.release))

  const serve = Effect.fnUntraced(function* (
    exchange: HttpExchange,
    { params, route }: MatchedRoute
  ): Effect.fn.Return<HttpResponse, Failure> {
    if (route.scope === null) {
      yield* spendAnonymous(exchange)
      return yield* route.handle(exchange)
    }
    const caller = yield* authenticate.caller(exchange.request.rawHeaders)
    return yield* serveCall(route, callOf(exchange, caller, params))
  })

  /** A request that could not be counted shows an empty window: nothing in it invites another. */
  const refuseNow = (exchange: Exchange, failure: Failure): HttpResponse => {
    exchange.window ??= windowAt(Date.now(), config.rateLimitAnonymous, config.rateLimitAnonymous)
    if (failure === overloadFailure) return refuseTooMany(exchange.id, baseUrl())
    return errorResponse(failure, exchange.id, baseUrl())
  }

  /** A failure before any window was spent showed no valid key: it costs its address, and 429 comes first. */
  const turnAway = (exchange: Exchange, failure: Failure): Effect.Effect<HttpResponse> => {
    if (exchange.window !== null) return Effect.succeed(refuseNow(exchange, failure))
    return Effect.match(spendAnonymous(exchange), {
      onSuccess: () => refuseNow(exchange, failure),
      // Invariant: a key that could not be looked up may be valid; the fault is ours, not the address's.
      onFailure: (instead) =>
        refuseNow(exchange, failure.code === "ASSESSMENT_UNAVAILABLE" ? failure : instead)
    })
  }

  const guarded = (
    exchange: HttpExchange,
    work: Effect.Effect<HttpResponse, Failure>
  ): Effect.Effect<HttpResponse> =>
    withRequestId(
      exchange,
      work.pipe(
        Effect.catch((failure) => turnAway(exchange, failure)),
        Effect.catchCause((cause) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          return Effect.as(
            Effect.logError("a request met a defect", describeCause(cause)),
            refuseNow(exchange, new AssessmentUnavailable())
          )
        })
      )
    )

  const begin = (exchange: HttpExchange): HttpResponse | Effect.Effect<HttpResponse> => {
    const found = find(exchange.method, exchange.path)
    if (Result.isFailure(found)) return guarded(exchange, Effect.fail(found.failure))
    const { params, route, template } = found.success
    exchange.route = template
    if (tracing) return guarded(exchange, traceRequest(exchange, template, serve(exchange, found.success)))
    const remembered =
      route.scope === null ? null : authenticate.cachedCaller(exchange.request.rawHeaders, Date.now())
    if (route.scope === null || remembered === null) return guarded(exchange, serve(exchange, found.success))
    if (Result.isFailure(remembered)) return guarded(exchange, Effect.fail(remembered.failure))
    // Most of what is asked during an overload ends here, where a fiber would cost more than all the rest. A span is a fiber's.
    const call = callOf(exchange, remembered.success, params)
    const refusal = crowdedOut(call, route.scope)
    return refusal === null ? guarded(exchange, serveCall(route, call)) : refuseNow(exchange, refusal)
  }

  const answer: Edge["answer"] = (exchange) => {
    try {
      return begin(exchange)
    } catch (defect) {
      // No fiber is there yet to meet it.
      return guarded(exchange, Effect.die(defect))
    }
  }

  const answered: Edge["answered"] = ({ route }, method, status, ms) =>
    requestAnswered(route, method, status, ms)

  return {
    answer,
    answered,
    reject: (exchange, failure) => withRequestId(exchange, turnAway(exchange, failure)),
    refuseNow
  } satisfies Edge
})

/** One request in traces and logs: a span named by the template of its path, and its id on every line. */
const recordStatus = (status: number) => Effect.annotateCurrentSpan("http.response.status_code", status)

/** `template`: of the path that matched. The span starts a trace of its own: ids that callers send are not taken over. */
const traceRequest = (
  { id, method }: HttpExchange,
  template: string,
  work: Effect.Effect<HttpResponse, Failure>
): Effect.Effect<HttpResponse, Failure> =>
  work.pipe(
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

const withRequestId = <A, E>(exchange: { readonly id: string }, work: Effect.Effect<A, E>) =>
  Effect.provideService(work, References.CurrentLogAnnotations, { request_id: exchange.id })
