/**
 * How much memory does the service hold, at rest and under load?
 *
 * Method: the resident set of the `serve` process, without PostgreSQL, two seconds after its start; then under 64
 * connections of assessments without a pause, looked at every second. Flat: the mean of the last third is at most 1.15 ×
 * that of the middle third. A minute by default; BENCH_MEMORY_SECONDS=600 for ten. Goals: < 130 MB at rest, flat.
 */

import { setTimeout as pause } from "node:timers/promises"
import type { Answer, Question } from "./Question.ts"
import { onStage, type Stage } from "./stored/openStage.ts"
import { connections, memorySeconds } from "./stored/settings.ts"
import { underLoad } from "./stored/underLoad.ts"

const restMbMax = 130
const growthMax = 1.15
const restMs = 2_000
const lookMs = 1_000

const megabytes = (bytes: number): number => bytes / 1e6

const mean = (figures: ReadonlyArray<number>): number =>
  figures.reduce((sum, figure) => sum + figure, 0) / figures.length

const measureOn = async ({ service }: Stage): Promise<Answer> => {
  await pause(restMs)
  const rest = megabytes(service.residentBytes())
  const seen: Array<number> = []
  const watch = setInterval(() => seen.push(megabytes(service.residentBytes())), lookMs)
  const loaded = await underLoad({
    urls: [service.url],
    connections,
    seconds: memorySeconds,
    perSecond: null,
    requests: { run: "memory", from: 0, key: service.key }
  }).finally(() => clearInterval(watch))
  const third = Math.floor(seen.length / 3)
  const middle = mean(seen.slice(third, 2 * third))
  const last = mean(seen.slice(2 * third))
  return {
    rows: [{ subject: `${memorySeconds} s of load`, ...loaded }],
    notes: [
      `${rest.toFixed(0)} MB at rest; under load ${middle.toFixed(0)} MB in the middle third, ${last.toFixed(0)} MB in the last, ${Math.max(...seen).toFixed(0)} MB at most`
    ],
    goals: [
      { says: `< ${restMbMax} MB at rest`, met: rest < restMbMax },
      { says: `last third ≤ ${growthMax} × the middle third`, met: last <= growthMax * middle }
    ]
  }
}

export const memoryQuestion: Question = {
  name: "memory",
  asks: "Memory at rest and under load",
  answer: onStage(measureOn)
}
