/** What a log may say of a fault: its kind and where it arose; its message may hold a caller's data or a statement. */

import { Cause } from "effect"
import { sqlState } from "./SqlState.ts"

export interface DescribedCause {
  readonly fault: string
  readonly sqlState: string | null
  readonly at: string
}

export const describeCause = (cause: Cause.Cause<unknown>): DescribedCause => {
  const error: unknown = Cause.squash(cause)
  if (!(error instanceof Error)) return { fault: typeof error, sqlState: null, at: "" }
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))
  return {
    fault: error.name,
    sqlState: sqlState(error),
    at: frames.map((line) => line.trim()).join(" ← ")
  }
}
