/** Recomputes a stored assessment from its request, its behavior snapshot and the rules that it names. */

import { Result } from "effect"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { encodeAssessment } from "../assessment/encode.ts"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import type { Opinion } from "../domain/Opinion.ts"
import type { Json, JsonObject } from "../json/json.ts"
import { readRecordedRequest, readRecordedSnapshot } from "../rules/history/recordedInput.ts"
import type { RecordedRules } from "../rules/history/recordedRules.ts"
import type { PreparedPolicySet } from "../rules/policies/PreparedPolicySet.ts"
import type { Prepared } from "../rules/release/loadRelease.ts"
import type { StoredEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"
import { riskEngineVersionOf } from "../domain/versionNames.ts"
import { score } from "../scoring/score.ts"

export interface Difference {
  /** The path in the answer, such as `action_risk.score`. */
  readonly path: string
  /** As JSON; null if there is no such member. */
  readonly stored: string | null
  readonly again: string | null
}

export interface ReplayResult {
  readonly assessmentId: string
  /** Why it cannot be recomputed; null if it was. */
  readonly problem: string | null
  readonly differences: ReadonlyArray<Difference>
}

/** Throws if the bytes are not JSON. */
const parseJson = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())

/** The leaves that differ, in the order of the stored answer. */
const differencesOf = (stored: unknown, again: unknown, path: string): ReadonlyArray<Difference> => {
  const [a, b] = [JSON.stringify(stored) ?? null, JSON.stringify(again) ?? null]
  if (a === b) return []
  const bothHold = [stored, again].every((value) => typeof value === "object" && value !== null)
  if (!bothHold) return [{ path, stored: a, again: b }]
  const [left, right] = [Object(stored), Object(again)]
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  const deeper = names.flatMap((name) =>
    differencesOf(left[name], right[name], path === "" ? name : `${path}.${name}`)
  )
  // If only the order of members differs, no leaf does; then the whole value is the difference.
  return deeper.length > 0 ? deeper : [{ path, stored: a, again: b }]
}

/** A stored assessment with the rules that it names: everything from which its opinion was computed. */
export interface RecordedCall {
  readonly answer: AssessmentResponse
  readonly input: JsonObject
  readonly action: Action
  readonly behavior: Behavior
  readonly release: Prepared
  readonly policies: PreparedPolicySet
}

const readParts = (stored: StoredEvidence, rules: RecordedRules): Result.Result<RecordedCall, string> =>
  Result.gen(function* () {
    const answer: AssessmentResponse = parseJson(stored.response)
    const input: JsonObject = parseJson(stored.input)
    const action = yield* readRecordedRequest(input)
    const json: Json = stored.behaviorSnapshot === null ? null : parseJson(stored.behaviorSnapshot)
    const behavior = json === null ? "unavailable" : yield* readRecordedSnapshot(json)
    const release = rules.release(answer.risk_engine_version)
    if (release?.model.digest !== hex(stored.rulesDigest))
      return yield* Result.fail(`its rule release is not installed: ${answer.risk_engine_version}`)
    const policies = rules.policies(answer.policy_version)
    if (policies?.policySet.digest !== hex(stored.policyDigest))
      return yield* Result.fail(`its policies are not installed: ${answer.policy_version}`)
    return { answer, input, action, behavior, release, policies }
  })

const unreadable = "its stored bytes are not an assessment: action-risk evidence verify shows why"

/** Fails with the reason why the assessment cannot be recomputed. */
export const readRecordedCall = (
  stored: StoredEvidence,
  rules: RecordedRules
): Result.Result<RecordedCall, string> => {
  try {
    return readParts(stored, rules)
  } catch {
    return Result.fail(unreadable)
  }
}

/** Encodes an opinion like the recorded answer, with that answer's ids, times and timings, which are not part of an opinion. */
export const answerLike = ({ answer, release }: RecordedCall, opinion: Opinion): AssessmentResponse => {
  const { behavior_ms, policy_ms, scoring_ms, total_ms, validation_ms } = answer.timing
  return encodeAssessment(opinion, {
    riskEngineVersion: riskEngineVersionOf(release.model),
    policyVersion: answer.policy_version,
    assessmentId: answer.assessment_id,
    actionId: answer.action_id,
    requestId: answer.request_id,
    mode: answer.environment_mode,
    createdAtMicros: Date.parse(answer.created_at) * 1_000,
    timing: {
      total: total_ms,
      validation: validation_ms,
      behavior: behavior_ms,
      scoring: scoring_ms,
      policy: policy_ms
    }
  })
}

/** The recomputed answer as JSON. */
export const textAgain = (call: RecordedCall): string => {
  const { action, behavior, policies, release } = call
  return JSON.stringify(answerLike(call, score(action, behavior, release.model, policies.policySet)))
}

export const replayAssessment = (stored: StoredEvidence, rules: RecordedRules): ReplayResult => {
  const { assessmentId, response } = stored
  const cannot = (problem: string): ReplayResult => ({ assessmentId, problem, differences: [] })
  const call = readRecordedCall(stored, rules)
  if (Result.isFailure(call)) return cannot(call.failure)
  try {
    const text = textAgain(call.success)
    return {
      assessmentId,
      problem: null,
      differences:
        text === Buffer.from(response).toString()
          ? []
          : differencesOf(parseJson(response), JSON.parse(text), "")
    }
  } catch {
    return cannot(unreadable)
  }
}
