/** The order of checks that every request passes (contract 3), and the answer that leaves for it, whatever happens. */

import { Cause, Effect } from "effect"
import { AssessmentUnavailable, type Failure, InsufficientScope, RateLimited } from "../api/Failures.ts"
import { AppConfig } from "../Config.ts"
import type { Caller } from "../domain/Caller.ts"
import { bodyBytesMax } from "../Limits.ts"
import { describeCause } from "../storage/describeCause.ts"
import { RateLimits, type RateWindow, windowAt } from "../storage/RateLimits.ts"
import type { RateLimitsAway } from "../storage/rateLimits/Count.ts"
import type { Answer } from "./Answer.ts"
import { Authenticate } from "./Authenticate.ts"
import type { Exchange, HttpExchange } from "./Exchange.ts"
import { type Handlers, makeRoutes } from "./routes.ts"
import { refuse } from "./refuse.ts"

export interface Edge {
  /** The answer that must leave at once: nothing is asked, nothing more is counted. */
  readonly refuseNow: (exchange: Exchange, failure: Failure) => Answer
  /** Never fails; interrupted when the client leaves. */
  readonly answer: (exchange: HttpExchange) => Effect.Effect<Answer>
  /** The answer to what could not be dispatched, counted like anything without a valid key. */
  readonly turnAway: (exchange: Exchange, failure: Failure) => Effect.Effect<Answer>
}

/** `baseUrl` is known once the server listens. */
export const makeEdge = Effect.fn("makeEdge")(function* (handlers: Handlers, baseUrl: () => string) {
  const config = yield* AppConfig
  const authenticate = yield* Authenticate
  const limits = yield* RateLimits
  const find = makeRoutes(handlers)

  /** Invariant: what cannot be counted is refused, never let through. */
  const spend = (
    exchange: Exchange,
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
        return exceeded ? Effect.fail(new RateLimited({ retryAfterSeconds })) : Effect.void
      })
    )

  const spendAnonymous = (exchange: Exchange) => {
    const limit = config.rateLimitAnonymous
    return spend(exchange, limit, limits.spendAddress(exchange.address, limit))
  }

  const spendKey = (exchange: Exchange, { keyId, mode }: Caller) => {
    const limit = mode === "live" ? config.rateLimitLive : config.rateLimitTest
    return spend(exchange, limit, limits.spendKey(keyId, limit))
  }

  const handle = Effect.fnUntraced(function* (exchange: HttpExchange): Effect.fn.Return<Answer, Failure> {
    const { route, params } = yield* Effect.fromResult(find(exchange.method, exchange.path))
    if (route.scope === null) {
      yield* spendAnonymous(exchange)
      return yield* route.handle(exchange)
    }
    const caller = yield* authenticate.caller(exchange.request.rawHeaders)
    exchange.mayDrain = Number(exchange.request.headers["content-length"] ?? Infinity) <= bodyBytesMax
    yield* spendKey(exchange, caller)
    if (!caller.scopes.includes(route.scope)) return yield* new InsufficientScope({ scope: route.scope })
    return yield* route.handle({ exchange, caller, params })
  })

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
    handle(exchange).pipe(
      Effect.catch((failure) => turnAway(exchange, failure)),
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
        return Effect.as(
          Effect.logError("a request met a defect", { requestId: exchange.id, ...describeCause(cause) }),
          refuseNow(exchange, new AssessmentUnavailable())
        )
      })
    )

  return { answer, turnAway, refuseNow } satisfies Edge
})
