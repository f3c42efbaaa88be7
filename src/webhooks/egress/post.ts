/** Makes one HTTP POST to an untrusted receiver, with limits on its addresses, its time and its bytes. */

import { Clock, Effect } from "effect"
import type { Socket } from "node:net"
import {
  webhookAnswerBytesMax,
  webhookHeaderBytesMax,
  webhookRetryAfterSecondsMax,
  webhookTotalMs
} from "../../limits.ts"
import { nodeHttp } from "../../runtimeTuning.ts"
import { checkUrl, type EgressOptions } from "./checkUrl.ts"
import {
  internet,
  type Network,
  openConnection,
  PostFailed,
  type PostFailedReason
} from "./openConnection.ts"

export interface PostRequest extends EgressOptions, OutgoingMessage {
  readonly url: string
}

interface Posted {
  /** Any status: redirects are not followed. */
  readonly status: number
  /** Null if the answer requests no wait. */
  readonly retryAfterSeconds: number | null
}

/**
 * The status is the outcome as soon as it arrives; the body, which is read within the limits of bytes and time, cannot change it. The host
 * name is resolved once. Unacceptable addresses are ignored and do not fail the request, because resolvers for networks without IPv4 add
 * translated addresses to every name.
 */
export const postOver =
  (network: Network) =>
  (request: PostRequest): Effect.Effect<Posted, PostFailed> =>
    Effect.gen(function* () {
      const url = yield* Effect.fromResult(checkUrl(request.url, request)).pipe(
        Effect.mapError(() => new PostFailed({ reason: "url_refused" }))
      )
      let posted: Posted | undefined
      // One timeout covers everything. Adding up elapsed times would not be safe, because the clock can be set back.
      yield* openConnection(network, url, request).pipe(
        Effect.flatMap((socket) => exchange(socket, url, request)),
        Effect.flatMap(
          Effect.fnUntraced(function* ({ finished, retryAfter, status }) {
            const answeredAt = yield* Clock.currentTimeMillis
            posted = { status, retryAfterSeconds: parseRetryAfter(retryAfter, answeredAt) }
            yield* Effect.promise(() => finished)
          })
        ),
        Effect.timeoutOption(webhookTotalMs)
      )
      return posted ?? (yield* new PostFailed({ reason: "timeout" }))
    }).pipe(Effect.scoped)

export const post = postOver(internet)

// One HTTP/1.1 request and its answer over an open connection, with limits on everything received.

interface ReceiverAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Settles at the end of the body, at its size limit, or when the connection closes. */
  readonly finished: Promise<void>
}

interface OutgoingMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One HTTP/1.1 request over a new connection. Without an agent, so no proxy and no earlier connection is involved. */
const exchange = (
  socket: Socket,
  url: URL,
  { headers, body }: OutgoingMessage
): Effect.Effect<ReceiverAnswer, PostFailed> =>
  Effect.callback((resume) => {
    const fail = (reason: PostFailedReason, cause?: unknown) =>
      resume(Effect.fail(new PostFailed({ reason, cause })))
    const outgoing = nodeHttp().request({
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
      // The body is read and discarded, so that the receiver can finish its answer.
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
    outgoing.on("error", (cause) => fail(failureReason(cause), cause))
    outgoing.once("socket", () => destroyAfter(socket, webhookHeaderBytesMax + webhookAnswerBytesMax))
    outgoing.end(body)
  })

class AnswerTooLarge extends Error {}

/** Counts all received bytes: interim answers, headers, chunk framing, and the body. */
const destroyAfter = (socket: Socket, bytesMax: number) => {
  let bytes = 0
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) socket.destroy(new AnswerTooLarge("the answer is too long"))
  })
}

/** llhttp's error codes start with HPE_. */
const failureReason = (cause: Error): PostFailedReason => {
  if (cause instanceof AnswerTooLarge) return "too_large"
  const code = "code" in cause ? String(cause.code) : ""
  if (code === "HPE_HEADER_OVERFLOW") return "too_large"
  return code.startsWith("HPE_") ? "protocol" : "closed"
}

/** The preferred format of HTTP dates (RFC 9110 5.6.7). Servers no longer send the two obsolete formats. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Reads a `retry-after` header (RFC 9110 10.2.3), which contains seconds or a date. Returns how many seconds to wait after `nowMs`, at most
 * `webhookRetryAfterSecondsMax`, or null if the header is missing or malformed.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | null => {
  const text = header?.trim() ?? ""
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : httpDate.test(text)
      ? Math.ceil((Date.parse(text) - nowMs) / 1_000)
      : Number.NaN
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), webhookRetryAfterSecondsMax)
}
