/** One HTTP/1.1 request and its answer over an open connection, with everything that comes back bounded. */

import { Effect } from "effect"
import type { Socket } from "node:net"
import { webhookAnswerBytesMax, webhookHeaderBytesMax } from "../../Limits.ts"
import { PostFailed, type PostFailedReason } from "./PostFailed.ts"

// An import would load the whole of `fetch` as well: `src/server/node/http.ts` says more.
const { request } = process.getBuiltinModule("node:http")

export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Settles once nothing more is to come: the body's end, its limit, or the connection's. */
  readonly finished: Promise<void>
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Needs no agent: the connection is this request's own, so no proxy and no earlier receiver has a part in it. */
export const exchange = (
  socket: Socket,
  url: URL,
  { headers, body }: Message
): Effect.Effect<Answer, PostFailed> =>
  Effect.callback((resume) => {
    const fail = (reason: PostFailedReason, cause?: unknown) =>
      resume(Effect.fail(new PostFailed({ reason, cause })))
    const outgoing = request({
      createConnection: () => socket,
      method: "POST",
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        "content-length": Buffer.byteLength(body),
        "accept-encoding": "identity",
        connection: "close"
      },
      maxHeaderSize: webhookHeaderBytesMax,
      insecureHTTPParser: false
    })
    outgoing.once("response", (response) => {
      const finished = new Promise<void>((settle) => response.once("close", settle))
      // The status is the answer: the body is read for the receiver's sake, and let go.
      response.resume()
      resume(
        Effect.succeed({
          status: response.statusCode ?? 0,
          retryAfter: response.headers["retry-after"],
          finished
        })
      )
    })
    outgoing.once("upgrade", () => fail("protocol"))
    outgoing.on("error", (cause) => fail(reasonOf(cause), cause))
    outgoing.once("socket", () => cutAfter(socket, webhookHeaderBytesMax + webhookAnswerBytesMax))
    outgoing.end(body)
  })

class TooMuch extends Error {}

/** Counts what arrives, whatever it is: interim answers, headers, frames around a body, and the body. */
const cutAfter = (socket: Socket, bytesMax: number) => {
  let bytes = 0
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) socket.destroy(new TooMuch("the answer is too long"))
  })
}

/** llhttp's error codes start with HPE_. */
const reasonOf = (cause: Error): PostFailedReason => {
  if (cause instanceof TooMuch) return "too_large"
  const code = "code" in cause ? String(cause.code) : ""
  if (code === "HPE_HEADER_OVERFLOW") return "too_large"
  return code.startsWith("HPE_") ? "protocol" : "closed"
}
