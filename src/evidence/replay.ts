/** Computes a stored assessment again from its request, its behaviour snapshot and the rules that it names. */

import { Result } from "effect"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { encodeAssessment } from "../assessment/encode.ts"
import type { Json } from "../json/json.ts"
import { readRecordedRequest, readRecordedSnapshot } from "../rules/history/recordedInput.ts"
import type { RecordedRules } from "../rules/history/recordedRules.ts"
import { riskEngineVersionOf } from "../scoring/Edition.ts"
import type { StoredEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"

export interface Difference {
  /** The path in the answer, such as `action_risk.score`. */
  readonly path: string
  /** JSON; null if there is no such member. */
  readonly stored: string | null
  readonly again: string | null
}

export interface ReplayResult {
  readonly assessmentId: string
  /** The reason why it cannot be computed again; null if it was. */
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
  // No leaf differs if the same members are in another order; then the whole value is the difference.
  return deeper.length > 0 ? deeper : [{ path, stored: a, again: b }]
}

const recompute = (stored: StoredEvidence, rules: RecordedRules): Result.Result<AssessmentResponse, string> =>
  Result.gen(function* () {
    const response: AssessmentResponse = parseJson(stored.response)
    const action = yield* readRecordedRequest(parseJson(stored.input))
    const json: Json = stored.behaviorSnapshot === null ? null : parseJson(stored.behaviorSnapshot)
    const behavior = json === null ? "unavailable" : yield* readRecordedSnapshot(json)
    const edition = rules.edition(response.risk_engine_version)
    if (edition?.digest !== hex(stored.rulesDigest))
      return yield* Result.fail(`its rule release is not here: ${response.risk_engine_version}`)
    const policySet = rules.policySet(response.policy_version)
    if (policySet?.digest !== hex(stored.policyDigest))
      return yield* Result.fail(`its policies are not here: ${response.policy_version}`)
    const { behavior_ms, policy_ms, scoring_ms, total_ms, validation_ms } = response.timing
    const again = encodeAssessment(edition.score(action, behavior, policySet), {
      riskEngineVersion: riskEngineVersionOf(edition),
      policyVersion: response.policy_version,
      // These are not part of the opinion and cannot be computed again.
      assessmentId: response.assessment_id,
      actionId: response.action_id,
      requestId: response.request_id,
      mode: response.environment_mode,
      createdAtMicros: Date.parse(response.created_at) * 1_000,
      timing: {
        total: total_ms,
        validation: validation_ms,
        behavior: behavior_ms,
        scoring: scoring_ms,
        policy: policy_ms
      }
    })
    return again
  })

export const replayAssessment = (stored: StoredEvidence, rules: RecordedRules): ReplayResult => {
  const { assessmentId, response } = stored
  const cannot = (problem: string): ReplayResult => ({ assessmentId, problem, differences: [] })
  try {
    const again = recompute(stored, rules)
    if (Result.isFailure(again)) return cannot(again.failure)
    const text = JSON.stringify(again.success)
    return {
      assessmentId,
      problem: null,
      differences:
        text === Buffer.from(response).toString()
          ? []
          : differencesOf(parseJson(response), JSON.parse(text), "")
    }
  } catch {
    return cannot("its stored bytes are not those of an assessment: action-risk evidence verify tells more")
  }
}
