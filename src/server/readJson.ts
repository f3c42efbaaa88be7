/** The strict JSON of a request's body: its declared form first, then its bytes. */

import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { MalformedJson } from "../api/Failures.ts"
import { countHeader } from "./countHeader.ts"
import { type StrictJson, strictJson } from "./strictJson.ts"

/** Parameters are let through, but no character set other than the one JSON has. */
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
