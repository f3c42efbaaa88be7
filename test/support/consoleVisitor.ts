/** A browser without a window: calls the console over a socket, keeps cookies, and does not follow redirects. */

import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { type IncomingHttpHeaders, request } from "node:http"
import { ConsoleListener } from "../../src/console/ConsoleListener.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { fullService } from "./fullService.ts"
import type { openedRules } from "./openedRules.ts"

export interface Seen {
  readonly status: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
  /** The path that it redirects to; empty without one. */
  readonly location: string
}

export interface Visitor {
  readonly get: (path: string, headers?: Record<string, string>) => Effect.Effect<Seen>
  /** Like a form from a page of the console, unless the headers differ. */
  readonly post: (
    path: string,
    form: Record<string, string>,
    headers?: Record<string, string>
  ) => Effect.Effect<Seen>
  readonly cookie: () => string
}

/** The service with its console. A trusted proxy gives each visitor a separate address. */
export const consoleServiceOf = (rules?: typeof openedRules) =>
  fullService({ CONSOLE_PORT: "0", TRUSTED_PROXIES: "127.0.0.1" }, undefined, undefined, rules)

export const consoleService = consoleServiceOf()

export const visitor = Effect.gen(function* () {
  const { url } = yield* ConsoleListener
  if (url === null) return yield* Effect.die(new Error("there is no console"))
  const address = `10.${[1, 2, 3].map(() => randomInt(1, 255)).join(".")}`
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  /** Uses node:http, because fetch sets the headers that state a request's origin. */
  const ask = (method: string, path: string, body: string, headers: Record<string, string>) =>
    Effect.callback<Seen>((resume) => {
      const type = body === "" ? {} : { "content-type": "application/x-www-form-urlencoded" }
      const sent = { cookie: cookie(), "x-forwarded-for": address, ...type, ...headers }
      const asking = request(url + path, { method, headers: sent }, (answer) => {
        let text = ""
        answer.setEncoding("utf8")
        answer.on("data", (chunk: string) => (text += chunk))
        answer.on("end", () => {
          for (const set of answer.headers["set-cookie"] ?? []) {
            const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
            if (value === "") cookies.delete(name)
            else cookies.set(name, value)
          }
          const { headers: got, statusCode: status = 0 } = answer
          resume(Effect.succeed({ status, text, headers: got, location: got.location ?? "" }))
        })
      })
      asking.on("error", (cause) => resume(Effect.die(cause)))
      asking.end(body)
    })
  const made: Visitor = {
    get: (path, headers = {}) => ask("GET", path, "", headers),
    post: (path, form, headers = { "sec-fetch-site": "same-origin" }) =>
      ask("POST", path, String(new URLSearchParams(form)), headers),
    cookie
  }
  return made
})

/** A visitor who has signed in with a key. */
export const signedIn = Effect.fnUntraced(function* (key: string) {
  const made = yield* visitor
  yield* made.post("/sign-in", { key })
  return made
})

/** The API's answer to an assessment under a key. */
export const assessed = Effect.fnUntraced(function* (key: string, request: object) {
  const { url } = yield* ListeningServer
  const answer = yield* Effect.promise(() =>
    fetch(`${url}/api/v1/actions/assess`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(request)
    })
  )
  return (yield* Effect.promise(() => answer.json())) as {
    readonly assessment_id: string
    readonly summary: string
    readonly action_risk: { readonly score: number }
  }
})
