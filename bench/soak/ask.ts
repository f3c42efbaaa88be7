/** The process that asks during a soak. */

import { Agent, request as ask } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { assessRequest } from "../stored/requests.ts"
import { connections } from "../stored/settings.ts"
import type { Asked, Asking } from "./startLoad.ts"

const triesMax = 40
const tryMs = 6_000
const waitMs = 250
const tellMs = 1_000
/** One question in so many is a drill that is answered incomplete, so that every kind of event occurs. */
const drillOnceIn = 50

let asking: Asking | undefined
const stopping = new AbortController()
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const seen = {
  acknowledged: [] as Array<string>,
  latenciesMs: [] as Array<number>,
  givenUp: 0,
  retried: 0,
  partial: 0
}

interface Answer {
  readonly assessmentId: string
  readonly isPartial: boolean
}

/** Undefined where there is no answer with 200. */
const askOnce = (url: string, i: number, key: string): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const { body, headers, method, path } = assessRequest("soak", i, key)
    const { hostname, port } = new URL(url)
    const drill = i % drillOnceIn === 0 ? { "svc-drill": "incomplete" } : {}
    const sent = ask(
      { agent, hostname, port, method, path, headers: { ...headers, ...drill }, timeout: tryMs },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", () => resolve(undefined))
        response.once("end", () =>
          resolve(
            response.statusCode === 200
              ? {
                  assessmentId: JSON.parse(Buffer.concat(chunks).toString()).assessment_id,
                  isPartial: response.headers["svc-risk-opinion"] === "partial"
                }
              : undefined
          )
        )
      }
    )
    sent.once("timeout", () => sent.destroy())
    sent.once("error", () => resolve(undefined))
    sent.end(body)
  })

const question = async (i: number): Promise<void> => {
  const dueMs = performance.now()
  for (let tries = 0; tries < triesMax; tries++) {
    const { key = "", urls = [] } = asking ?? {}
    const answer = await askOnce(urls[(i + tries) % urls.length] ?? "", i, key)
    if (answer !== undefined) {
      seen.acknowledged.push(answer.assessmentId)
      if (answer.isPartial && i % drillOnceIn !== 0) seen.partial++
      if (tries === 0) seen.latenciesMs.push(performance.now() - dueMs)
      return
    }
    seen.retried++
    await pause(waitMs)
  }
  seen.givenUp++
}

const tell = () => {
  const sorted = seen.latenciesMs.splice(0).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const asked: Asked = {
    acknowledged: seen.acknowledged.splice(0),
    givenUp: seen.givenUp,
    retried: seen.retried,
    partial: seen.partial,
    medianMs: at(0.5),
    p99Ms: at(0.99)
  }
  seen.givenUp = 0
  seen.retried = 0
  seen.partial = 0
  process.send?.(asked)
}

const askUntilStopped = async (perSecond: number) => {
  const startedAtMs = performance.now()
  const open = new Set<Promise<void>>()
  const telling = setInterval(tell, tellMs)
  for (let i = 0; !stopping.signal.aborted; await pause(5)) {
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * perSecond)
    for (; i < due; i++) {
      const one = question(i)
      open.add(one)
      void one.finally(() => open.delete(one))
    }
  }
  await Promise.all(open)
  clearInterval(telling)
  tell()
  agent.destroy()
  process.disconnect()
}

process.on("message", (message: Asking | "stop") => {
  if (message === "stop") {
    stopping.abort()
    return
  }
  const isFirst = asking === undefined
  asking = message
  if (isFirst) void askUntilStopped(message.perSecond)
})
