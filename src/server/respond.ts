/** How a response leaves: the body of a failure, the headers that every response carries, and the writing of both. */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { assessPath } from "../api/Actions.ts"
import { errorEnvelope } from "../api/ErrorEnvelope.ts"
import { type Failure, statusOf } from "../api/Failures.ts"
import { lingerMs } from "../limits.ts"
import { type Exchange, type HttpExchange, type HttpResponse, jsonResponse } from "./Exchange.ts"
import { STATUS_CODES } from "./nodeServer.ts"
import { requestId } from "./requestId.ts"

const authenticateChallenge = (failure: Failure): string | null => {
  switch (failure.code) {
    case "MISSING_API_KEY":
      return "Bearer"
    case "INVALID_API_KEY":
      return 'Bearer error="invalid_token"'
    case "INSUFFICIENT_SCOPE":
      return `Bearer error="insufficient_scope", scope="${failure.scope ?? ""}"`
    default:
      return null
  }
}

/** `baseUrl`: where this service is reached from outside. */
export const errorResponse = (failure: Failure, requestId: string, baseUrl: string): HttpResponse => {
  const headers: Record<string, string> = {}
  const authenticate = authenticateChallenge(failure)
  if (authenticate !== null) headers["www-authenticate"] = authenticate
  if ("retryAfterSeconds" in failure) headers["retry-after"] = String(failure.retryAfterSeconds)
  if ("allow" in failure && failure.allow !== undefined) headers.allow = failure.allow
  return jsonResponse(errorEnvelope(failure, requestId, baseUrl), statusOf(failure), headers)
}

/** Stands for the id of a request where a refusal is spelled before there is one; nothing else is like it. */
const placeholderId = requestId(0)

/** `refuse` for many requests whose failure is one: spelled once, but for their ids, and anew where `baseUrl` is another. */
export const errorResponseTemplate = (
  failure: Failure
): ((requestId: string, baseUrl: string) => HttpResponse) => {
  const spell = (baseUrl: string) => {
    const answer = errorResponse(failure, placeholderId, baseUrl)
    return { baseUrl, answer, parts: String(answer.body).split(placeholderId) }
  }
  let spelled = spell("")
  return (requestId, baseUrl) => {
    if (spelled.baseUrl !== baseUrl) spelled = spell(baseUrl)
    return { ...spelled.answer, body: spelled.parts.join(requestId) }
  }
}

/**
 * Sends an answer as the response to its request, and cuts off a body that nobody will read.
 * Closes for writing, and altogether once the client has had time to read.
 */
const endSocket = (socket: Socket): void => {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(timer))
}

/** Fields of node:http that its own `finish` listener reads right after ours. */
interface Internals {
  _consuming: boolean
  _last: boolean
}

/**
 * Node would read an untouched body to its end, or reset the connection while bytes of it are queued, which can lose
 * the response. Neither: nothing more is read, and the client gets a moment for the answer.
 */
const leaveBodyUnread = (
  request: IncomingMessage & Partial<Internals>,
  response: ServerResponse & Partial<Internals>
) => {
  response.prependListener("finish", () => {
    if (request.complete || request.destroyed) return
    request._consuming = true
    response._last = false
    endSocket(request.socket)
  })
}

/** `complete` alone would not do: it is set only after the request was dispatched. */
const bodyIsUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined)

/** `closing`: no further request is wanted on this connection. */
export const sendResponse = (exchange: HttpExchange, answer: HttpResponse, closing: boolean): void => {
  const { awaitsContinue, mayDrain, request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const cutOff = bodyIsUnread(request) && (awaitsContinue || !mayDrain)
  if (cutOff) leaveBodyUnread(request, response)
  const headers = responseHeaders(exchange, answer)
  if (cutOff || closing) headers.connection = "close"
  response.writeHead(answer.status, headers)
  response.end(answer.body ?? undefined)
}

/** Writes an answer straight to a connection whose bytes were no request, and closes it. */
export const sendRawResponse = (socket: Socket, exchange: Exchange, answer: HttpResponse): void => {
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const headers = {
    ...responseHeaders(exchange, answer),
    date: new Date().toUTCString(),
    connection: "close"
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const reason = STATUS_CODES[answer.status] ?? ""
  socket.write(`HTTP/1.1 ${answer.status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n`)
  if (answer.body !== null) socket.write(answer.body)
  endSocket(socket)
}

/** The headers that every response of the process carries (contract 3), with those of its answer. */
const responseHeaders = (exchange: Exchange, answer: HttpResponse): Record<string, string> => {
  const headers: Record<string, string> = {
    "svc-request-id": exchange.id,
    "svc-api-version": "v1",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "svc-ratelimit-limit": String(exchange.window?.limit ?? 0),
    "svc-ratelimit-remaining": String(exchange.window?.remaining ?? 0),
    "svc-ratelimit-reset": String(exchange.window?.resetSeconds ?? 0)
  }
  // Bytes that were no request may have been meant for the assess path: they got no opinion either.
  if (exchange.path === assessPath || exchange.path === null) headers["svc-risk-opinion"] = "none"
  Object.assign(headers, answer.headers)
  if (answer.body !== null) headers["content-length"] = String(Buffer.byteLength(answer.body))
  return headers
}
