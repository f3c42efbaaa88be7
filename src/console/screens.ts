/** The general screens: sign-in, sign-out, and the start page. */

import { Effect } from "effect"
import type { Failure } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import { consoleSignInsMax } from "../limits.ts"
import type { HttpResponse } from "../server/Exchange.ts"
import { type NewSession, screenScopes, SignIn } from "./SignIn.ts"
import type { OpenScreens, RequestCounter, ScreenWith, Visit } from "./consoleEdge.ts"
import { signInPage } from "./pages/signInPage.ts"
import {
  endedCookie,
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

const signOut = (secure: boolean) =>
  Effect.fnUntraced(function* ({ caller, token }: Visit) {
    yield* SignIn.use(({ end }) => end(token))
    const cookie = endedCookie(caller.mode, secure)
    return seeOther("/sign-in", { "set-cookie": cookie, "clear-site-data": '"cache"' })
  })

export const startScreens = (secure: boolean): ReadonlyArray<ScreenWith<SignIn>> => [
  { method: "GET", path: /^$/, scope: null, show: ({ caller }) => Effect.succeed(seeOther(startOf(caller))) },
  { method: "POST", path: /^sign-out$/, scope: null, show: signOut(secure) }
]
