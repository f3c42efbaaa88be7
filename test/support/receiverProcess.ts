/** Starts the receiver of standardReceiver.ts, gives it secrets, and keeps what it reports as received. */

import { Effect, type Scope } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Received, ToReceiver } from "./standardReceiver.ts"

export interface ReceiverProcess {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Resolves once the receiver has it. */
  readonly tell: (message: ToReceiver) => Promise<void>
  /**
   * Resolves once `holds` of what was received; rejects when that takes too long, which is longer than a lease: where a
   * claim's answer is lost, as it may be on a busy machine, its deliveries are made when its lease has ended.
   */
  readonly until: (holds: (received: ReadonlyArray<Received>) => boolean, mostMs?: number) => Promise<void>
}

type FromReceiver = Received | { readonly port: number } | { readonly done: ToReceiver }

/** Ends with the scope. */
export const receiverProcess: Effect.Effect<ReceiverProcess, never, Scope.Scope> = Effect.gen(function* () {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(join(import.meta.dirname, "standardReceiver.ts"))),
    (started) => Effect.sync(() => started.kill("SIGKILL"))
  )
  const received: Array<Received> = []
  const heard: Array<() => void> = []
  const [{ port }] = (yield* Effect.promise(() => once(child, "message"))) as [{ port: number }]
  child.on("message", (message: FromReceiver) => {
    if ("id" in message) received.push(message)
    else heard.shift()?.()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    tell: (message) =>
      new Promise((resolve) => {
        heard.push(resolve)
        child.send(message)
      }),
    until: async (holds, mostMs = 60_000) => {
      for (const startedAtMs = Date.now(); !holds(received); await sleep(10)) {
        if (Date.now() - startedAtMs > mostMs)
          throw new Error(`not so after ${mostMs} ms, with ${received.length} received`)
      }
    }
  }
})
