/** The body of a request: its bytes within the limit, its strict JSON, or the proof that it is empty. */

import { Effect, Result } from "effect"
import type { IncomingMessage } from "node:http"
import { type AssessmentUnavailable, MalformedJson, PayloadTooLarge, type Problem } from "../api/Failures.ts"
import { isJsonObject } from "../api/validation.ts"
import type { Json } from "../json/json.ts"
import { type StrictJson, strictJson } from "../json/strictJson.ts"
import { bodyBytesMax } from "../limits.ts"
import type { HttpExchange } from "./Exchange.ts"
import { overloaded } from "./concurrency.ts"

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
    if (!request.complete) exchange.permit.release()
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
      if (!exchange.permit.acquire()) return resume(Effect.fail(overloaded()))
      const [only] = chunks
      resume(Effect.succeed(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length)))
    }
    request.on("data", onData)
    request.on("end", onEnd)
    return Effect.sync(stop)
  })

/**
 * The strict JSON of a request's body: its declared form first, then its bytes.
 * Parameters are let through, but no character set other than the one JSON has.
 */
const isJson = (type: string): boolean => {
  const [essence = "", ...parameters] = type.toLowerCase().split(";")
  return (
    essence.trim() === "application/json" &&
    parameters.every((parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-8"?\s*$/.test(parameter))
  )
}

const formProblem = ({ headers, rawHeaders }: IncomingMessage): string | null => {
  const { "content-type": type, "content-encoding": encoding } = headers
  if (encoding !== undefined) return "the body has a content encoding; send it as it is"
  if (countHeader(rawHeaders, "content-type") > 1) return "the request has two content types"
  // An absent content type counts as JSON.
  if (type !== undefined && !isJson(type)) return "the content type is not application/json in UTF-8"
  return null
}

/** `bytes`: the whole body of `request`. */
export const readJson = (
  request: IncomingMessage,
  bytes: Uint8Array
): Result.Result<StrictJson, MalformedJson> => {
  const problem = formProblem(request)
  const read = problem === null ? strictJson(bytes) : Result.fail(problem)
  return Result.mapError(read, (message) => new MalformedJson({ message }))
}

/** The body of a request that has nothing to say: none at all, or an object without a field. */
const emptyBodyProblems = (body: Json): ReadonlyArray<Problem> =>
  isJsonObject(body)
    ? Object.keys(body).map((field) => ({ field, message: "is not a field of this request" }))
    : [{ field: "body", message: "must be a JSON object" }]

/** The problems of the body: what is sent in vain is told, not passed over. */
export const readEmptyBody = Effect.fnUntraced(function* (exchange: HttpExchange) {
  const bytes = yield* readBody(exchange)
  if (bytes.length === 0) return []
  const { value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
  return emptyBodyProblems(value)
})

/**
 * How often a request carries a header: Node joins or drops what is repeated, so its raw headers are counted.
 * `rawHeaders` alternates names and values, as Node received them; `name` is in lower case.
 */
export const countHeader = (rawHeaders: ReadonlyArray<string>, name: string): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const shown = rawHeaders[i] ?? ""
    if (shown.length === name.length && shown.toLowerCase() === name) count++
  }
  return count
}
