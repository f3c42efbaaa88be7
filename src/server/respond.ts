/** How a response is sent: the body of a failure, the headers that every response has, and writing both. */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { assessPath } from "../api/Actions.ts"
import { errorEnvelope, type Failure, statusOf } from "../api/Failures.ts"
import { lingerMs } from "../limits.ts"
import { nodeHttp } from "../runtimeTuning.ts"
import { requestId } from "../assessment/requestId.ts"
import { type Exchange, type HttpExchange, type HttpResponse, jsonResponse } from "./Exchange.ts"

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

/** The response to a failure. `baseUrl`: the public URL of this service. */
export const errorResponse = (failure: Failure, requestId: string, baseUrl: string): HttpResponse => {
  const headers: Record<string, string> = {}
  const authenticate = authenticateChallenge(failure)
  if (authenticate !== null) headers["www-authenticate"] = authenticate
  if ("retryAfterSeconds" in failure) headers["retry-after"] = String(failure.retryAfterSeconds)
  if ("allow" in failure && failure.allow !== undefined) headers.allow = failure.allow
  return jsonResponse(errorEnvelope(failure, requestId, baseUrl), statusOf(failure), headers)
}

/** Marks where the request's id goes in a template. No real request has this id, because its time is 0. */
const placeholderId = requestId(0)

/**
 * `errorResponse` for one failure that answers many requests. The body is encoded once per `baseUrl`; each response only inserts its
 * request's id.
 */
export const errorResponseTemplate = (
  failure: Failure
): ((requestId: string, baseUrl: string) => HttpResponse) => {
  const encode = (baseUrl: string) => {
    const response = errorResponse(failure, placeholderId, baseUrl)
    return { baseUrl, response, parts: String(response.body).split(placeholderId) }
  }
  let encoded = encode("")
  return (requestId, baseUrl) => {
    if (encoded.baseUrl !== baseUrl) encoded = encode(baseUrl)
    return { ...encoded.response, body: encoded.parts.join(requestId) }
  }
}

/** The headers that every response of the process has (contract 3), plus the response's own. */
const responseHeaders = (exchange: Exchange, response: HttpResponse): Record<string, string> => {
  const headers: Record<string, string> = {
    "svc-request-id": exchange.id,
    "svc-api-version": "v1",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "svc-ratelimit-limit": String(exchange.window?.limit ?? 0),
    "svc-ratelimit-remaining": String(exchange.window?.remaining ?? 0),
    "svc-ratelimit-reset": String(exchange.window?.resetSeconds ?? 0)
  }
  // Bytes that were not a valid request may have been meant for the assess path, and they got no opinion either.
  if (exchange.path === assessPath || exchange.path === null) headers["svc-risk-opinion"] = "none"
  Object.assign(headers, response.headers)
  if (response.body !== null) headers["content-length"] = String(Buffer.byteLength(response.body))
  return headers
}

/** Sends the response of an exchange. `isClosing`: the connection must not take another request. */
export const sendResponse = (
  exchange: HttpExchange,
  answer: HttpResponse,
  isClosing: () => boolean
): void => {
  const { awaitsContinue, mayDrain, request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const cutOff = bodyIsUnread(request) && (awaitsContinue || !mayDrain)
  if (cutOff) leaveBodyUnread(request, response)
  const headers = responseHeaders(exchange, answer)
  if (cutOff || isClosing()) headers.connection = "close"
  response.writeHead(answer.status, headers)
  if (answer.stream === undefined || exchange.method === "HEAD") response.end(answer.body ?? undefined)
  else answer.stream(response, isClosing)
}

/** Writes a response directly to a connection whose bytes were not a valid request, and closes it. */
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
  const reason = nodeHttp().STATUS_CODES[answer.status] ?? ""
  socket.write(`HTTP/1.1 ${answer.status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n`)
  if (answer.body !== null) socket.write(answer.body)
  endSocket(socket)
}

/** Whether the client is still sending a body. Node sets `complete` only after it has dispatched the request. */
const bodyIsUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined)

/** Fields of node:http that its own `finish` listener reads right after ours. */
interface Internals {
  _consuming: boolean
  _last: boolean
}

/**
 * Keeps Node from handling an unread body: it would read the body to its end, or reset the connection while bytes are queued, which can
 * lose the response. Reads nothing more, and gives the client `lingerMs` to read the response.
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

/** Ends the writing side immediately, and the connection after `lingerMs`, so that the client can still read. */
const endSocket = (socket: Socket): void => {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(timer))
}
