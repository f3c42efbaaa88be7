/** Follows what is answered with a second release: at its own pace, and without a word to any caller. */

import { type Cause, Effect, Fiber, Queue } from "effect"
import { modes } from "../../domain/Mode.ts"
import {
  shadowBatchMax,
  shadowDrainMs,
  shadowGatherMs,
  shadowRestMs,
  shadowScoringMsMax,
  shadowWaitingMax,
  storageWriteMsMax
} from "../../Limits.ts"
import { shadowMissed } from "../../Metrics.ts"
import { ShadowOpinions } from "../../storage/ShadowOpinions.ts"
import type { ShadowOpinion } from "../../storage/shadowOpinions/write.ts"
import { logStorageFailure } from "../../storage/logStorageFailure.ts"
import { within } from "../../storage/within.ts"
import type { Follow, Kept } from "../Shadow.ts"
import type { SecondRelease } from "../ShadowRelease.ts"

/** Invariant: bounded in memory, in time and in connections; whatever goes wrong is counted and logged, and nothing else. */
export const makeFollower = Effect.fn("Shadow.makeFollower")(function* (release: SecondRelease) {
  const opinions = yield* ShadowOpinions
  const waiting = yield* Queue.dropping<Kept, Cause.Done>(shadowWaitingMax)
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

  const score = (kept: Kept): ShadowOpinion | "failed" | "slow" => {
    const startedMs = performance.now()
    try {
      const gist = release.score(kept.action, kept.behavior, kept.policySet)
      if (performance.now() - startedMs > shadowScoringMsMax) return "slow"
      return {
        organizationId: kept.owner.organizationId,
        assessmentId: kept.assessmentId,
        rulesVersion: release.version,
        rulesDigest: release.digest,
        gist
      }
    } catch {
      return "failed"
    }
  }

  const scoreOne = Effect.fnUntraced(function* (kept: Kept) {
    const scored = score(kept)
    if (typeof scored === "object") return { mode: kept.owner.mode, opinion: scored }
    miss(scored)
    // Synchronous work cannot be cut short: what takes too long is done less often instead.
    if (scored === "slow") yield* Effect.sleep(shadowRestMs)
    return null
  })

  const write = (batch: ReadonlyArray<ShadowOpinion>, mode: (typeof modes)[number]) =>
    within(storageWriteMsMax, opinions.write(mode, batch)).pipe(
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

  const follow: Follow = (kept) => {
    if (!Queue.offerUnsafe(waiting, kept)) miss("behind")
  }
  return follow
})
