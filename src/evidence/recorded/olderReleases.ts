/** A thread that considers assessments of older releases again, because opening a release blocks for seconds. */

import { Effect } from "effect"
import { AssessmentUnavailable, RateLimited } from "../../api/Failures.ts"
import { makeFairLine } from "../../evenShare.ts"
import {
  olderHeapMbMax,
  olderIdleMs,
  olderMsMax,
  olderRetrySeconds,
  olderWaitingMax,
  olderWaitMs
} from "../../limits.ts"
import { scopedThreads } from "../../threads.ts"
import type { Root } from "../../rules/files/readTree.ts"
import type { OlderQuestion } from "./olderReleasesWorker.ts"
import type { Reconsidered } from "./reconsider.ts"

const unavailable = (cause: unknown) =>
  Effect.andThen(
    Effect.logError("an assessment of an older release could not be recomputed", cause),
    new AssessmentUnavailable({ retryAfterSeconds: olderRetrySeconds })
  )

/** Ends with its scope. Answers one question at a time; organizations take turns. */
export const openOlderReleases = Effect.fnUntraced(function* (root: Root) {
  const { ask } = yield* scopedThreads<OlderQuestion, Reconsidered>({
    module: import.meta,
    entry: "olderReleasesWorker",
    count: 1,
    settings: root,
    resourceLimits: { maxOldGenerationSizeMb: olderHeapMbMax },
    answerMsMax: olderMsMax,
    idleMs: olderIdleMs
  })
  const line = makeFairLine({ waitingMax: olderWaitingMax, placesMax: 1 })
  /** Fails if too many are waiting, or if there is no answer within `olderWaitMs`. */
  const consider = (
    tenant: string,
    question: OlderQuestion
  ): Effect.Effect<Reconsidered, RateLimited | AssessmentUnavailable> =>
    Effect.callback<Reconsidered, RateLimited | AssessmentUnavailable>((resume) => {
      const work = {
        tenant,
        begin: async (done: () => void) => {
          resume(await ask(question).then(Effect.succeed, unavailable))
          done()
        }
      }
      if (!line.add(work)) {
        const message =
          "too many requests are waiting for the rules of older releases; retry after `retry_after_seconds`"
        resume(Effect.fail(new RateLimited({ message, retryAfterSeconds: olderRetrySeconds })))
        return
      }
      // The thread finishes what it began, so that the release stays open for the next question.
      return Effect.sync(() => line.delete(work))
    }).pipe(
      Effect.timeoutOrElse({
        duration: olderWaitMs,
        orElse: () => unavailable("it waited too long")
      })
    )
  return { consider }
})
