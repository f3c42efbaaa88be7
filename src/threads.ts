/** Threads that answer questions: each starts from a file of its own, and answers in the order in which it is asked. */

import { type ResourceLimits, Worker } from "node:worker_threads"

export interface Threads<Question, Answer> {
  /** Asks the thread with the fewest open questions. Fails where a thread ended before it answered. */
  readonly ask: (question: Question) => Promise<Answer>
  readonly stop: () => Promise<void>
}

interface Thread<Answer> {
  readonly worker: Worker
  readonly pending: Array<PromiseWithResolvers<Answer>>
}

interface ThreadOptions {
  /** What every thread is told at its start. */
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
}

const startThread = <Answer>(file: URL, options: ThreadOptions): Thread<Answer> => {
  const worker = new Worker(file, options)
  const pending: Thread<Answer>["pending"] = []
  const fail = (cause: Error) => {
    for (const { reject } of pending.splice(0)) reject(cause)
  }
  worker.on("message", (answer: Answer) => pending.shift()?.resolve(answer))
  worker.on("error", fail)
  worker.on("exit", () => fail(new Error("a thread ended early")))
  return { worker, pending }
}

export const startThreads = <Question, Answer>(
  file: URL,
  count: number,
  options: ThreadOptions
): Threads<Question, Answer> => {
  const threads = Array.from({ length: count }, () => startThread<Answer>(file, options))
  return {
    ask: (question) => {
      const leastBusy = threads.reduce((a, b) => (b.pending.length < a.pending.length ? b : a))
      const answer = Promise.withResolvers<Answer>()
      // Answers are awaited in order, so that the first failure is reported. All later failures have the same cause.
      answer.promise.catch(() => {})
      leastBusy.pending.push(answer)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
      leastBusy.worker.postMessage(question)
      return answer.promise
    },
    stop: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    }
  }
}
