/** Considers a stored assessment again by its own rules: the reasons for the answer, and the answers to changed statements. */

import { Result } from "effect"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import type { Problem } from "../../api/Failures.ts"
import type { Action } from "../../domain/Action.ts"
import type { Level } from "../../domain/Opinion.ts"
import type { Json, JsonObject } from "../../json/json.ts"
import { traceScore } from "../../rules/cases/tryCase.ts"
import { catalogueFactors, firstScoresOf } from "../../rules/explain/catalogue.ts"
import { type ExplainedRule, explainRules } from "../../rules/explain/explainRules.ts"
import type { RecordedRules } from "../../rules/history/recordedRules.ts"
import { type Suggestion, suggestionSteps } from "../../rules/policies/suggestEntries.ts"
import type { StoredEvidence } from "../../storage/assessments/AssessmentRecord.ts"
import { hex, sha256 } from "../../storage/sha256.ts"
import { type Lowering, loweringSteps } from "./lowering.ts"
import { answerLike, readRecordedCall, type RecordedCall, textAgain } from "../replay.ts"
import { explainKnownReading } from "../../scoring/knowledge/explainKnownReading.ts"
import { knowledgeAt } from "../../scoring/knowledge/OrganizationCatalogue.ts"
import type { ReadingEvidence } from "../../scoring/reading/explainReading.ts"
import { score } from "../../scoring/score.ts"

/** An author's texts about a factor. */
export interface FactorTexts {
  readonly why: string
  readonly misses: string
  readonly expects: string | undefined
}

export interface CallExplanation {
  /** The evidence for the reading of the action, strongest first. */
  readonly evidence: ReadonlyArray<ReadingEvidence>
  /** Factors first, then typologies, then policies, each in file order. */
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly texts: ReadonlyMap<string, FactorTexts>
  /** The lowest score of each level in this release. */
  readonly firstScores: Readonly<Record<Level, number>>
}

export const explainCall = ({ action, behavior, policies, release }: RecordedCall): CallExplanation => {
  const input = { action, behavior, fault: undefined }
  const { reported } = traceScore(input, release.model, policies.policySet)
  const { catalogue, day } = knowledgeAt(
    policies.policySet,
    behavior === "unavailable" ? 0 : Date.parse(behavior.takenAt)
  )
  return {
    evidence: explainKnownReading(action, release.model, {
      catalogue,
      day: behavior === "unavailable" ? undefined : day
    }),
    rules: explainRules({ label: release.model.version, release, policies }, reported),
    texts: new Map(
      catalogueFactors(release).map(({ code, described: { expects, misses, why } }) => [
        code,
        { why, misses, expects }
      ])
    ),
    firstScores: firstScoresOf(release)
  }
}

/** Fields of the request by their names on the wire. Null omits a field. */
export type Changes = Readonly<Record<string, Json>>

/** The request with the changes applied. */
export const changedInput = (input: JsonObject, changes: Changes): JsonObject =>
  Object.fromEntries(Object.entries({ ...input, ...changes }).filter(([, value]) => value !== null))

const holdsNul = (changes: Changes): boolean =>
  Object.values(changes).some((value) => JSON.stringify(value).includes("\\u0000"))

interface Otherwise {
  readonly action: Action
  readonly answer: AssessmentResponse
}

/** The answer to the same request with changed statements, under the same rules, policies and history. Stores nothing. */
export const whatIf = (
  call: RecordedCall,
  changes: Changes
): Result.Result<Otherwise, ReadonlyArray<Problem>> =>
  Result.map(readActionRequest(changedInput(call.input, changes), holdsNul(changes)), ({ action }) => ({
    action,
    answer: answerLike(call, score(action, call.behavior, call.release.model, call.policies.policySet))
  }))

export interface Replayed {
  /** In hex. */
  readonly storedDigest: string
  /** In hex; null if the answer cannot be recomputed. */
  readonly digest: string | null
  /** Why it cannot be recomputed; null if it can. */
  readonly problem: string | null
}

/** The hex digest of the answer that the stored parts give now. */
const digestAgain = (call: RecordedCall): string => hex(sha256(Buffer.from(textAgain(call))))

/** Questions about a stored assessment. Without any, the answer only says whether its rules are installed. */
export interface RecordedQuestion {
  readonly explain?: boolean
  readonly lower?: boolean
  readonly replay?: boolean
  readonly changes?: Changes
  /** The calls for which to suggest entries of the organization's catalogue. */
  readonly suggestFor?: ReadonlyArray<Action>
}

/** Plain data, because it may come from a thread. Members that were not requested are null, and all are null if there is a problem. */
export interface Reconsidered {
  /** Why the assessment cannot be considered again; null if it can. */
  readonly problem: string | null
  readonly explanation: CallExplanation | null
  /** Least risky first. */
  readonly lowerings: ReadonlyArray<Lowering> | null
  readonly otherwise: Otherwise | { readonly problems: ReadonlyArray<Problem> } | null
  /** Not null if requested, even if there is a problem. */
  readonly replayed: Replayed | null
  readonly suggestions: ReadonlyArray<Suggestion> | null
}

/** Answers a question, and yields between steps so that others can be served. */
export function* reconsiderSteps(
  stored: StoredEvidence,
  { changes, explain = false, lower = false, replay = false, suggestFor }: RecordedQuestion,
  rules: RecordedRules
): Generator<void, Reconsidered> {
  const read = readRecordedCall(stored, rules)
  const storedDigest = hex(stored.resultDigest)
  if (Result.isFailure(read)) {
    const problem = read.failure
    const replayed = replay ? { storedDigest, digest: null, problem } : null
    return { problem, explanation: null, lowerings: null, otherwise: null, replayed, suggestions: null }
  }
  const call = read.success
  return {
    problem: null,
    explanation: explain ? explainCall(call) : null,
    lowerings: lower ? yield* loweringSteps(call) : null,
    otherwise:
      changes === undefined ? null : Result.getOrElse(whatIf(call, changes), (problems) => ({ problems })),
    replayed: replay ? { storedDigest, digest: digestAgain(call), problem: null } : null,
    suggestions:
      suggestFor === undefined
        ? null
        : yield* suggestionSteps(suggestFor, call.release.model, call.policies.policySet)
  }
}
