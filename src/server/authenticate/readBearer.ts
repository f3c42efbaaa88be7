/** The credentials that a request shows, from its raw headers: Node hides a repeated Authorization. */

import { Result } from "effect"
import { InvalidApiKey, MissingApiKey } from "../../api/Failures.ts"

const authorization = "authorization"

/** `rawHeaders` alternates names and values, as Node received them. */
export const readBearer = (
  rawHeaders: ReadonlyArray<string>
): Result.Result<string, MissingApiKey | InvalidApiKey> => {
  let shown: string | null = null
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ""
    if (name.length !== authorization.length || name.toLowerCase() !== authorization) continue
    // Two credentials: which of them a proxy checked cannot be known.
    if (shown !== null) return Result.fail(new InvalidApiKey())
    shown = rawHeaders[i + 1] ?? ""
  }
  // Split without a pattern that could backtrack: anybody may send this header, before any limit counts.
  const credentials = (shown ?? "").trim()
  const [scheme = ""] = credentials.split(/\s/, 1)
  const token = credentials.slice(scheme.length).trim()
  return scheme.toLowerCase() === "bearer" && token !== ""
    ? Result.succeed(token)
    : Result.fail(new MissingApiKey())
}
