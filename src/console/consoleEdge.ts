/** The checks that every request to the console passes before its screen, in order, and the page for every failure. */

import { Cause, Clock, Effect, Option } from "effect"
import {
  AssessmentUnavailable,
  type Failure,
  InsufficientScope,
  MethodNotAllowed,
  NotFound,
  RateLimited,
  statusOf
} from "../api/Failures.ts"
import type { Caller, Mode, Scope } from "../domain/Caller.ts"
import { consoleAddressMax, consoleInFlightMax, consoleRequestsMax, rateWindowMs } from "../limits.ts"
import { requestAnswered } from "../metrics.ts"
import type { HttpExchange, HttpResponse } from "../server/Exchange.ts"
import type { Edge } from "../server/edge.ts"
import { countInMemory } from "../storage/RateLimits.ts"
import { makeFaultLog } from "../storage/storageErrors.ts"
import { SignIn } from "./SignIn.ts"
import { assetResponse } from "./assets.ts"
import { arrival, notice, type Visitor } from "./parts/frame.ts"
import {
  comesFromElsewhere,
  type ConsolePlace,
  isHttps,
  isOwnHost,
  isSameOrigin,
  pageResponse,
  seeOther,
  sessionTokenOf
} from "./respond.ts"

/** A request of a signed-in user. */
export interface Visit {
  readonly exchange: HttpExchange
  readonly caller: Caller
  readonly token: string
  readonly query: URLSearchParams
  /** The id in the path; empty if there is none. */
  readonly id: string
}

export interface ScreenWith<Needs> {
  readonly method: "GET" | "POST"
  /** Matches the path after the mode. May contain the group `id`. */
  readonly path: RegExp
  /** Null: open to every signed-in user. */
  readonly scope: Scope | null
  readonly show: (visit: Visit) => Effect.Effect<HttpResponse, Failure, Needs>
}

/** Pages without sign-in, by method and path. */
export type OpenScreens = Readonly<
  Record<string, (exchange: HttpExchange) => Effect.Effect<HttpResponse, Failure>>
>

/** Counts console requests separately from the API's rate limits, so that pages do not use up agents' requests. */
export const makeCounter = Effect.map(Clock.Clock, (clock) => {
  const count = countInMemory()
  return (subject: string, max: number): RateLimited | null => {
    const nowMs = clock.currentTimeMillisUnsafe()
    const windowMs = nowMs - (nowMs % rateWindowMs)
    if (count(subject, windowMs) <= max) return null
    return new RateLimited({ retryAfterSeconds: Math.ceil((windowMs + rateWindowMs - nowMs) / 1_000) })
  }
})

export type RequestCounter = Effect.Success<typeof makeCounter>

const titles: Partial<Record<Failure["code"], string>> = {
  NOT_FOUND: "Page not found",
  METHOD_NOT_ALLOWED: "This request is not allowed",
  INSUFFICIENT_SCOPE: "Your key does not allow this",
  RATE_LIMITED: "Too many requests",
  ASSESSMENT_UNAVAILABLE: "Nothing can be shown right now",
  VALIDATION_FAILED: "That is not valid",
  PAYLOAD_TOO_LARGE: "That is too long"
}

const textOf = (failure: Failure): string => {
  switch (failure.code) {
    case "NOT_FOUND":
      return "There is no such page, or it is another organization's, or of the other mode: these look the same."
    case "INSUFFICIENT_SCOPE":
      return `It needs a key with the scope ${failure.scope ?? "of this screen"}.`
    case "RATE_LIMITED":
      return `Come back in ${failure.retryAfterSeconds} seconds.`
    case "ASSESSMENT_UNAVAILABLE":
      return "A part of the service does not answer, and no part of an opinion is shown without the rest. Reload the page in a moment."
    default:
      return failure.message
  }
}

const failurePage = (failure: Failure, visitor?: Visitor): HttpResponse => {
  const headers = "retryAfterSeconds" in failure ? { "retry-after": String(failure.retryAfterSeconds) } : {}
  const page = notice({
    title: titles[failure.code] ?? "Something went wrong",
    text: textOf(failure),
    link: { path: "/", name: "Go to the start page" },
    ...(visitor === undefined ? {} : { visitor })
  })
  return pageResponse(page, statusOf(failure), headers)
}

const foreignForm = (): HttpResponse =>
  pageResponse(
    notice({
      title: "Refused",
      text: "This form was not sent by a page of this console, so nothing was done.",
      link: { path: "/", name: "Go to the start page" }
    }),
    403
  )

const misdirected = (): HttpResponse =>
  pageResponse(
    notice({
      title: "Refused",
      text: "The console is not configured for this host name, so nothing is shown. Use the console's address, or ask the operator to set CONSOLE_URL to this name.",
      link: { path: "/", name: "Go to the start page" }
    }),
    421
  )

const signInFirst = (exchange: HttpExchange): HttpResponse => {
  const { method, path, query } = exchange
  const here = query === "" ? path : `${path}?${query}`
  if (method !== "POST") {
    if (comesFromElsewhere(exchange.request.headers)) return pageResponse(arrival(here))
    return seeOther(`/sign-in?next=${encodeURIComponent(here)}`)
  }
  const text =
    "Your session has ended, and nothing was changed. Use your browser's Back button to get back what you typed."
  return pageResponse(
    notice({ title: "Sign in again", text, link: { path: "/sign-in", name: "Sign in" } }),
    401
  )
}

const modePath = /^\/(test|live)\/(.*)$/

interface Screens<Needs> {
  readonly open: OpenScreens
  readonly signedIn: ReadonlyArray<ScreenWith<Needs>>
}

const methodOf = ({ method }: HttpExchange): string => (method === "HEAD" ? "GET" : method)

/** The pages of signed-in users. `Needs`: the services that the screens use. */
const makeSignedIn = Effect.fnUntraced(function* <Needs>(
  screens: ReadonlyArray<ScreenWith<Needs>>,
  spend: RequestCounter,
  secure: boolean
) {
  const { caller: callerOf } = yield* SignIn
  const needs = yield* Effect.context<Needs>()

  const callerFor = Effect.fnUntraced(function* (exchange: HttpExchange, mode: Mode) {
    const token = sessionTokenOf(exchange.request.headers, mode, secure)
    if (token === null) return null
    const caller = yield* callerOf(token, {
      address: exchange.address,
      refusal: () => {
        const refused = spend(`unknown ${exchange.address}`, consoleAddressMax)
        return refused === null ? null : Effect.fail(refused)
      }
    })
    return Option.isSome(caller) && caller.value.mode === mode ? { caller: caller.value, token } : null
  })

  const answer = Effect.fnUntraced(function* (
    { caller, exchange, token }: Pick<Visit, "caller" | "exchange" | "token">,
    path: string
  ): Effect.fn.Return<HttpResponse, Failure> {
    const tooMany = spend(`session ${token}`, consoleRequestsMax)
    if (tooMany !== null) return yield* tooMany
    const there = screens.filter((screen) => screen.path.test(path))
    const screen = there.find(({ method }) => method === methodOf(exchange))
    if (there.length === 0) return yield* new NotFound()
    if (screen === undefined) return yield* new MethodNotAllowed({})
    const { scope, show } = screen
    if (scope !== null && !caller.scopes.includes(scope)) return yield* new InsufficientScope({ scope })
    const id = screen.path.exec(path)?.groups?.["id"] ?? ""
    const query = new URLSearchParams(exchange.query)
    return yield* Effect.provideContext(show({ exchange, caller, token, id, query }), needs)
  })

  return Effect.fnUntraced(function* (exchange: HttpExchange, mode: Mode, path: string) {
    const found = yield* callerFor(exchange, mode)
    if (found === null) return signInFirst(exchange)
    return yield* answer({ ...found, exchange }, path).pipe(
      Effect.catch((failure) => Effect.succeed(failurePage(failure, found.caller)))
    )
  })
})

export const makeConsoleEdge = Effect.fn("makeConsoleEdge")(function* <Needs>(
  screens: Screens<Needs>,
  spend: RequestCounter,
  place: ConsolePlace
) {
  const signedIn = yield* makeSignedIn(screens.signedIn, spend, isHttps(place))
  const logFault = makeFaultLog(Effect.logError)
  let inFlight = 0

  const openPage = (exchange: HttpExchange): Effect.Effect<HttpResponse, Failure> => {
    const screen = screens.open[`${methodOf(exchange)} ${exchange.path}`]
    if (screen === undefined) return Effect.fail(new NotFound())
    const tooMany = spend(`address ${exchange.address}`, consoleAddressMax)
    return tooMany === null ? screen(exchange) : Effect.fail(tooMany)
  }

  const route = (exchange: HttpExchange): Effect.Effect<HttpResponse, Failure> => {
    if (!["GET", "POST"].includes(methodOf(exchange))) return Effect.fail(new MethodNotAllowed({}))
    // Changes may only come from our own pages.
    if (exchange.method === "POST" && !isSameOrigin(exchange.request.headers, place))
      return Effect.succeed(foreignForm())
    const [, mode, rest = ""] = modePath.exec(exchange.path) ?? []
    return mode === "test" || mode === "live" ? signedIn(exchange, mode, rest) : openPage(exchange)
  }

  const guarded = (exchange: HttpExchange): Effect.Effect<HttpResponse> =>
    Effect.suspend(() => route(exchange)).pipe(
      Effect.catch((failure) => Effect.succeed(failurePage(failure))),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.as(logFault("the console met a defect", cause), failurePage(new AssessmentUnavailable()))
      )
    )

  const answer: Edge["answer"] = (exchange) => {
    exchange.route = "console"
    if (!isOwnHost(exchange.request.headers, place)) return misdirected()
    const asset = exchange.method === "POST" ? null : assetResponse(exchange.path)
    if (asset !== null) return asset
    if (inFlight >= consoleInFlightMax) return failurePage(new AssessmentUnavailable())
    inFlight++
    return Effect.ensuring(
      guarded(exchange),
      Effect.sync(() => inFlight--)
    )
  }

  return {
    answer,
    rejectNow: (_exchange, failure) => failurePage(failure),
    reject: (_exchange, failure) => Effect.sync(() => failurePage(failure)),
    answered: ({ route: template }, method, status, ms) => requestAnswered(template, method, status, ms)
  } satisfies Edge
})
