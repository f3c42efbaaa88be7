/** One HTTP POST to an untrusted receiver: guarded in where it goes, and bounded in time and bytes. */

import { Clock, Effect } from "effect"
import type { Socket } from "node:net"
import {
  webhookAnswerBytesMax,
  webhookHeaderBytesMax,
  webhookRetryAfterSecondsMax,
  webhookTotalMs
} from "../../limits.ts"
import { nodeHttp } from "../../runtimeTuning.ts"
import { checkTarget, type EgressOptions } from "./checkUrl.ts"
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
  /** Whatever it is: redirects are not followed. */
  readonly status: number
  /** Null where the answer asks for nothing. */
  readonly retryAfterSeconds: number | null
}

/**
 * Once a status has come it is the outcome, however its body goes on or ends: the body is read to a limit and to the end
 * of the time. Names are resolved once, and what is not acceptable of their addresses is as if it were not there (a
 * resolver for networks without IPv4 adds translated addresses to every name).
 */
export const postOver =
  (network: Network) =>
  (request: PostRequest): Effect.Effect<Posted, PostFailed> =>
    Effect.gen(function* () {
      const url = yield* Effect.fromResult(checkTarget(request.url, request)).pipe(
        Effect.mapError(() => new PostFailed({ reason: "url_refused" }))
      )
      let posted: Posted | undefined
      // One wait for all of it: between two readings of a clock that was set back there is any length of time.
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

/** Over the internet. */
export const post = postOver(internet)

// One HTTP/1.1 request and its answer over an open connection, with everything that comes back bounded.

interface ReceiverAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Settles once nothing more is to come: the body's end, its limit, or the connection's. */
  readonly finished: Promise<void>
}

interface OutgoingMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Needs no agent: the connection is this request's own, so no proxy and no earlier receiver has a part in it. */
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
    outgoing.on("error", (cause) => fail(failureReason(cause), cause))
    outgoing.once("socket", () => destroyAfter(socket, webhookHeaderBytesMax + webhookAnswerBytesMax))
    outgoing.end(body)
  })

class AnswerTooLarge extends Error {}

/** Counts what arrives, whatever it is: interim answers, headers, frames around a body, and the body. */
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

/**
 * What a `retry-after` header asks for (RFC 9110 10.2.3).
 * The preferred form of an HTTP date; nobody sends the two obsolete ones.
 */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Whole seconds from `nowMs`, never more than a limit; null for what asks for nothing that can be understood. */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | null => {
  const text = header?.trim() ?? ""
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : httpDate.test(text)
      ? Math.ceil((Date.parse(text) - nowMs) / 1_000)
      : Number.NaN
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), webhookRetryAfterSecondsMax)
}
