/** The bytes of a request's body, at most 65,536 of them. */

import { Effect } from "effect"
import { type AssessmentUnavailable, PayloadTooLarge } from "../api/Failures.ts"
import { bodyBytesMax } from "../Limits.ts"
import type { HttpExchange } from "./Exchange.ts"
import { crowded } from "./inFlight.ts"

/**
 * Refuses by the announced length before reading or inviting a byte, else as soon as the limit is passed; and once it is
 * read, where too many others are worked on.
 */
export const readBody = (
  exchange: HttpExchange
): Effect.Effect<Uint8Array, PayloadTooLarge | AssessmentUnavailable> =>
  Effect.callback((resume) => {
    const { request, response } = exchange
    if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) {
      return resume(Effect.fail(new PayloadTooLarge()))
    }
    if (exchange.awaitsContinue) {
      exchange.awaitsContinue = false
      response.writeContinue()
    }
    exchange.stopDeadline()
    // A slow client takes up nobody's place.
    if (!request.complete) exchange.place.giveBack()
    const chunks: Array<Buffer> = []
    let length = 0
    const stop = () => {
      request.off("data", onData)
      request.off("end", onEnd)
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length <= bodyBytesMax) {
        chunks.push(chunk)
        return
      }
      stop()
      request.pause()
      exchange.restartDeadline()
      resume(Effect.fail(new PayloadTooLarge()))
    }
    const onEnd = () => {
      stop()
      exchange.restartDeadline()
      if (!exchange.place.take()) return resume(Effect.fail(crowded()))
      const [only] = chunks
      resume(Effect.succeed(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length)))
    }
    request.on("data", onData)
    request.on("end", onEnd)
    return Effect.sync(stop)
  })
