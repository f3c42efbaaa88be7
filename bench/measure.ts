/** Measures operations side by side: all of them in turn for a while, several rounds, so that drift meets each alike. */

import { Bench } from "tinybench"
import type { Row } from "./Question.ts"

const rounds = 3
const timeMs = 700
const warmupMs = 300

export interface Operation {
  readonly subject: string
  /** Runs `each` operations; figures are for one of them. */
  readonly run: () => unknown
  readonly each: number
}

const us = (ms: number, each: number): number => (ms * 1_000) / each

const median = (figures: ReadonlyArray<number>): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN

export const measure = async (operations: ReadonlyArray<Operation>): Promise<ReadonlyArray<Row>> => {
  const figures = operations.map(() => ({ p50: Array<number>(), p99: Array<number>() }))
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time: timeMs, warmupTime: warmupMs })
    for (const { run, subject } of operations) bench.add(subject, run)
    await bench.run()
    for (const [i, task] of bench.tasks.entries()) {
      const result = task.result
      if (!("latency" in result)) throw new Error(`${task.name} was not measured`)
      const each = operations[i]?.each ?? 1
      figures[i]?.p50.push(us(result.latency.p50, each))
      figures[i]?.p99.push(us(result.latency.p99, each))
    }
  }
  return operations.map(({ subject }, i) => ({
    subject,
    medianUs: median(figures[i]?.p50 ?? []),
    p99Us: median(figures[i]?.p99 ?? [])
  }))
}
