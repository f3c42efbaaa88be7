/** Finds stored assessments and considers them again: with the served release in this thread, with an older one in another thread. */

import { Context, Effect, Layer } from "effect"
import { type AssessmentUnavailable, NotFound, RateLimited } from "../../api/Failures.ts"
import { orAssessmentUnavailable } from "../../assessment/AssessRequest.ts"
import { AppConfig } from "../../config.ts"
import type { Caller } from "../../domain/Caller.ts"
import { makeTimeShare, tenantKey } from "../../evenShare.ts"
import { consideredMax, consideredRests, consideredRetrySeconds, storageReadMsMax } from "../../limits.ts"
import { recordedRules } from "../../rules/history/recordedRules.ts"
import { RuleReleases } from "../../rules/servedRules.ts"
import type { StoredEvidence } from "../../storage/assessments/AssessmentRecord.ts"
import { AssessmentRecords } from "../../storage/assessments/AssessmentRecords.ts"
import { hex } from "../../storage/sha256.ts"
import { asUuid } from "../../storage/timeOrderedId.ts"
import { openOlderReleases } from "./olderReleases.ts"
import { type RecordedQuestion, type Reconsidered, reconsiderSteps } from "./reconsider.ts"
import { riskEngineVersionOf } from "../../domain/versionNames.ts"

export class RecordedAssessments extends Context.Service<
  RecordedAssessments,
  {
    /** A malformed, an unknown and a foreign id all give the same `NotFound`. */
    readonly find: (
      caller: Caller,
      id: string
    ) => Effect.Effect<StoredEvidence, NotFound | AssessmentUnavailable>
    /** Stores nothing. An older release answers as if it were served, after a wait of at most `olderWaitMs`. */
    readonly consider: (
      caller: Caller,
      stored: StoredEvidence,
      question: RecordedQuestion
    ) => Effect.Effect<Reconsidered, RateLimited | AssessmentUnavailable>
  }
>()("action-risk/evidence/RecordedAssessments") {
  /** Needs `ModeSql` and `ResourceSql`. */
  static readonly layer = Layer.effect(
    RecordedAssessments,
    Effect.gen(function* () {
      const records = yield* AssessmentRecords
      const { rulesVersion } = yield* AppConfig
      const { open, root } = yield* RuleReleases
      const served = yield* open(rulesVersion ?? "newest")
      const older = yield* openOlderReleases(root)
      const { inTurn } = makeTimeShare(explanations)
      // Invariant: opens no release, whatever version the stored bytes name.
      const rules = {
        ...recordedRules(root),
        release: (recorded: string) => (recorded === riskEngineVersionOf(served.model) ? served : undefined)
      }
      return RecordedAssessments.of({
        find: Effect.fn("RecordedAssessments.find")(function* (caller, id) {
          const assessmentId = asUuid(id)
          if (assessmentId === undefined) return yield* new NotFound()
          const reading = records.find(caller, assessmentId, storageReadMsMax)
          const stored = yield* Effect.catchCause(reading, orAssessmentUnavailable("read an assessment"))
          return stored ?? (yield* new NotFound())
        }),
        consider: (caller, stored, question) =>
          hex(stored.rulesDigest) === served.model.digest
            ? inTurn(tenantKey(caller), reconsiderSteps(stored, question, rules))
            : older.consider(tenantKey(caller), { stored, question })
      })
    })
  ).pipe(Layer.provide(AssessmentRecords.layer))
}

/** The share of the process's time for people's questions, so that agents that ask before they act do not wait for them. */
const explanations = {
  placesMax: consideredMax,
  rests: consideredRests,
  refuse: () =>
    new RateLimited({
      message: "too many explanations are in progress; retry after `retry_after_seconds`",
      retryAfterSeconds: consideredRetrySeconds
    })
}
