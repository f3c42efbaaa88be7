/** How the console reads and answers requests: pages under one strict policy, redirects, cookies, forms and their origin. */

import { Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { isIP } from "node:net"
import { type Mode, modes } from "../domain/Caller.ts"
import { consoleReturnMax, consoleSessionHours } from "../limits.ts"
import type { Markup } from "../markup.ts"
import type { HttpExchange, HttpResponse } from "../server/Exchange.ts"
import { readBody } from "../server/requestInput.ts"
import { asUuid, isCursor } from "../storage/timeOrderedId.ts"

/** No inline scripts or styles, nothing from other origins, no framing. With Trusted Types, text cannot become markup in the browser. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy,
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
}

export const pageResponse = (
  { html }: Markup,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): HttpResponse => ({ status, headers: { ...pageHeaders, ...headers }, body: html })

/** `location`: a path of the console. */
export const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 303,
  headers: { ...pageHeaders, location, ...headers },
  body: ""
})

const cookieName = (mode: Mode, secure: boolean): string => `${secure ? "__Host-" : ""}console_${mode}`

/** Each mode has its own cookie, so that switching the mode does not end a session. `__Host-` keeps other hosts from setting it. */
export const sessionCookie = (mode: Mode, token: string, secure: boolean): string =>
  `${cookieName(mode, secure)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${consoleSessionHours * 3_600}${secure ? "; Secure" : ""}`

export const endedCookie = (mode: Mode, secure: boolean): string =>
  `${cookieName(mode, secure)}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0${secure ? "; Secure" : ""}`

/** Null without the cookie. */
export const sessionTokenOf = (
  { cookie }: IncomingHttpHeaders,
  mode: Mode,
  secure: boolean
): string | null => {
  const start = `${cookieName(mode, secure)}=`
  const found = (cookie ?? "").split(/; ?/).find((pair) => pair.startsWith(start))
  return found === undefined ? null : found.slice(start.length)
}

/** The modes for which the browser has a cookie. */
export const modesSignedIn = (headers: IncomingHttpHeaders, secure: boolean): ReadonlyArray<Mode> =>
  modes.filter((mode) => sessionTokenOf(headers, mode, secure) !== null)

/** Where browsers reach the console. `url`: CONSOLE_URL; null means the address on which it listens. */
export interface ConsolePlace {
  readonly host: string
  readonly url: string | null
}

export const isHttps = ({ url }: ConsolePlace): boolean => url?.startsWith("https:") ?? false

/**
 * Whether a page of this console sent the form. Browsers since 2023 say so. Older browsers, and all browsers on a page from another machine
 * without encryption, at least send the origin. Another port of the same host is another origin, although cookies ignore ports.
 */
export const isSameOrigin = (headers: IncomingHttpHeaders, place: ConsolePlace): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const own = isHttps(place) ? new URL(place.url ?? "").origin : `http://${headers.host}`
  return headers.origin === own
}

/**
 * Whether a request is addressed to the console's own name. Any name can be made to resolve to this address (DNS rebinding), and a page
 * under that name would then be of the same origin; an IP address cannot. With https, the certificate already proves the name.
 */
export const isOwnHost = (headers: IncomingHttpHeaders, place: ConsolePlace): boolean => {
  if (isHttps(place)) return true
  const given = `http://${headers.host ?? ""}`
  if (!URL.canParse(given)) return false
  const { hostname } = new URL(given)
  const own = [
    "localhost",
    place.host.toLowerCase(),
    ...(place.url === null ? [] : [new URL(place.url).hostname])
  ]
  return (
    own.includes(hostname) || hostname.endsWith(".localhost") || isIP(hostname.replace(/^\[|\]$/g, "")) > 0
  )
}

/** Whether a link on another site led here. The browser then does not send the cookie. */
export const comesFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-mode"] === "navigate"

/** A path of the console to return to after sign-in, or the start page if the path is not safe. */
export const safeReturn = (path: string): string =>
  path.length <= consoleReturnMax && /^\/(?:test|live)\/[\w./?&=%+-]*$/.test(path) && !path.includes("//")
    ? path
    : "/"

/** Reads a form as sent by browsers. */
export const readForm = (exchange: HttpExchange) =>
  Effect.map(readBody(exchange), (bytes) => new URLSearchParams(Buffer.from(bytes).toString()))

/** An id from a query, for linking to it; null if the text is not an id. */
export const idIn = (query: URLSearchParams, name: string): string | null =>
  asUuid(query.get(name) ?? "") ?? null

/** Null without a valid cursor: the list then starts at its newest row. */
export const cursorIn = (query: URLSearchParams): string | null => {
  const given = query.get("cursor")
  return given !== null && isCursor(given) ? given : null
}
