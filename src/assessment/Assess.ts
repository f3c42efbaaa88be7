/** The use case of specification 4.1: assess one proposed action, once per idempotency key, and keep the evidence. */

import { Context, Effect, Fiber, Layer } from "effect"
import { AssessmentIncomplete, AssessmentUnavailable, RateLimited } from "../api/Failures.ts"
import { slowDrillMs } from "../limits.ts"
import { assessed, replayed, stageTook } from "../metrics.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../storage/behavior/BehaviorSnapshots.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import { type AssessAnswer, type AssessCall, type AssessRequest, prepare } from "./AssessRequest.ts"
import { type AssessFailure, forgetExpiredKeys, Idempotency } from "./Idempotency.ts"
import { Scorer } from "./Scorer.ts"
import { Shadow } from "./Shadow.ts"
import { type BehaviorRead, type EvaluatedRequest, makeEvaluator, warmUpHistory } from "./evaluate.ts"
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
      const { evaluate, remember } = yield* makeEvaluator
      const keep = yield* makePersist
      const shadow = yield* Shadow
      yield* warmUpHistory

      const assessFirst = Effect.fnUntraced(function* (
        question: AssessRequest,
        remembering: Effect.Effect<BehaviorRead>
      ) {
        if (question.drill === "unavailable") return yield* new AssessmentUnavailable()
        if (question.drill === "rate-limited") return yield* new RateLimited({ retryAfterSeconds: 1 })
        const remembered = yield* remembering
        const evaluation = yield* Effect.catchTag(evaluate(question, remembered), "ScoringFailed", noOpinion)
        // Contract 3.1: a strict caller wants a complete opinion or none, and what is not answered is not kept.
        if (question.call.strict && !evaluation.scored.opinion.complete)
          return yield* new AssessmentIncomplete()
        const record = toAssessmentRecord(question, evaluation, scorer)
        const { action, caller } = question.call
        const { behavior } = evaluation
        const { owner } = question
        const scoredAtMs = performance.now()
        const answer = yield* keep(question, record, () =>
          shadow.enqueue({
            owner,
            assessmentId: record.assessmentId,
            action,
            behavior,
            policySet: caller.policySet
          })
        )
        if (!answer.replayed) measure(question, evaluation, performance.now() - scoredAtMs)
        return answer
      })

      /** History is read while the idempotency key is looked up. */
      const begin = (question: AssessRequest) =>
        Effect.map(Effect.forkChild(remember(question), { startImmediately: true }), (remembering) =>
          assessFirst(question, Fiber.join(remembering))
        )

      const assess = tracedFn("Assess.assess")(
        Effect.fnUntraced(function* (call: AssessCall) {
          const question = prepare(call)
          const answer = yield* idempotency.once(question, begin(question))
          if (answer.replayed) replayed(question.owner.mode)
          const slow = question.drill === "slow" && answer.complete && !answer.replayed
          if (slow) yield* Effect.sleep(slowDrillMs)
          return answer
        })
      )

      return Assess.of({ assess })
    })
  ).pipe(
    Layer.provide(Idempotency.layer),
    Layer.merge(forgetExpiredKeys),
    Layer.provide([AssessmentRecords.layer, BehaviorSnapshots.layer])
  )
}

const measure = (
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

/** Spec 1.5: no opinion is an explicit error, never a low score. */
const noOpinion = ({ reason }: { readonly reason: string }) =>
  Effect.andThen(
    Effect.logError("no opinion could be produced").pipe(Effect.annotateLogs({ reason })),
    Effect.fail(new AssessmentUnavailable())
  )
