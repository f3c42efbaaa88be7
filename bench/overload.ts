/**
 * How much of what it can do does the service still do when it is asked for three times as much?
 *
 * Method: the service and its PostgreSQL on the first processor, the load on the second, by `taskset`: so the load takes
 * nothing from what it measures. First 64 callers without a pause, which gives the capacity; then three times that rate,
 * however long the answers take, latency counted from when a request was due, over up to 512 connections. Goodput is what was
 * answered with 200 during the flood, as a share of the capacity. The naive service is measured in the same way. It refuses
 * no caller: its callers wait instead. The floor is left out: no load on one processor can flood it.
 * Goals: goodput ≥ 0.8, refusals with a p99 of at most 100 ms, every request answered with 200 or with a refusal.
 */

import { execFileSync } from "node:child_process"
import { cpus } from "node:os"
import type { Told } from "../test/support/overload/Asking.ts"
import { generate, quantile } from "../test/support/overload/generate.ts"
import type { Answer, Question, Row } from "./Question.ts"
import { openStage, type Stage } from "./stored/openStage.ts"
import type { Target } from "./stored/service.ts"
import { connections, rounds, seconds } from "./stored/settings.ts"

const goodputMin = 0.8
const refusedMsMax = 100
const times = 3

const servers = 0
const load = 1

/** This process and all that it starts from now on run on one processor. False where the machine cannot do that. */
const runOn = (processor: number): boolean => {
  if (process.platform !== "linux" || cpus().length < 2) return false
  execFileSync("taskset", ["-a", "-p", "-c", String(processor), String(process.pid)], { stdio: "ignore" })
  return true
}

interface Flooded {
  readonly capacity: number
  readonly most: Told
  readonly flood: Told
}

const floodOnce = async ({ key, url }: Target): Promise<Flooded> => {
  const ask = async (perSecond: number | null) => {
    const [told] = await generate({ flows: [{ url, key, seconds, perSecond, atOnce: connections }] })
    if (told === undefined) throw new Error("each flow is told of")
    return told
  }
  const most = await ask(null)
  const capacity = most.answered.length / seconds
  return { capacity, most, flood: await ask(times * capacity) }
}

const msOf = (timed: Told["answered"]): ReadonlyArray<number> => timed.map(([, ms]) => ms)

const rowOf = (subject: string, ms: ReadonlyArray<number>): Row => ({
  subject,
  medianUs: quantile(ms, 0.5) * 1_000,
  p99Us: quantile(ms, 0.99) * 1_000,
  perSecond: ms.length / seconds / rounds
})

interface Summary {
  readonly rows: ReadonlyArray<Row>
  readonly goodput: number
  readonly refusedMs: number
  readonly unexpected: number
}

/** The figures cover all rounds. */
const summed = (name: string, flooded: ReadonlyArray<Flooded>): Summary => {
  const during = flooded.flatMap(({ flood }) => flood.answered.filter(([atMs]) => atMs <= seconds * 1_000))
  const refused = msOf(flooded.flatMap(({ flood }) => flood.refused))
  const capacity = flooded.reduce((sum, one) => sum + one.capacity, 0)
  return {
    rows: [
      rowOf(`${name}, as it can`, msOf(flooded.flatMap(({ most }) => most.answered))),
      rowOf(`${name}, ${times} × that`, msOf(during)),
      ...(refused.length > 0 ? [rowOf(`${name}, refused`, refused)] : [])
    ],
    goodput: during.length / seconds / capacity,
    refusedMs: quantile(refused, 0.99),
    unexpected: flooded.reduce((sum, { flood }) => sum + flood.otherwise.length + flood.unanswered, 0)
  }
}

const measureOn = async (stage: Stage, apart: boolean): Promise<Answer> => {
  const naive = { url: (await stage.startPeer("naive")).url, key: stage.service.key }
  if (apart) runOn(load)
  const targets = [stage.service, naive]
  const flooded = targets.map((): Array<Flooded> => [])
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [i, target] of targets.entries()) {
      const once = await floodOnce(target)
      if (round > 0) flooded[i]?.push(once)
    }
  const [own, peer] = [summed("action-risk", flooded[0] ?? []), summed("naive", flooded[1] ?? [])]
  return {
    rows: [...own.rows, ...peer.rows],
    notes: [
      apart ? "servers and load each on a processor of their own" : "servers and load share the processors",
      `goodput ${own.goodput.toFixed(2)} of the capacity; naive ${peer.goodput.toFixed(2)}`
    ],
    goals: [
      {
        says: `every request is answered or refused (${own.unexpected} were not)`,
        met: own.unexpected === 0
      },
      { says: `goodput ≥ ${goodputMin} of the capacity`, met: own.goodput >= goodputMin },
      { says: `p99 of refusals ≤ ${refusedMsMax} ms`, met: own.refusedMs <= refusedMsMax }
    ]
  }
}

export const overloadQuestion: Question = {
  name: "overload",
  asks: `${times} times as much as the service can do`,
  answer: async () => {
    const apart = runOn(servers)
    await using stage = await openStage({ LOG_LEVEL: "error" })
    return await measureOn(stage, apart)
  }
}
