/** The calls that `policies suggest` reads: requests from a file, or stored assessments with the outcomes of their reviews. */

import { Effect, Result, Stream } from "effect"
import type { Command } from "effect/cli"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import type { Action } from "../../domain/Action.ts"
import type { Mode } from "../../domain/Caller.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import { reviewedCalls } from "../../evidence/reviewedCalls.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { strictJson } from "../../json/strictJson.ts"
import { bodyBytesMax, suggestCallsMax } from "../../limits.ts"
import { requestIn } from "../../rules/policies/suggestEntries.ts"
import { organizationOf, Stores } from "../Stores.ts"
import { CommandRefused, wrongArgument } from "../commandFailures.ts"
import { ownerFlags } from "../flags.ts"
import { everyProblem, type InputLine, inputLines, isTooLong, withInput } from "../inputFiles.ts"
import { figure } from "../texts.ts"

export interface SuggestedCall {
  readonly action: Action
  /** The outcome of its review; null if it had no review, if the review is open, and if the call comes from a file. */
  readonly review: ReviewOutcome | null
}

/** Lines about erased assessments hold no request. */
const isErased = (json: Json): boolean => isRecord(json) && "erased" in json

/** Null for a line about an erased assessment. */
const toAction = (bytes: Uint8Array): Result.Result<Action | null, string> => {
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return Result.fail(json.failure.replace("the body", "it"))
  const { holdsNul, value } = json.success
  if (isErased(value)) return Result.succeed(null)
  return readActionRequest(requestIn(value), holdsNul).pipe(
    Result.map(({ action }) => action),
    Result.mapError(everyProblem)
  )
}

const collectLines = async (bytes: AsyncIterable<Uint8Array>): Promise<ReadonlyArray<InputLine>> => {
  const lines: Array<InputLine> = []
  for await (const read of inputLines(bytes)) {
    lines.push(...read.lines.filter((line) => line.bytes.length > 0))
    if (lines.length > suggestCallsMax) break
  }
  return lines
}

/** A request on several lines, as an editor writes it, is one call. */
const asOneRequest = (lines: ReadonlyArray<InputLine>): Action | null => {
  const whole = Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]))
  if (whole.length > bodyBytesMax) return null
  return Result.match(toAction(whole), { onFailure: () => null, onSuccess: (action) => action })
}

const unreviewed = (action: Action): SuggestedCall => ({ action, review: null })

/** The requests in a file, of which no review is known. */
const fromFile = Effect.fnUntraced(function* (path: string) {
  const lines = yield* withInput(path, ({ bytes }) => Effect.promise(() => collectLines(bytes)))
  if (lines.length > suggestCallsMax) {
    return yield* new CommandRefused({ message: `${path} has more than ${figure(suggestCallsMax)} lines` })
  }
  const one = asOneRequest(lines)
  if (one !== null) return [unreviewed(one)]
  const calls: Array<SuggestedCall> = []
  for (const line of lines) {
    const read = isTooLong(line) ? Result.fail("is too long") : toAction(line.bytes)
    if (Result.isFailure(read)) {
      const message = `${path}: line ${figure(line.number)}: ${read.failure}`
      return yield* new CommandRefused({ message })
    }
    if (read.success !== null) calls.push(unreviewed(read.success))
  }
  return calls
})

/** The file name that means the stored assessments. */
const database = "database"

export const storedFlags = ownerFlags("With database")

/** The newest stored assessments. Leaves out a request that is no longer valid, because the limits of the API have changed. */
const fromDatabase = Effect.fnUntraced(function* (slug: string, mode: Mode) {
  const { id } = yield* organizationOf(slug)
  const stored = yield* reviewedCalls({ organizationId: id, mode }).pipe(
    Stream.take(suggestCallsMax),
    Stream.runCollect
  )
  return stored.flatMap(({ input, outcome }): ReadonlyArray<SuggestedCall> =>
    Result.match(toAction(input), {
      onFailure: () => [],
      onSuccess: (action) => (action === null ? [] : [{ action, review: outcome }])
    })
  )
}, Effect.provide(Stores))

/** Reads the file, or the stored assessments if the file is called `database`. */
export const readCalls = Effect.fnUntraced(function* (
  file: string,
  { mode, org }: Command.Command.Config.Infer<typeof storedFlags>
) {
  if (file !== database) return yield* fromFile(file)
  // Checked before anything starts, so that a wrong call fails at once.
  if (org === null || mode === null)
    return yield* wrongArgument("requests.ndjson", database, "used together with --org and --mode")
  return yield* fromDatabase(org, mode)
})
