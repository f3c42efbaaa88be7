/** The screens that lead to an assessment: sign-in and sign-out, the start, and the lists. */

import { Clock, Effect } from "effect"
import type { ActionList } from "../api/Actions.ts"
import type { Failure } from "../api/Failures.ts"
import { Assessments } from "../assessment/Assessments.ts"
import { Reviews } from "../assessment/Reviews.ts"
import type { Caller } from "../domain/Caller.ts"
import { type ReviewState, reviewStates } from "../domain/Review.ts"
import { consoleRowsMax, consoleSignInsMax, searchMax } from "../limits.ts"
import type { HttpResponse } from "../server/Exchange.ts"
import { type NewSession, screenScopes, SignIn } from "./SignIn.ts"
import type { OpenScreens, RequestCounter, ScreenWith, Visit } from "./consoleEdge.ts"
import { assessmentsPage, reviewsPage } from "./pages/listPages.ts"
import { signInPage } from "./pages/signInPage.ts"
import {
  cursorIn,
  endedCookie,
  idIn,
  modesSignedIn,
  pageResponse,
  readForm,
  safeReturn,
  seeOther,
  sessionCookie
} from "./respond.ts"

const startOf = ({ mode, scopes }: Pick<Caller, "mode" | "scopes">): string => {
  const starts = { reviews: "reviews", read: "assessments", rules: "rules", webhooks: "webhooks" } as const
  const scope = screenScopes.find((one) => scopes.includes(one)) ?? "read"
  return `/${mode}/${starts[scope]}`
}

const wrongKey = (failure: Failure): string => {
  switch (failure.code) {
    case "INSUFFICIENT_SCOPE":
      return "This key opens no screen: it has none of the scopes reviews, read, rules and webhooks."
    case "SANDBOX_EXPIRED":
      return "This key has expired. Ask your operator for a new one."
    default:
      return "That does not sign in: the key is not valid, or the link was used or is more than a minute old."
  }
}

export const makeOpenScreens = Effect.fn("makeOpenScreens")(function* (
  spend: RequestCounter,
  secure: boolean
) {
  const signIn = yield* SignIn

  const enter = (session: NewSession, next: string): HttpResponse => {
    const { mode } = session.caller
    const there = next.startsWith(`/${mode}/`) ? next : startOf(session.caller)
    return seeOther(there, { "set-cookie": sessionCookie(mode, session.token, secure) })
  }

  return {
    "GET /": ({ request }) =>
      Effect.sync(() => {
        const [mode] = modesSignedIn(request.headers, secure)
        return seeOther(mode === undefined ? "/sign-in" : `/${mode}/`)
      }),
    "GET /sign-in": ({ query }) =>
      Effect.sync(() => {
        const parameters = new URLSearchParams(query)
        const next = safeReturn(parameters.get("next") ?? "/")
        return pageResponse(signInPage({ next, link: parameters.get("link"), problem: null }))
      }),
    "POST /sign-in": Effect.fnUntraced(function* (exchange): Effect.fn.Return<HttpResponse, Failure> {
      const tooMany = spend(`sign-in ${exchange.address}`, consoleSignInsMax)
      if (tooMany !== null) return yield* tooMany
      const form = yield* readForm(exchange)
      const next = safeReturn(form.get("next") ?? "/")
      const link = form.get("link")
      const entering = link === null ? signIn.byKey((form.get("key") ?? "").trim()) : signIn.byLink(link)
      return yield* Effect.match(entering, {
        onSuccess: (session) => Effect.succeed(enter(session, next)),
        onFailure: (failure) =>
          failure.code === "ASSESSMENT_UNAVAILABLE"
            ? Effect.fail(failure)
            : Effect.succeed(pageResponse(signInPage({ next, link: null, problem: wrongKey(failure) }), 401))
      }).pipe(Effect.flatten)
    })
  } satisfies OpenScreens
})

const listReviews = Effect.fnUntraced(function* (visit: Visit) {
  const { caller, exchange, query } = visit
  const state: ReviewState = reviewStates.find((one) => one === query.get("state")) ?? "open"
  const cursor = cursorIn(query)
  const page = yield* (yield* Reviews).list(caller, { state, limit: consoleRowsMax, cursor }, exchange.id)
  return pageResponse(
    reviewsPage({
      visitor: caller,
      nowMs: yield* Clock.currentTimeMillis,
      state,
      reviews: page.data,
      older: page.next_cursor,
      isLater: cursor !== null,
      closed: idIn(query, "closed")
    })
  )
})

const listAssessments = Effect.fnUntraced(function* ({ caller, exchange, query }: Visit) {
  const q = (query.get("q") ?? "").replaceAll("\0", "").slice(0, searchMax)
  const cursor = cursorIn(query)
  const wanted = { limit: consoleRowsMax, cursor, q: q.trim() === "" ? null : q }
  const { body } = yield* (yield* Assessments).list(caller, wanted, exchange.id)
  const page: ActionList = JSON.parse(Buffer.from(body).toString())
  return pageResponse(
    assessmentsPage({
      visitor: caller,
      nowMs: yield* Clock.currentTimeMillis,
      q,
      assessments: page.data,
      older: page.next_cursor,
      isLater: cursor !== null
    })
  )
})

const signOut = (secure: boolean) =>
  Effect.fnUntraced(function* ({ caller, token }: Visit) {
    yield* SignIn.use(({ end }) => end(token))
    const cookie = endedCookie(caller.mode, secure)
    return seeOther("/sign-in", { "set-cookie": cookie, "clear-site-data": '"cache"' })
  })

export const listScreens = (secure: boolean): ReadonlyArray<ScreenWith<Assessments | Reviews | SignIn>> => [
  { method: "GET", path: /^$/, scope: null, show: ({ caller }) => Effect.succeed(seeOther(startOf(caller))) },
  { method: "GET", path: /^reviews$/, scope: "reviews", show: listReviews },
  { method: "GET", path: /^assessments$/, scope: "read", show: listAssessments },
  { method: "POST", path: /^sign-out$/, scope: null, show: signOut(secure) }
]
