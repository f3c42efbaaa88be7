/** What the headers of an assess request ask for besides its body. */

import { Result } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { Problem } from "../../../api/Failures.ts"
import { type Drill, drills } from "../../../assessment/AssessCall.ts"
import type { Mode } from "../../../domain/Mode.ts"
import { idempotencyKeyMax } from "../../../Limits.ts"

const visibleAscii = /^[\x21-\x7e]+$/

/** Node joins a repeated header with `, `: the space makes two keys as invalid as they are. */
export const readIdempotencyKey = (
  header: string | ReadonlyArray<string> | undefined
): Result.Result<string | null, ReadonlyArray<Problem>> => {
  if (header === undefined) return Result.succeed(null)
  const key = String(header)
  if (key.length <= idempotencyKeyMax && visibleAscii.test(key)) return Result.succeed(key)
  return Result.fail([
    { field: "idempotency-key", message: `must be 1 to ${idempotencyKeyMax} visible ASCII characters` }
  ])
}

/** RFC 7240: preferences are separated by commas, their parameters follow a semicolon, and the first of a name counts. */
export const asksForStrict = ({ prefer }: IncomingHttpHeaders): boolean => {
  for (const preference of String(prefer ?? "").split(",")) {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=")
    if (name.trim().toLowerCase() !== "handling") continue
    return value.trim().replaceAll('"', "").toLowerCase() === "strict"
  }
  return false
}

/** Drills are for test keys; on a live key the header means nothing. */
export const asksForDrill = (headers: IncomingHttpHeaders, mode: Mode): Drill | null =>
  mode === "test" ? (drills.find((drill) => drill === headers["svc-drill"]) ?? null) : null
