/** What reading rule files gives: the thing read, or everything that is wrong with them. */

import { Result } from "effect"
import type { Finding } from "./Problem.ts"

export type Read<A> = Result.Result<A, ReadonlyArray<Finding>>

export const findingsOf = (read: Read<unknown>): ReadonlyArray<Finding> =>
  Result.isFailure(read) ? read.failure : []

/** All of them, or the findings of all of them together. */
export const readEvery = <A>(reads: ReadonlyArray<Read<A>>): Read<ReadonlyArray<A>> => {
  const findings = reads.flatMap(findingsOf)
  return findings.length > 0
    ? Result.fail(findings)
    : Result.succeed(reads.flatMap((read) => (Result.isSuccess(read) ? [read.success] : [])))
}

/** `value` unless there are findings. */
export const unless = <A>(findings: ReadonlyArray<Finding>, value: () => A): Read<A> =>
  findings.length > 0 ? Result.fail(findings) : Result.succeed(value())
