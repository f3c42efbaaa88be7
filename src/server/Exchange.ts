/** One request in progress, the handlers that serve it, and its response, as listener, edge and handlers share them. */

import type { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Failure } from "../api/Failures.ts"
import type { Caller } from "../domain/Caller.ts"
import type { RateWindow } from "../storage/RateLimits.ts"
import type { Permit } from "./concurrency.ts"

/** The part of an exchange that every response needs, including the response to bytes that were no request. */
export interface Exchange {
  /** `req_…`, always made by this process. */
  readonly id: string
  /** The rate limit counts a client by its address until the client shows a valid key. */
  readonly address: string
  /** Without the query; null when no request line was understood. */
  readonly path: string | null
  /** The template of the matched path; null until a path matched. */
  route: string | null
  /** The rate-limit window that counted this request; null until the request is counted. */
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
  /** The key is valid and the body small, so Node may read the rest of the body and keep the connection open. */
  mayDrain: boolean
  /** The permit to be worked on, under the concurrency limit. */
  permit: Permit
  /** The response is due `answerMs` after this call. */
  readonly restartDeadline: () => void
  /** While the client sends its body, no deadline runs. */
  readonly stopDeadline: () => void
}

/** A request with a valid key, as its handler gets it. */
export interface Call {
  readonly exchange: HttpExchange
  readonly caller: Caller
  /** Path parameters by name, not percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Handles an operation that needs a key: the key is valid, within its rate limit, and has the operation's scope. */
export type KeyedHandler = (call: Call) => Effect.Effect<HttpResponse, Failure>

/** Handles an operation or document that needs no key. */
export type OpenHandler = (exchange: HttpExchange) => Effect.Effect<HttpResponse, Failure>

/** The response of a handler; respond.ts adds the headers that every response carries. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null: a response without a body. */
  readonly body: Uint8Array | string | null
  /** Replaces `body`: writes the body over time and ends it, at the latest soon after `isClosing`. A stream holds no permit. */
  readonly stream?: (response: ServerResponse, isClosing: () => boolean) => void
}

const jsonType = { "content-type": "application/json" }

/** A JSON body that is already encoded: exactly these bytes are sent. */
export const jsonBytesResponse = (
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
  status = 200
): HttpResponse => ({ status, headers: { ...jsonType, ...headers }, body })

export const jsonResponse = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): HttpResponse => jsonBytesResponse(JSON.stringify(value), headers, status)

/** The headers of a response to a request with an Idempotency-Key; a replay carries the first request's id. */
export const idempotencyHeaders = (
  { replayed, requestId }: { readonly replayed: boolean; readonly requestId: string },
  exchangeId: string
): Readonly<Record<string, string>> => ({
  "svc-request-id": requestId,
  ...(replayed && { "svc-idempotent-replay": "true", "svc-replay-request-id": exchangeId })
})

const authority = /^https?:\/\/[^/?]*/i

/** The path and query of a request target; a proxy may send the absolute form (RFC 9112 3.2.2). */
export const readTarget = (url: string): { readonly path: string; readonly query: string } => {
  const target = url.startsWith("/") ? url : url.replace(authority, "")
  const at = target.indexOf("?")
  return at === -1 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}
