/** Scores served assessments a second time with the release that `RULES_SHADOW` names, in the background, and stores the result. */

import { type Cause, Context, Effect, Fiber, Layer, Queue } from "effect"
import { AppConfig } from "../config.ts"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import { modes } from "../domain/Caller.ts"
import {
  shadowBatchMax,
  shadowDrainMs,
  shadowGatherMs,
  shadowPauseMs,
  shadowScoringMsMax,
  shadowWaitingMax,
  storageWriteMsMax
} from "../limits.ts"
import { shadowMissed } from "../metrics.ts"
import { PolicySets } from "../rules/policies/PolicySets.ts"
import { RuleReleases } from "../rules/release/RuleReleases.ts"
import { type ScoreSummary, scoreSummary } from "../scoring/scoreSummary.ts"
import { type ShadowOpinion, ShadowOpinions } from "../storage/ShadowOpinions.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { withTimeout } from "../storage/timeouts.ts"

/** An assessment that is stored: the very input and snapshot that its answer was made from. */
interface ServedAssessment {
  readonly owner: Owner
  readonly assessmentId: string
  readonly action: Action
  readonly behavior: Behavior
  readonly policySet: string
}

/** Takes no time and cannot fail. */
type EnqueueShadow = (kept: ServedAssessment) => void

/** Where no shadow is provided nothing follows. */
export class Shadow extends Context.Reference<{ readonly enqueue: EnqueueShadow }>(
  "action-risk/assessment/Shadow",
  {
    defaultValue: () => ({ enqueue: () => {} })
  }
) {
  /** Needs `ModeSql` and `ShadowRelease`. */
  static readonly layer = Layer.effect(
    Shadow,
    Effect.gen(function* () {
      const release = yield* ShadowRelease
      return release === null ? Shadow.defaultValue() : { enqueue: yield* makeShadowWorker(release) }
    })
  ).pipe(Layer.provide(ShadowOpinions.layer))
}

/** The second rule release that `RULES_SHADOW` names, ready to score beside the one that is served; or none. */
export interface PreparedShadowRelease {
  readonly version: string
  /** SHA-256, hex. */
  readonly digest: string
  /** Synchronous: microseconds. Always by the compiled rules, whichever engine serves. */
  readonly score: (action: Action, behavior: Behavior, policySet: string) => ScoreSummary
}

export class ShadowRelease extends Context.Service<ShadowRelease, PreparedShadowRelease | null>()(
  "action-risk/assessment/ShadowRelease"
) {
  /** Opens with the rules that serve, so that a wrong name stops the start and nothing later. */
  static readonly layer = Layer.effect(
    ShadowRelease,
    Effect.gen(function* () {
      const { rulesShadow } = yield* AppConfig
      if (rulesShadow === null) return null
      const policySets = yield* PolicySets
      const { model } = yield* (yield* RuleReleases).open(rulesShadow)
      return {
        version: model.version,
        digest: model.digest,
        score: (action, behavior, policySet) =>
          scoreSummary(action, behavior, model, policySets.get(policySet).policySet)
      } satisfies PreparedShadowRelease
    })
  ).pipe(Layer.provide([RuleReleases.layer, PolicySets.layer]))
}

/**
 * Follows what is answered with a second release: at its own pace, and without a word to any caller.
 * Invariant: bounded in memory, in time and in connections; whatever goes wrong is counted and logged, and nothing else.
 */
const makeShadowWorker = Effect.fn("Shadow.makeFollower")(function* (release: PreparedShadowRelease) {
  const opinions = yield* ShadowOpinions
  const waiting = yield* Queue.dropping<ServedAssessment, Cause.Done>(shadowWaitingMax)
  /** Assessments of which no shadow is kept: it was behind, threw, took too long, or could not be stored. */
  const missed = { behind: 0, failed: 0, slow: 0, unwritten: 0 }
  let told = 0
  const miss = (reason: keyof typeof missed, count = 1) => {
    missed[reason] += count
    shadowMissed(reason, count)
  }

  const tell = Effect.suspend(() => {
    const count = missed.behind + missed.failed + missed.slow + missed.unwritten
    if (count === told) return Effect.void
    told = count
    return Effect.logWarning("the shadow release has missed assessments").pipe(
      Effect.annotateLogs({ ...missed })
    )
  })

  const score = (kept: ServedAssessment): ShadowOpinion | "failed" | "slow" => {
    const startedMs = performance.now()
    try {
      const summary = release.score(kept.action, kept.behavior, kept.policySet)
      if (performance.now() - startedMs > shadowScoringMsMax) return "slow"
      return {
        organizationId: kept.owner.organizationId,
        assessmentId: kept.assessmentId,
        rulesVersion: release.version,
        rulesDigest: release.digest,
        summary
      }
    } catch {
      return "failed"
    }
  }

  const scoreOne = Effect.fnUntraced(function* (kept: ServedAssessment) {
    const scored = score(kept)
    if (typeof scored === "object") return { mode: kept.owner.mode, opinion: scored }
    miss(scored)
    // Synchronous work cannot be cut short: what takes too long is done less often instead.
    if (scored === "slow") yield* Effect.sleep(shadowPauseMs)
    return null
  })

  const write = (batch: ReadonlyArray<ShadowOpinion>, mode: (typeof modes)[number]) =>
    withTimeout(storageWriteMsMax, opinions.write(mode, batch)).pipe(
      Effect.catchCause((cause) => {
        miss("unwritten", batch.length)
        return logStorageFailure("store what the shadow release says", cause)
      })
    )

  const followSome = Effect.gen(function* () {
    const some = yield* Queue.takeBetween(waiting, 1, shadowBatchMax)
    const scored = yield* Effect.forEach(some, scoreOne)
    for (const mode of modes) {
      const batch = scored.flatMap((one) => (one?.mode === mode ? [one.opinion] : []))
      if (batch.length > 0) yield* write(batch, mode)
    }
    yield* tell
    if (some.length < shadowBatchMax) yield* Effect.sleep(shadowGatherMs)
  })

  const following = yield* Effect.forkScoped(Effect.ignore(Effect.forever(followSome)))
  // What was answered before a stop is still compared, if that does not take long.
  yield* Effect.addFinalizer(() =>
    Queue.end(waiting).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.await(following), shadowDrainMs)),
      Effect.andThen(tell)
    )
  )

  const follow: EnqueueShadow = (kept) => {
    if (!Queue.offerUnsafe(waiting, kept)) miss("behind")
  }
  return follow
})
