/** Writes an answer straight to a connection whose bytes were no request, and closes it. */

import type { Socket } from "node:net"
import type { Answer } from "../Answer.ts"
import type { Exchange } from "../Exchange.ts"
import { responseHeaders } from "../responseHeaders.ts"
import { STATUS_CODES } from "./http.ts"
import { endSocket } from "./sendAnswer.ts"

export const sendRaw = (socket: Socket, exchange: Exchange, answer: Answer): void => {
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
