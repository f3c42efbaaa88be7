/** Two processes of the service on one database: one that stays, and one that comes and goes. */

import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { OwnDatabase } from "../stored/database.ts"
import { type Service, startReplica } from "../stored/service.ts"
import { freePort } from "../../test/support/freePort.ts"

export interface Steady {
  /** Open files and sockets. */
  readonly descriptors: () => number
  readonly residentMb: () => number
  readonly heapMb: () => Promise<number>
}

export interface Replicas extends AsyncDisposable {
  /** Where requests can go now, the steady one first. */
  readonly urls: () => ReadonlyArray<string>
  readonly steady: Steady
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Promise<void>
  /** Under a rule release; the newest where none is named. */
  readonly start: (release?: string) => Promise<void>
}

const heapLine = /^v8js_memory_heap_used_bytes(?:\{[^}]*\})? ([0-9.e+]+)$/gm

/** The sum over all heap spaces. */
const heapBytes = (metrics: string): number =>
  [...metrics.matchAll(heapLine)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)

export const startReplicas = async (database: OwnDatabase, key: string): Promise<Replicas> => {
  const insecure = { WEBHOOK_ALLOW_INSECURE: "loopback", LOG_LEVEL: "error" }
  const adminPort = await freePort()
  const staying = await startReplica(database, key, { ...insecure, ADMIN_PORT: String(adminPort) })
  let going: Service | undefined = await startReplica(database, key, insecure)
  return {
    urls: () => [staying.url, ...(going === undefined ? [] : [going.url])],
    steady: {
      descriptors: () => readdirSync(join("/proc", String(staying.pid), "fd")).length,
      residentMb: () => staying.residentBytes() / 1e6,
      heapMb: async () => {
        const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`)
        return heapBytes(await answer.text()) / 1e6
      }
    },
    end: async (signal) => {
      const ending = going
      going = undefined
      await ending?.end(signal)
    },
    start: async (release) => {
      const ofRelease = release === undefined ? {} : { RULES_VERSION: release }
      going = await startedAtLast(() => startReplica(database, key, { ...insecure, ...ofRelease }))
    },
    [Symbol.asyncDispose]: async () => {
      await going?.end("SIGTERM")
      await staying.end("SIGTERM")
    }
  }
}

const startsMax = 3

/** As a supervisor does it: a start that could not reach a busy database ends with 1, and is tried again. */
const startedAtLast = async (start: () => Promise<Service>): Promise<Service> => {
  for (let tried = 1; ; tried++) {
    try {
      return await start()
    } catch (error) {
      if (tried === startsMax) throw error
      console.error(`start ${tried} of a replica failed: ${String(error)}`)
    }
  }
}
