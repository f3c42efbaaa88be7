/** Asks at a steady rate, from a process of its own, as careful clients do: what had no answer is asked again with the same key. */

import { fork } from "node:child_process"
import { join } from "node:path"

/** The settings of the asking process. */
export interface Asking {
  readonly urls: ReadonlyArray<string>
  readonly key: string
  readonly perSecond: number
}

/** Its report of each second. */
export interface Asked {
  /** Assessments that were acknowledged with 200. */
  readonly acknowledged: ReadonlyArray<string>
  /** Questions that had no 200 after all tries. */
  readonly givenUp: number
  readonly retried: number
  /** Incomplete opinions, without the drills. */
  readonly partial: number
  readonly medianMs: number
  readonly p99Ms: number
}

export interface RunningLoad extends AsyncDisposable {
  readonly last: () => Asked | undefined
  readonly givenUp: () => number
  readonly retried: () => number
  readonly askAt: (urls: ReadonlyArray<string>) => void
  /** Resolves once every question has its answer. */
  readonly stop: () => Promise<void>
}

export const startLoad = (
  asking: Asking,
  keep: (assessmentIds: ReadonlyArray<string>) => Promise<void>
): RunningLoad => {
  const child = fork(join(import.meta.dirname, "ask.ts"))
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const kept: Array<Promise<void>> = []
  const told: { last: Asked | undefined; givenUp: number; retried: number } = {
    last: undefined,
    givenUp: 0,
    retried: 0
  }
  child.on("message", (asked: Asked) => {
    told.last = asked
    told.givenUp += asked.givenUp
    told.retried += asked.retried
    kept.push(keep(asked.acknowledged))
  })
  child.send(asking)
  const stop = async () => {
    if (child.connected) child.send("stop")
    await ended
    await Promise.all(kept)
  }
  return {
    last: () => told.last,
    givenUp: () => told.givenUp,
    retried: () => told.retried,
    askAt: (urls) => child.send({ ...asking, urls }),
    stop,
    [Symbol.asyncDispose]: stop
  }
}
