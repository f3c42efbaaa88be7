/** One line of a history as a recorded assessment, or why it is none. */

import { Result } from "effect"
import type { Json, JsonObject } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import { type Cut, cutRecord } from "./cutRecord.ts"
import { readRequest } from "./readRequest.ts"
import type { Recorded } from "./Recorded.ts"
import { readSnapshot } from "./readSnapshot.ts"

const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** The same parts out of the line read whole. */
const parseRecord = (line: string): Result.Result<Cut, string> => {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return Result.fail("is not JSON")
  }
  if (!isObject(json)) return Result.fail("is no JSON object")
  const { assessment_id: assessmentId, evidence, input, policy_version: policyVersion } = json
  if (typeof assessmentId !== "string") return Result.fail("has no assessment_id")
  if (typeof policyVersion !== "string") return Result.fail("has no policy_version")
  if (!isObject(evidence)) return Result.fail("has no evidence")
  return Result.succeed({ assessmentId, policyVersion, input, snapshot: evidence["behavior_snapshot"] })
}

/** The line from `start` to `end` in `text`, its line break not included. */
export const readRecord = (text: string, start: number, end: number): Result.Result<Recorded, string> => {
  const cut = cutRecord(text, start, end)
  const parts = cut === undefined ? parseRecord(text.slice(start, end)) : Result.succeed(cut)
  if (Result.isFailure(parts)) return Result.fail(parts.failure)
  const { assessmentId, input, policyVersion, snapshot } = parts.success
  if (!isObject(input)) return Result.fail("has no input")
  const action = readRequest(input)
  if (Result.isFailure(action)) return Result.fail(action.failure)
  if (snapshot === undefined) return Result.fail("has no evidence.behavior_snapshot")
  // Invariant: what JSON.parse gave is JSON.
  const behavior: Result.Result<Behavior, string> =
    snapshot === null ? Result.succeed("unavailable") : readSnapshot(snapshot as Json)
  if (Result.isFailure(behavior)) return Result.fail(behavior.failure)
  return Result.succeed({
    assessmentId,
    policyVersion,
    request: input,
    action: action.success,
    behavior: behavior.success
  })
}
