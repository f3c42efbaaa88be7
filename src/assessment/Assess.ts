/** The use case of specification 4.1: assesses one proposed action, once per idempotency key, and stores the evidence. */

import { Context, Effect, Layer } from "effect"
import { AssessmentIncomplete, AssessmentUnavailable, RateLimited } from "../api/Failures.ts"
import { makeFairTurns } from "../evenShare.ts"
import { assessmentDeadlineMs, idempotencyWaitMsMax, slowDrillMs } from "../limits.ts"
import { assessed, replayed, stageTook } from "../metrics.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { BehaviorSnapshots } from "../storage/behavior/BehaviorSnapshots.ts"
import { tracedFn } from "../storage/tracedFn.ts"
import {
  type AssessAnswer,
  type AssessCall,
  type AssessFailure,
  type AssessRequest,
  ownAnswer,
  prepare,
  replayAnswer
} from "./AssessRequest.ts"
import { type BehaviorRead, forgetExpiredKeys, makeLookUp, warmUpHistory } from "./lookUp.ts"
import { makePendingRequests, type PendingRequest } from "./PendingRequests.ts"
import { makePersist, type ScoredRequest, toAssessmentRecord } from "./persist.ts"
import { Scorer } from "./Scorer.ts"

export class Assess extends Context.Service<
  Assess,
  { readonly assess: (call: AssessCall) => Effect.Effect<AssessAnswer, AssessFailure> }
>()("action-risk/assessment/Assess") {
  /** Needs `ModeSql`, `ResourceSql` and `Scorer`. */
  static readonly layer = Layer.effect(
    Assess,
    Effect.gen(function* () {
      const scorer = yield* Scorer
      const { find, lookUp, noteAnswered } = yield* makeLookUp
      const score = scoreInTime(scorer)
      const persist = yield* makePersist
      const pendingOf = makePendingRequests()
      const oneAtATime = makeKeyTurns()
      yield* warmUpHistory

      const assess = tracedFn("Assess.assess")(
        Effect.fnUntraced(function* (call: AssessCall) {
          const request = prepare(call)
          const pending = pendingOf(request.owner)
          const answering = Effect.tap(answerOnce(request, pending), () =>
            Effect.sync(() => noteAnswered(request))
          )
          const answer = yield* Effect.ensuring(oneAtATime(request, answering), Effect.sync(pending.leave))
          if (answer.replayed) replayed(request.owner.mode)
          const isSlowDrill = request.drill === "slow" && answer.complete && !answer.replayed
          if (isSlowDrill) yield* Effect.sleep(slowDrillMs)
          return answer
        })
      )

      /** Looks up the key and reads the history, then scores, stores and answers. */
      const answerOnce = Effect.fnUntraced(function* (request: AssessRequest, pending: PendingRequest) {
        const { read, stored } = yield* lookUp(request, pending)
        if (stored !== null) return yield* replayAnswer(request, stored)
        if (request.drill === "unavailable") return yield* new AssessmentUnavailable()
        if (request.drill === "rate-limited") return yield* new RateLimited({ retryAfterSeconds: 1 })
        const scored = yield* Effect.catchTag(score(request, read), "ScoringFailed", noOpinion)
        // Contract 3.1: a strict caller wants a complete opinion or none. An opinion that is not returned is not stored.
        if (request.call.strict && !scored.scored.opinion.complete) return yield* new AssessmentIncomplete()
        const record = toAssessmentRecord(request, scored, scorer)
        const persistStartedMs = performance.now()
        const isWritten = yield* persist(request, record)
        // Without an idempotency key, only this request's own first attempt can have taken the id.
        if (!isWritten && record.idempotencyKey !== null) {
          const taken = yield* find(request)
          if (taken === undefined) return yield* new AssessmentUnavailable()
          if (taken.assessmentId !== record.assessmentId) return yield* replayAnswer(request, taken)
        }
        countAssessment(request, scored, performance.now() - persistStartedMs)
        return ownAnswer(record)
      })

      return Assess.of({ assess })
    })
  ).pipe(Layer.merge(forgetExpiredKeys), Layer.provide([AssessmentRecords.layer, BehaviorSnapshots.layer]))
}

/**
 * Within a process, requests with the same key run one after the other, and wait before they take a connection. Across processes, no
 * request claims its key: several processes may assess at once, the unique index lets one of them write, and the others read that answer.
 * So a process that dies leaves no claim behind, and a request with a key needs no second commit.
 */
const makeKeyTurns = () => {
  const turns = makeFairTurns({
    tenantPlacesMax: 1,
    waitMsMax: idempotencyWaitMsMax,
    refuse: () => new AssessmentIncomplete()
  })
  return ({ ownedKey }: AssessRequest, work: Effect.Effect<AssessAnswer, AssessFailure>) =>
    ownedKey === null ? work : turns(ownedKey, work)
}

const scoreInTime = (scorer: Scorer["Service"]) =>
  tracedFn("Assess.score")(
    Effect.fnUntraced(function* ({ call }: AssessRequest, read: BehaviorRead) {
      const score = (behavior: BehaviorRead["behavior"]) =>
        scorer.score(call.action, behavior, call.caller.policySet)
      const scored: ScoredRequest = { ...read, scored: yield* score(read.behavior) }

      // Contract 3.1: after the deadline, the opinion is incomplete and assumes the worst history.
      if (performance.now() - call.receivedAtMs <= assessmentDeadlineMs) return scored
      return { ...read, behavior: "unavailable" as const, scored: yield* score("unavailable") }
    })
  )

const countAssessment = (
  { owner }: AssessRequest,
  { behaviorMs, scored }: ScoredRequest,
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
