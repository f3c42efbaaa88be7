/** Bytes over a socket, and the HTTP responses: for requests that well-behaved clients cannot send. */

import { connect } from "node:net"

export interface RawResponse {
  readonly status: number
  /** Lower-case names; a repeated field is an array. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Sending {
  /** Writes further bytes, each after this delay. */
  readonly parts?: ReadonlyArray<string | Uint8Array>
  readonly pauseMs?: number
  /** How long the connection may stay open after the last response. */
  readonly patienceMs?: number
  /** Enough responses: the connection is closed by the client then. */
  readonly responses?: number
}

const headEnd = Buffer.from("\r\n\r\n")

/** Complete responses at the front of `bytes`; an interim 100 counts as one. */
export const parseResponses = (bytes: Buffer): ReadonlyArray<RawResponse> => {
  const responses: Array<RawResponse> = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf(headEnd)
    if (end === -1) return responses
    const [statusLine = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n")
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const at = line.indexOf(":")
      headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim()
    }
    const status = Number(statusLine.split(" ")[1])
    const length = status === 100 || status === 304 ? 0 : Number(headers["content-length"] ?? 0)
    const from = end + headEnd.length
    if (rest.length < from + length) return responses
    responses.push({ status, headers, body: rest.subarray(from, from + length).toString() })
    rest = rest.subarray(from + length)
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Everything that the server answers until it closes, or until `responses` have arrived. */
export const sendRaw = async (
  port: number,
  bytes: string | Uint8Array,
  { parts = [], patienceMs = 4_000, pauseMs = 20, responses = 1 }: Sending = {}
): Promise<ReadonlyArray<RawResponse>> => {
  const socket = connect({ port, host: "127.0.0.1" })
  const received: Array<Buffer> = []
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      received.push(chunk)
      if (parseResponses(Buffer.concat(received)).length >= responses) resolve()
    })
    socket.on("close", () => resolve())
    socket.on("error", () => resolve())
    setTimeout(resolve, patienceMs)
  })
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes)
  for (const part of parts) {
    await wait(pauseMs)
    if (socket.writable) socket.write(part)
  }
  await answered
  socket.destroy()
  return parseResponses(Buffer.concat(received))
}

interface RequestParts {
  readonly method?: string
  readonly path?: string
  readonly headers?: ReadonlyArray<string>
  readonly body?: string | Uint8Array
}

/** A request as bytes, with Host and, where there is a body, its length. */
export const request = ({ body, headers = [], method = "POST", path = "/" }: RequestParts): Uint8Array => {
  const content = body === undefined ? undefined : Buffer.from(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: risk.example",
    ...headers,
    ...(content === undefined ? [] : [`Content-Length: ${content.length}`])
  ]
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), content ?? Buffer.alloc(0)])
}
