/** The Idempotency-Key of a request; null without one. */

import { Result } from "effect"
import type { Problem } from "../api/Failures.ts"
import { idempotencyKeyMax } from "../Limits.ts"

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
