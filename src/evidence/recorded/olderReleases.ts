/** A thread that considers assessments of older releases again, because to open a release takes seconds in which nothing else is answered. */

import { Effect } from "effect"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { AssessmentUnavailable, RateLimited } from "../../api/Failures.ts"
import { makeFairQueue } from "../../evenShare.ts"
import {
  olderHeapMbMax,
  olderIdleMs,
  olderMsMax,
  olderRetrySeconds,
  olderWaitingMax,
  olderWaitMs
} from "../../limits.ts"
import type { Root } from "../../rules/files/readTree.ts"
import type { OlderQuestion } from "./olderReleasesWorker.ts"
import type { Reconsidered } from "./reconsider.ts"

interface Asked {
  readonly question: OlderQuestion
  readonly settle: (answer: Effect.Effect<Reconsidered, AssessmentUnavailable>) => void
}

const unavailable = (cause: unknown) =>
  Effect.andThen(
    Effect.logError("an assessment of an older release could not be considered again", cause),
    new AssessmentUnavailable({ retryAfterSeconds: olderRetrySeconds })
  )

interface Thread {
  readonly worker: Worker
  /** Gives the thread up, and the question that it works on. */
  readonly fail: (cause: Error) => void
}

/** The thread starts with the first question, and ends after `olderIdleMs` without one, with an error, or when it is stopped. */
const makeThread = (root: Root) => {
  const waiting = makeFairQueue<Asked>(olderWaitingMax)
  let thread: Thread | null = null
  let asked: Asked | null = null
  let timer: NodeJS.Timeout | undefined

  const stop = async () => {
    clearTimeout(timer)
    const stopped = thread
    thread = null
    await stopped?.worker.terminate()
  }

  const settle: Asked["settle"] = (answer) => {
    asked?.settle(answer)
    asked = null
    next()
  }

  const start = (): Thread => {
    const file = new URL(`./olderReleasesWorker${extname(import.meta.url)}`, import.meta.url)
    const resourceLimits = { maxOldGenerationSizeMb: olderHeapMbMax }
    const worker = new Worker(file, { workerData: root, resourceLimits })
    // Invariant: a thread that was given up settles nothing, whatever it still says.
    const isCurrent = () => thread?.worker === worker
    const fail = (cause: Error) => {
      if (!isCurrent()) return
      void stop()
      settle(unavailable(cause))
    }
    worker.on("message", (answer: Reconsidered) => {
      if (isCurrent()) settle(Effect.succeed(answer))
    })
    worker.on("error", fail)
    worker.on("exit", () => fail(new Error("the thread ended early")))
    return { worker, fail }
  }

  const next = () => {
    if (asked !== null) return
    clearTimeout(timer)
    asked = waiting.take() ?? null
    if (asked === null) {
      timer = setTimeout(() => void stop(), olderIdleMs).unref()
      return
    }
    thread ??= start()
    const { fail, worker } = thread
    timer = setTimeout(() => fail(new Error("it took too long")), olderMsMax)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
    worker.postMessage(asked.question)
  }

  return { next, stop, waiting }
}

/** Ends with the scope. One question is answered at a time; of those that wait, organizations take turns. */
export const openOlderReleases = Effect.fnUntraced(function* (root: Root) {
  const { next, waiting } = yield* Effect.acquireRelease(
    Effect.sync(() => makeThread(root)),
    ({ stop }) => Effect.promise(stop)
  )
  /** Fails where too many wait, and where there is no answer within `olderWaitMs`. */
  const consider = (
    tenant: string,
    question: OlderQuestion
  ): Effect.Effect<Reconsidered, RateLimited | AssessmentUnavailable> =>
    Effect.callback<Reconsidered, RateLimited | AssessmentUnavailable>((resume) => {
      const own: Asked = { question, settle: resume }
      if (!waiting.add(tenant, own)) {
        const message = "too many wait for rules of older releases; retry after `retry_after_seconds`"
        resume(Effect.fail(new RateLimited({ message, retryAfterSeconds: olderRetrySeconds })))
        return
      }
      next()
      // The thread finishes what it has begun: the release stays open for the next question.
      return Effect.sync(() => waiting.delete(tenant, own))
    }).pipe(
      Effect.timeoutOrElse({
        duration: olderWaitMs,
        orElse: () => unavailable("it waited too long")
      })
    )
  return { consider }
})
