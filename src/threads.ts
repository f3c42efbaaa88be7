/** Worker threads that answer questions in order, within a time limit. A thread that ends is replaced. */

import { Effect } from "effect"
import { extname } from "node:path"
import { parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads"

export interface Threads<Question, Answer> {
  /** Asks the thread with the fewest open questions. */
  readonly ask: (question: Question) => Promise<Answer>
  /** Ends all threads permanently. */
  readonly stop: () => Promise<void>
}

interface ThreadsOptions {
  /** The module next to which the thread's file `entry` is located. */
  readonly module: ImportMeta
  /** Without its extension, which differs in the bundle. */
  readonly entry: string
  readonly count: number
  /** Passed to `answerQuestions` when each thread starts. */
  readonly settings?: unknown
  readonly resourceLimits?: ResourceLimits
  /** The time limit of one answer. */
  readonly answerMsMax?: number
  /** How long a thread is kept without a question. */
  readonly idleMs?: number
}

const startWorker = ({ entry, module, resourceLimits = {}, settings }: ThreadsOptions): Worker =>
  new Worker(new URL(`./${entry}${extname(module.url)}`, module.url), {
    workerData: settings,
    resourceLimits
  })

const makeThread = <Question, Answer>(options: ThreadsOptions) => {
  const { answerMsMax, idleMs } = options
  const pending: Array<PromiseWithResolvers<Answer>> = []
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | undefined

  const end = async (cause: Error): Promise<void> => {
    clearTimeout(timer)
    const ended = worker
    worker = null
    for (const { reject } of pending.splice(0)) reject(cause)
    await ended?.terminate()
  }

  /** Restarts the timer with each answer, because the next question begins then. */
  const startClock = () => {
    clearTimeout(timer)
    const isIdle = pending.length === 0
    const ms = isIdle ? idleMs : answerMsMax
    if (ms === undefined) return
    timer = setTimeout(() => void end(new Error("the thread took too long")), ms)
    if (isIdle) timer.unref()
  }

  const start = (): Worker => {
    const started = startWorker(options)
    // Invariant: a thread that was ended settles no question of its successor.
    const isCurrent = () => worker === started
    const fail = (cause: Error) => {
      if (isCurrent()) void end(cause)
    }
    started.on("message", (answer: Answer) => {
      if (!isCurrent()) return
      pending.shift()?.resolve(answer)
      startClock()
    })
    started.on("error", fail)
    started.on("exit", () => fail(new Error("the thread ended early")))
    return started
  }

  return {
    /** The number of open questions. */
    get waiting() {
      return pending.length
    },
    ask: (question: Question): Promise<Answer> => {
      const answer = Promise.withResolvers<Answer>()
      // Answers are awaited in order, so that the first failure is reported. All later failures have the same cause.
      answer.promise.catch(() => {})
      worker ??= start()
      pending.push(answer)
      if (pending.length === 1) startClock()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
      worker.postMessage(question)
      return answer.promise
    },
    stop: () => end(new Error("the threads were stopped"))
  }
}

/**
 * A thread starts with its first question. If it ends early or takes too long, its open questions fail, and the next question starts
 * another thread.
 */
export const makeThreads = <Question, Answer>(options: ThreadsOptions): Threads<Question, Answer> => {
  const threads = Array.from({ length: options.count }, () => makeThread<Question, Answer>(options))
  let isStopped = false
  return {
    ask: (question) =>
      isStopped
        ? Promise.reject(new Error("the threads were stopped"))
        : threads.reduce((a, b) => (b.waiting < a.waiting ? b : a)).ask(question),
    stop: async () => {
      isStopped = true
      await Promise.all(threads.map(({ stop }) => stop()))
    }
  }
}

/** Threads that end with the scope. */
export const scopedThreads = <Question, Answer>(options: ThreadsOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => makeThreads<Question, Answer>(options)),
    ({ stop }) => Effect.promise(stop)
  )

/** The main loop of a thread, for its entry file. An error in an answer ends the thread. */
export const answerQuestions = <Settings, Question, Answer>(
  open: (settings: Settings) => (question: Question) => Answer | Promise<Answer>
): void => {
  const answer = open(workerData)
  let answered: Promise<unknown> = Promise.resolve()
  parentPort?.on("message", (question: Question) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
    answered = answered.then(async () => parentPort?.postMessage(await answer(question)))
  })
}
