/** One HTTP POST to a receiver that nobody vouches for: guarded in where it goes, and bounded in all it may cost. */

import { Clock, Effect } from "effect"
import { webhookTotalMs } from "../../Limits.ts"
import { checkTarget } from "./checkUrl.ts"
import { exchange, type Message } from "./exchange.ts"
import { internet, type Network } from "./Network.ts"
import { openConnection } from "./openConnection.ts"
import { PostFailed } from "./PostFailed.ts"
import type { EgressOptions } from "./reachable.ts"
import { retryAfterSeconds } from "./retryAfterSeconds.ts"

export interface PostRequest extends EgressOptions, Message {
  readonly url: string
}

export interface Posted {
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
            posted = { status, retryAfterSeconds: retryAfterSeconds(retryAfter, answeredAt) }
            yield* Effect.promise(() => finished)
          })
        ),
        Effect.timeoutOption(webhookTotalMs)
      )
      return posted ?? (yield* new PostFailed({ reason: "timeout" }))
    }).pipe(Effect.scoped)

/** Over the internet. */
export const post = postOver(internet)
