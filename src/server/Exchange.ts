/** One request under way, what handles it, and its response, as they pass between listener, edge and handlers. */

import type { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Failure } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import type { RateWindow } from "../storage/RateLimits.ts"
import type { Permit } from "./concurrency.ts"

/** What every response needs, also one to bytes that were no request. */
export interface Exchange {
  /** `req_…`, always made here. */
  readonly id: string
  /** What the client is counted by as long as it shows no valid key. */
  readonly address: string
  /** Without the query; null when no request line was understood. */
  readonly path: string | null
  /** The template of the path that matched, once one did. */
  route: string | null
  /** The window this request was counted in, once it was. */
  window: RateWindow | null
}

/** An exchange whose headers were understood. */
export interface HttpExchange extends Exchange {
  readonly path: string
  /** After the question mark; empty without one. */
  readonly query: string
  readonly method: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue: boolean
  /** The body belongs to a valid key and is small: an answer that comes before it need not cost the connection. */
  mayDrain: boolean
  /** Among those who are worked on at once. */
  permit: Permit
  /** The answer is due some time after this is called anew: time spent on receiving is the client's. */
  readonly restartDeadline: () => void
  readonly stopDeadline: () => void
}

const authority = /^https?:\/\/[^/?]*/i

/** The path and query of a request target; a proxy may send the absolute form (RFC 9112 3.2.2). */
export const readTarget = (url: string): { readonly path: string; readonly query: string } => {
  const target = url.startsWith("/") ? url : url.replace(authority, "")
  const at = target.indexOf("?")
  return at === -1 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

/** What answers an operation once the edge has let its request through. */
export interface Call {
  readonly exchange: HttpExchange
  readonly caller: Caller
  /** Path parameters by name, as they stand in the path. */
  readonly params: Readonly<Record<string, string>>
}

/** For operations that need a key: it is valid, within its rate limit, and has the scope. */
export type KeyedHandler = (call: Call) => Effect.Effect<HttpResponse, Failure>

/** For operations and documents that need no key. */
export type OpenHandler = (exchange: HttpExchange) => Effect.Effect<HttpResponse, Failure>

/** What leaves the process for one request, before the headers that every response carries. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null: a response without a body. */
  readonly body: Uint8Array | string | null
}

const jsonType = { "content-type": "application/json" }

/** A JSON body that is already encoded: exactly these bytes are sent. */
export const jsonBytesResponse = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {}
): HttpResponse => ({
  status: 200,
  headers: { ...jsonType, ...headers },
  body
})

export const jsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): HttpResponse => ({
  status,
  headers: { ...jsonType, ...headers },
  body: JSON.stringify(value)
})
