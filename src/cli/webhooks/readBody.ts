/** What a request brought, byte for byte. */

import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { receivedBytesMax } from "../../Limits.ts"

/** Null where it is more than any delivery, or was broken off. */
export const readBody = (request: IncomingMessage): Effect.Effect<Buffer | null> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= receivedBytesMax) chunks.push(chunk)
      else resume(Effect.succeed(null))
    })
    request.once("end", () => resume(Effect.succeed(Buffer.concat(chunks))))
    request.once("close", () => resume(Effect.succeed(null)))
  })
