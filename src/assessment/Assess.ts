/** The use case of specification 4.1: assesses one proposed action, once per idempotency key, and stores the evidence. */

import { Context, Effect, Layer } from "effect"
import { AssessmentIncomplete, AssessmentUnavailable, RateLimited } from "../api/Failures.ts"
import { slowDrillMs } from "../limits.ts"
import { assessed, replayed, stageTook } from "../metrics.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../storage/behavior/BehaviorSnapshots.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import { type AssessAnswer, type AssessCall, type AssessRequest, prepare } from "./AssessRequest.ts"
import { type AssessFailure, forgetExpiredKeys, Idempotency, replayAnswer } from "./Idempotency.ts"
import { Scorer } from "./Scorer.ts"
import { makePendingRequests, type PendingRequest } from "./PendingRequests.ts"
import { type EvaluatedRequest, makeEvaluator, warmUpHistory } from "./evaluate.ts"
import { makePersist, toAssessmentRecord } from "./persist.ts"

export class Assess extends Context.Service<
  Assess,
  { readonly assess: (call: AssessCall) => Effect.Effect<AssessAnswer, AssessFailure> }
>()("action-risk/assessment/Assess") {
  /** Needs `ModeSql`, `ResourceSql` and `Scorer`. */
  static readonly layer = Layer.effect(
    Assess,
    Effect.gen(function* () {
      const scorer = yield* Scorer
      const idempotency = yield* Idempotency
      const { evaluate, readBehavior } = yield* makeEvaluator
      const persist = yield* makePersist
      const pendingOf = makePendingRequests()
      yield* warmUpHistory

      const assess = tracedFn("Assess.assess")(
        Effect.fnUntraced(function* (call: AssessCall) {
          const request = prepare(call)
          const pending = pendingOf(request.owner)
          const answering = idempotency.inTurn(request, answerOnce(request, pending))
          const answer = yield* Effect.ensuring(answering, Effect.sync(pending.leave))
          if (answer.replayed) replayed(request.owner.mode)
          const isSlowDrill = request.drill === "slow" && answer.complete && !answer.replayed
          if (isSlowDrill) yield* Effect.sleep(slowDrillMs)
          return answer
        })
      )

      /** Looks the key up and reads the history, scores, stores, answers. */
      const answerOnce = Effect.fnUntraced(function* (request: AssessRequest, pending: PendingRequest) {
        const likely = yield* idempotency.findLikely(request)
        if (likely !== undefined) return yield* replayAnswer(request, likely)
        const behaviorRead = yield* readBehavior(request, pending)
        const stored = behaviorRead.mayBeAnswered ? yield* idempotency.find(request) : undefined
        if (stored !== undefined) return yield* replayAnswer(request, stored)
        if (request.drill === "unavailable") return yield* new AssessmentUnavailable()
        if (request.drill === "rate-limited") return yield* new RateLimited({ retryAfterSeconds: 1 })
        const evaluated = yield* Effect.catchTag(evaluate(request, behaviorRead), "ScoringFailed", noOpinion)
        // Contract 3.1: a strict caller wants a complete opinion or none. An opinion that is not answered is not stored.
        if (request.call.strict && !evaluated.scored.opinion.complete)
          return yield* new AssessmentIncomplete()
        const record = toAssessmentRecord(request, evaluated, scorer)
        const persistStartedMs = performance.now()
        const answer = yield* persist(request, record)
        if (!answer.replayed) countAssessment(request, evaluated, performance.now() - persistStartedMs)
        return answer
      })

      return Assess.of({ assess })
    })
  ).pipe(
    Layer.provide(Idempotency.layer),
    Layer.merge(forgetExpiredKeys),
    Layer.provide([AssessmentRecords.layer, BehaviorSnapshots.layer])
  )
}

const countAssessment = (
  { owner }: AssessRequest,
  { behaviorMs, scored }: EvaluatedRequest,
  storageMs: number
): void => {
  assessed(owner.mode, scored.opinion.actionRisk.level, scored.opinion.complete)
  stageTook("behavior", behaviorMs)
  stageTook("scoring", scored.scoringMs)
  stageTook("policy", scored.policyMs)
  stageTook("storage", storageMs)
}

/** Spec 1.5: a missing opinion is an explicit error, never a low score. */
const noOpinion = ({ reason }: { readonly reason: string }) =>
  Effect.andThen(
    Effect.logError("no opinion could be produced").pipe(Effect.annotateLogs({ reason })),
    Effect.fail(new AssessmentUnavailable())
  )
