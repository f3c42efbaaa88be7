/** A stored assessment considered again by its own rules: why it says what it says, and what it would say of other statements. */

import { Context, Effect, Layer, Result } from "effect"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import { type AssessmentUnavailable, NotFound, type Problem } from "../api/Failures.ts"
import { orAssessmentUnavailable } from "../assessment/AssessRequest.ts"
import { AppConfig } from "../config.ts"
import type { Action } from "../domain/Action.ts"
import type { Caller } from "../domain/Caller.ts"
import type { Level } from "../domain/Opinion.ts"
import type { Json, JsonObject } from "../json/json.ts"
import { storageReadMsMax } from "../limits.ts"
import { traceScore } from "../rules/cases/tryCase.ts"
import { catalogueFactors, firstScoresOf } from "../rules/explain/catalogue.ts"
import { type ExplainedRule, explainRules } from "../rules/explain/explainRules.ts"
import { packageRoot } from "../rules/files/readTree.ts"
import { type RecordedRules, recordedRules } from "../rules/history/recordedRules.ts"
import { RuleReleases } from "../rules/servedRules.ts"
import type { StoredEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { hex, sha256 } from "../storage/sha256.ts"
import { asUuid } from "../storage/timeOrderedId.ts"
import { answerLike, readRecordedCall, type RecordedCall, textAgain } from "./replay.ts"

/** What the author of a factor says about it. */
export interface FactorTexts {
  readonly why: string
  readonly misses: string
  readonly expects: string | undefined
}

export interface CallExplanation {
  /** Factors first, then typologies, then policies; each in the order of the files. */
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly texts: ReadonlyMap<string, FactorTexts>
  /** The first score of each level in this release. */
  readonly firstScores: Readonly<Record<Level, number>>
}

export const explainCall = ({ action, behavior, policies, release }: RecordedCall): CallExplanation => {
  const input = { action, behavior, fault: undefined }
  const { reported } = traceScore(input, release.edition, policies.policySet)
  return {
    rules: explainRules({ label: release.edition.version, release, policies }, reported),
    texts: new Map(
      catalogueFactors(release).map(({ code, described: { expects, misses, why } }) => [
        code,
        { why, misses, expects }
      ])
    ),
    firstScores: firstScoresOf(release)
  }
}

/** Fields of the request by their names on the wire. Null leaves the field out. */
export type Changes = Readonly<Record<string, Json>>

/** The request with the changes in it. */
export const changedInput = (input: JsonObject, changes: Changes): JsonObject =>
  Object.fromEntries(Object.entries({ ...input, ...changes }).filter(([, value]) => value !== null))

const holdsNul = (changes: Changes): boolean =>
  Object.values(changes).some((value) => JSON.stringify(value).includes("\\u0000"))

interface Otherwise {
  readonly action: Action
  readonly answer: AssessmentResponse
}

/** The answer to the same request with other statements, by the same rules, policies and history. Stores nothing. */
export const whatIf = (
  call: RecordedCall,
  changes: Changes
): Result.Result<Otherwise, ReadonlyArray<Problem>> =>
  Result.map(readActionRequest(changedInput(call.input, changes), holdsNul(changes)), ({ action }) => ({
    action,
    answer: answerLike(call, call.release.edition.score(action, call.behavior, call.policies.policySet))
  }))

export interface Replayed {
  /** Hex. */
  readonly storedDigest: string
  /** Hex; null where the answer cannot be computed again. */
  readonly digest: string | null
  /** The reason why it cannot; null where it can. */
  readonly problem: string | null
}

/** The digest of the answer that the stored parts give now, beside the one that was recorded with it. */
export const replayDigest = (stored: StoredEvidence, rules: RecordedRules): Replayed => {
  const storedDigest = hex(stored.resultDigest)
  const call = readRecordedCall(stored, rules)
  if (Result.isFailure(call)) return { storedDigest, digest: null, problem: call.failure }
  const digest = hex(sha256(Buffer.from(textAgain(call.success))))
  return { storedDigest, digest, problem: null }
}

/** Finds stored assessments, and the rules that they name. */
export class RecordedAssessments extends Context.Service<
  RecordedAssessments,
  {
    /** A malformed, an unknown and a foreign id give the same `NotFound`. */
    readonly find: (
      caller: Caller,
      id: string
    ) => Effect.Effect<StoredEvidence, NotFound | AssessmentUnavailable>
    readonly rules: RecordedRules
  }
>()("action-risk/evidence/RecordedAssessments") {
  /** Needs `ModeSql` and `ResourceSql`. */
  static readonly layer = Layer.effect(
    RecordedAssessments,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const { rulesVersion } = yield* AppConfig
      const served = yield* RuleReleases.use(({ open }) => open(rulesVersion ?? "newest"))
      return RecordedAssessments.of({
        rules: recordedRules(packageRoot, served),
        find: Effect.fn("RecordedAssessments.find")(function* (caller, id) {
          const assessmentId = asUuid(id)
          if (assessmentId === undefined) return yield* new NotFound()
          const reading = records.find(caller, assessmentId, storageReadMsMax)
          const stored = yield* Effect.catchCause(reading, orAssessmentUnavailable("read an assessment"))
          return stored ?? (yield* new NotFound())
        })
      })
    })
  ).pipe(Layer.provide(AssessmentRecords.layer))
}
