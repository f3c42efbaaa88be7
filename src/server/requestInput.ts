/** The content of a request: its body within the limit, as strict JSON or empty, and the query of a list. */

import { Effect, Result } from "effect"
import type { IncomingMessage } from "node:http"
import { type AssessmentUnavailable, MalformedJson, PayloadTooLarge, type Problem } from "../api/Failures.ts"
import { type Json, isRecord } from "../json/json.ts"
import { type StrictJson, strictJson } from "../json/strictJson.ts"
import { bodyBytesMax, listLimitDefault, listLimitMax, searchMax } from "../limits.ts"
import { isCursor } from "../storage/timeOrderedId.ts"
import type { HttpExchange } from "./Exchange.ts"
import { overloaded } from "./concurrency.ts"

/**
 * The bytes of the body. A declared length above the limit fails before anything is read or `100 Continue` is sent; an undeclared one fails
 * when the limit is exceeded. Fails with an overload if no permit is free when the body has arrived.
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
    // A client that sends slowly holds no permit meanwhile.
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

/** Accepts parameters of the content type, except a charset other than UTF-8. */
const isJson = (type: string): boolean => {
  const [essence = "", ...parameters] = type.toLowerCase().split(";")
  return (
    essence.trim() === "application/json" &&
    parameters.every((parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-8"?\s*$/.test(parameter))
  )
}

const contentHeaderProblem = ({ headers, rawHeaders }: IncomingMessage): string | null => {
  const { "content-type": type, "content-encoding": encoding } = headers
  if (encoding !== undefined) return "the body has a content encoding; send it without one"
  if (countHeader(rawHeaders, "content-type") > 1) return "the request has two content types"
  // Without a content type, the body counts as JSON.
  if (type !== undefined && !isJson(type)) return "the content type is not application/json in UTF-8"
  return null
}

/** The body as strict JSON, after checking its content headers. `bytes`: the whole body of `request`. */
export const readJson = (
  request: IncomingMessage,
  bytes: Uint8Array
): Result.Result<StrictJson, MalformedJson> => {
  const problem = contentHeaderProblem(request)
  const read = problem === null ? strictJson(bytes) : Result.fail(problem)
  return Result.mapError(read, (message) => new MalformedJson({ message }))
}

const emptyBodyProblems = (body: Json): ReadonlyArray<Problem> =>
  isRecord(body)
    ? Object.keys(body).map((field) => ({ field, message: "is not a field of this request" }))
    : [{ field: "body", message: "must be a JSON object" }]

/**
 * The problems of a body that must be absent or an object without fields. A field that the service would ignore is a problem, because the
 * client expects it to have an effect.
 */
export const readEmptyBody = Effect.fnUntraced(function* (exchange: HttpExchange) {
  const bytes = yield* readBody(exchange)
  if (bytes.length === 0) return []
  const { value } = yield* Effect.fromResult(readJson(exchange.request, bytes))
  return emptyBodyProblems(value)
})

/**
 * How many times a request has a header, counted in its raw headers, because Node joins or drops repeated ones. `rawHeaders`: alternating
 * names and values, as received by Node. `name`: in lower case.
 */
export const countHeader = (rawHeaders: ReadonlyArray<string>, name: string): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const rawName = rawHeaders[i] ?? ""
    if (rawName.length === name.length && rawName.toLowerCase() === name) count++
  }
  return count
}

/** The problem of a query parameter's value; `undefined` if the value is acceptable. */
export type Check = (value: string) => string | undefined

export interface Page {
  /** 1 to 100. */
  readonly limit: number
  /** A date-time: the page contains only older items. */
  readonly cursor: string | null
}

const wholeNumber = /^[1-9][0-9]{0,2}$/

const limitCheck: Check = (value) =>
  wholeNumber.test(value) && Number(value) <= listLimitMax
    ? undefined
    : `must be an integer from 1 to ${listLimitMax}`

const cursorCheck: Check = (value) =>
  isCursor(value) ? undefined : "must be a date-time such as 2026-01-31T12:00:00.000Z"

export const enumCheck =
  (names: ReadonlyArray<string>): Check =>
  (value) =>
    names.includes(value) ? undefined : `must be one of ${names.join(", ")}`

export const searchCheck: Check = (value) => {
  if ([...value].length > searchMax) return `must have at most ${searchMax} characters`
  return value.includes("\0") ? "must not contain the character U+0000" : undefined
}

/** URLSearchParams accepts invalid percent-encoding: it keeps the text or reads U+FFFD. */
const isEncoded = (query: string): boolean => {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

/** The names of parameters with invalid percent-encoding. */
const brokenNames = (query: string): ReadonlyArray<string> =>
  query
    .split("&")
    .filter((pair) => !isEncoded(pair))
    .map((pair) => pair.split("=", 1)[0] ?? "")

/**
 * Reads the query of a list. Every invalid parameter is a problem, no value is clamped, and unknown names are ignored. `filters`: the
 * parameters of the list except `limit` and `cursor`, each null if absent.
 */
export const readListQuery = <Filter extends string = never>(
  query: string,
  filters: Readonly<Record<Filter, Check>>
): Result.Result<Page & Readonly<Record<Filter, string | null>>, ReadonlyArray<Problem>> => {
  const parameters = new URLSearchParams(query)
  const broken = brokenNames(query)
  const problems: Array<Problem> = []
  const read = (field: string, check: Check): string | null => {
    const [value = null, ...others] = parameters.getAll(field)
    if (value === null) return null
    const message =
      others.length > 0
        ? "must be given once"
        : broken.includes(field)
          ? "must be percent-encoded UTF-8"
          : check(value)
    if (message !== undefined) problems.push({ field, message })
    return value
  }
  const limit = read("limit", limitCheck)
  const cursor = read("cursor", cursorCheck)
  const filtered: Record<string, string | null> = {}
  for (const [field, check] of Object.entries<Check>(filters)) filtered[field] = read(field, check)
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({
        // Invariant: the loop above read every filter.
        ...(filtered as Readonly<Record<Filter, string | null>>),
        limit: limit === null ? listLimitDefault : Number(limit),
        cursor
      })
}
