/** Scores served assessments a second time with the release that `RULES_SHADOW` names, in the background, and stores the result. */

import { type Cause, Context, Effect, Fiber, Layer, Queue } from "effect"
import { setImmediate } from "node:timers/promises"
import { AppConfig } from "../config.ts"
import type { Action } from "../domain/Action.ts"
import type { Behavior } from "../domain/Behavior.ts"
import { type Mode, modes } from "../domain/Caller.ts"
import {
  shadowBatchMax,
  shadowDrainMs,
  shadowGatherMs,
  shadowPauseMs,
  shadowScoringMsMax,
  shadowTurnMs,
  shadowWaitingMax,
  storageWriteMsMax
} from "../limits.ts"
import { shadowMissed } from "../metrics.ts"
import { PolicySets, RuleReleases } from "../rules/servedRules.ts"
import type { ScoreSummary } from "../scoring/Edition.ts"
import { type ShadowOpinion, ShadowOpinions } from "../storage/ShadowOpinions.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"
import { logStorageFailure } from "../storage/storageErrors.ts"
import { withTimeout } from "../storage/timeouts.ts"

/** A stored assessment with the action and the history that its answer was scored from. */
interface ServedAssessment {
  readonly owner: Owner
  readonly assessmentId: string
  readonly action: Action
  readonly behavior: Behavior
  readonly policySet: string
}

/** Returns at once and cannot fail. */
type EnqueueShadow = (served: ServedAssessment) => void

/** By default `enqueue` does nothing. */
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

/** The second rule release, which scores beside the one that is served. */
export interface PreparedShadowRelease {
  readonly version: string
  /** SHA-256, hex. */
  readonly digest: string
  /** Synchronous, takes microseconds, and uses the compiled rules also under `RULE_ENGINE=reference`. */
  readonly score: (action: Action, behavior: Behavior, policySet: string) => ScoreSummary
}

export class ShadowRelease extends Context.Service<ShadowRelease, PreparedShadowRelease | null>()(
  "action-risk/assessment/ShadowRelease"
) {
  /** Null without `RULES_SHADOW`. It is opened at start, so that an unknown name stops the start and no later work. */
  static readonly layer = Layer.effect(
    ShadowRelease,
    Effect.gen(function* () {
      const { rulesShadow } = yield* AppConfig
      if (rulesShadow === null) return null
      const policySets = yield* PolicySets
      const { edition } = yield* (yield* RuleReleases).open(rulesShadow)
      return {
        version: edition.version,
        digest: edition.digest,
        score: (action, behavior, policySet) =>
          edition.summarize(action, behavior, policySets.get(policySet).policySet)
      } satisfies PreparedShadowRelease
    })
  )
}

/**
 * Scores enqueued assessments with the shadow release at its own pace. No caller waits for it or sees its errors.
 * Invariant: memory, time and connections are bounded. A failure is counted and logged, and has no other effect.
 */
const makeShadowWorker = Effect.fn("Shadow.makeFollower")(function* (release: PreparedShadowRelease) {
  const opinions = yield* ShadowOpinions
  const queue = yield* Queue.dropping<ServedAssessment, Cause.Done>(shadowWaitingMax)
  const missed = makeMissedCounter()

  const scoreOrCount = Effect.fnUntraced(function* (served: ServedAssessment) {
    const startedMs = performance.now()
    const scored = scoreServed(release, served)
    // Somebody's batch of long actions takes seconds, and requests get their turns between them.
    if (performance.now() - startedMs > shadowTurnMs) yield* Effect.promise(() => setImmediate())
    if (typeof scored === "object") return { mode: served.owner.mode, opinion: scored }
    missed.count(scored)
    // Synchronous work cannot be interrupted, so a slow release is asked less often instead.
    if (scored === "slow") yield* Effect.sleep(shadowPauseMs)
    return null
  })

  const write = (batch: ReadonlyArray<ShadowOpinion>, mode: Mode) =>
    withTimeout(storageWriteMsMax, opinions.write(mode, batch)).pipe(
      Effect.catchCause((cause) => {
        missed.count("unwritten", batch.length)
        return logStorageFailure("store what the shadow release says", cause)
      })
    )

  const scoreBatch = Effect.gen(function* () {
    const batch = yield* Queue.takeBetween(queue, 1, shadowBatchMax)
    const scored = yield* Effect.forEach(batch, scoreOrCount)
    for (const mode of modes) {
      const ofMode = scored.flatMap((entry) => (entry?.mode === mode ? [entry.opinion] : []))
      if (ofMode.length > 0) yield* write(ofMode, mode)
    }
    yield* missed.logNew
    if (batch.length < shadowBatchMax) yield* Effect.sleep(shadowGatherMs)
  })

  const worker = yield* Effect.forkScoped(Effect.ignore(Effect.forever(scoreBatch)))
  // A stop waits for the assessments that are still in the queue, but no longer than `shadowDrainMs`.
  yield* Effect.addFinalizer(() =>
    Queue.end(queue).pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.await(worker), shadowDrainMs)),
      Effect.andThen(missed.logNew)
    )
  )

  const enqueue: EnqueueShadow = (served) => {
    if (!Queue.offerUnsafe(queue, served)) missed.count("behind")
  }
  return enqueue
})

/** Counts the assessments without a shadow opinion, by reason. */
const makeMissedCounter = () => {
  /** `behind`: the queue was full. `failed`: the score threw. `slow`: it took too long. `unwritten`: it was not stored. */
  const missed = { behind: 0, failed: 0, slow: 0, unwritten: 0 }
  let logged = 0
  return {
    count: (reason: keyof typeof missed, count = 1): void => {
      missed[reason] += count
      shadowMissed(reason, count)
    },
    /** Logs the totals if they have grown since the last time. */
    logNew: Effect.suspend(() => {
      const total = missed.behind + missed.failed + missed.slow + missed.unwritten
      if (total === logged) return Effect.void
      logged = total
      return Effect.logWarning("the shadow release has missed assessments").pipe(
        Effect.annotateLogs({ ...missed })
      )
    })
  }
}

const scoreServed = (
  release: PreparedShadowRelease,
  { action, assessmentId, behavior, owner, policySet }: ServedAssessment
): ShadowOpinion | "failed" | "slow" => {
  const startedMs = performance.now()
  try {
    const summary = release.score(action, behavior, policySet)
    if (performance.now() - startedMs > shadowScoringMsMax) return "slow"
    const { digest: rulesDigest, version: rulesVersion } = release
    return { organizationId: owner.organizationId, assessmentId, rulesVersion, rulesDigest, summary }
  } catch {
    return "failed"
  }
}
