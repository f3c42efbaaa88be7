/** The order of checks that every request passes (contract 3), and the answer that leaves for it, whatever happens. */

import { Cause, Effect, References, Result } from "effect"
import { AssessmentUnavailable, type Failure, InsufficientScope, RateLimited } from "../api/Failures.ts"
import { AppConfig } from "../Config.ts"
import type { Caller } from "../domain/Caller.ts"
import { bodyBytesMax } from "../Limits.ts"
import { rateLimited, requestAnswered } from "../Metrics.ts"
import type { Mode } from "../domain/Mode.ts"
import { describeCause } from "../storage/describeCause.ts"
import { RateLimits, type RateWindow, windowAt } from "../storage/RateLimits.ts"
import type { RateLimitsAway } from "../storage/rateLimits/Count.ts"
import type { Answer } from "./Answer.ts"
import { Authenticate } from "./Authenticate.ts"
import type { Exchange, HttpExchange } from "./Exchange.ts"
import { crowded, InFlightMax, makeInFlight } from "./inFlight.ts"
import { refuse } from "./refuse.ts"
import type { Call } from "./Handler.ts"
import { type Found, type Handlers, type KeyedRoute, makeRoutes } from "./routes.ts"
import { traceRequest, withRequestId } from "./traceRequest.ts"

const bringsBody: ReadonlySet<string> = new Set(["POST", "PATCH"])

export interface Edge {
  /** The answer that must leave at once: nothing is asked, nothing more is counted. */
  readonly refuseNow: (exchange: Exchange, failure: Failure) => Answer
  /** Never fails; interrupted when the client leaves. */
  readonly answer: (exchange: HttpExchange) => Effect.Effect<Answer>
  /** The answer to what could not be dispatched, counted like anything without a valid key. */
  readonly turnAway: (exchange: Exchange, failure: Failure) => Effect.Effect<Answer>
  /** Told once for every request: the status that left, or null where the client left first. */
  readonly answered: (exchange: Exchange, method: string, status: number | null, ms: number) => void
}

/** `baseUrl` is known once the server listens. */
export const makeEdge = Effect.fn("makeEdge")(function* (handlers: Handlers, baseUrl: () => string) {
  const config = yield* AppConfig
  const authenticate = yield* Authenticate
  const limits = yield* RateLimits
  const tracing = yield* References.TracerEnabled
  const find = makeRoutes(handlers)
  const placeFor = makeInFlight(yield* InFlightMax)

  /** Invariant: what cannot be counted is refused, never let through. */
  const spend = (
    exchange: Exchange,
    who: Mode | "anonymous",
    limit: number,
    spending: Effect.Effect<RateWindow, RateLimitsAway>
  ): Effect.Effect<void, RateLimited | AssessmentUnavailable> =>
    spending.pipe(
      Effect.catch(({ cause }) => {
        exchange.window = windowAt(Date.now(), limit, limit)
        const logged = Effect.logError("a request could not be counted", describeCause(cause))
        return Effect.andThen(logged, Effect.fail(new AssessmentUnavailable()))
      }),
      Effect.flatMap((window) => {
        exchange.window = window
        const { exceeded, retryAfterSeconds } = window
        if (!exceeded) return Effect.void
        rateLimited(who)
        return Effect.fail(new RateLimited({ retryAfterSeconds }))
      })
    )

  const spendAnonymous = (exchange: Exchange) => {
    const limit = config.rateLimitAnonymous
    return spend(exchange, "anonymous", limit, limits.spendAddress(exchange.address, limit))
  }

  const spendKey = (exchange: Exchange, { keyId, mode }: Caller, how: "spendKey" | "spendRefused") => {
    const limit = mode === "live" ? config.rateLimitLive : config.rateLimitTest
    return spend(exchange, mode, limit, limits[how](keyId, limit))
  }

  /** A place is sought before anything is waited for: who finds none costs neither a statement nor the reading of a body. */
  const admitted = Effect.fnUntraced(function* (
    { handle, scope }: KeyedRoute,
    call: Call
  ): Effect.fn.Return<Answer, Failure> {
    const { caller, exchange } = call
    const { mayDrain, method, place } = exchange
    const entitled = caller.scopes.includes(scope)
    // What is too large, or may be, is told so instead.
    const crowdsOut = entitled && (mayDrain || !bringsBody.has(method)) && !place.take()
    yield* spendKey(exchange, caller, crowdsOut ? "spendRefused" : "spendKey")
    if (!entitled) return yield* new InsufficientScope({ scope })
    if (crowdsOut) return yield* crowded()
    return yield* handle(call)
  })

  const serve = Effect.fnUntraced(function* (
    exchange: HttpExchange,
    { params, route }: Found
  ): Effect.fn.Return<Answer, Failure> {
    if (route.scope === null) {
      yield* spendAnonymous(exchange)
      return yield* route.handle(exchange)
    }
    const caller = yield* authenticate.caller(exchange.request.rawHeaders)
    exchange.mayDrain = Number(exchange.request.headers["content-length"] ?? Infinity) <= bodyBytesMax
    const place = placeFor(caller)
    exchange.place = place
    // Invariant: a place is taken only where giving it back is certain already: any two steps may be interrupted between.
    return yield* Effect.ensuring(admitted(route, { exchange, caller, params }), Effect.sync(place.giveBack))
  })

  const handle = (exchange: HttpExchange): Effect.Effect<Answer, Failure> => {
    const found = find(exchange.method, exchange.path)
    if (Result.isFailure(found)) return Effect.fail(found.failure)
    const { template } = found.success
    exchange.route = template
    const serving = serve(exchange, found.success)
    return tracing ? traceRequest(exchange, template, serving) : serving
  }

  /** A request that could not be counted shows an empty window: nothing in it invites another. */
  const refuseNow = (exchange: Exchange, failure: Failure): Answer => {
    exchange.window ??= windowAt(Date.now(), config.rateLimitAnonymous, config.rateLimitAnonymous)
    return refuse(failure, exchange.id, baseUrl())
  }

  /** A failure before any window was spent showed no valid key: it costs its address, and 429 comes first. */
  const turnAway = (exchange: Exchange, failure: Failure): Effect.Effect<Answer> => {
    if (exchange.window !== null) return Effect.succeed(refuseNow(exchange, failure))
    return Effect.match(spendAnonymous(exchange), {
      onSuccess: () => refuseNow(exchange, failure),
      // Invariant: a key that could not be looked up may be valid; the fault is ours, not the address's.
      onFailure: (instead) =>
        refuseNow(exchange, failure.code === "ASSESSMENT_UNAVAILABLE" ? failure : instead)
    })
  }

  const answer = (exchange: HttpExchange): Effect.Effect<Answer> =>
    withRequestId(
      exchange,
      Effect.suspend(() => handle(exchange)).pipe(
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

  const answered: Edge["answered"] = ({ route }, method, status, ms) =>
    requestAnswered(route, method, status, ms)

  return {
    answer,
    answered,
    turnAway: (exchange, failure) => withRequestId(exchange, turnAway(exchange, failure)),
    refuseNow
  } satisfies Edge
})
