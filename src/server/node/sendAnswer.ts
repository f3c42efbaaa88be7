/** Sends an answer as the response to its request, and cuts off a body that nobody will read. */

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { lingerMs } from "../../Limits.ts"
import type { Answer } from "../Answer.ts"
import type { HttpExchange } from "../Exchange.ts"
import { responseHeaders } from "../responseHeaders.ts"

/** Closes for writing, and altogether once the client has had time to read. */
export const endSocket = (socket: Socket): void => {
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
export const sendAnswer = (exchange: HttpExchange, answer: Answer, closing: boolean): void => {
  const { awaitsContinue, mayDrain, request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const cutOff = bodyIsUnread(request) && (awaitsContinue || !mayDrain)
  if (cutOff) leaveBodyUnread(request, response)
  const headers = responseHeaders(exchange, answer)
  if (cutOff || closing) headers.connection = "close"
  response.writeHead(answer.status, headers)
  response.end(answer.body ?? undefined)
}
