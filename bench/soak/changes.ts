/** Everything that changes around the service during a soak, each in turn. */

import { setTimeout as pause } from "node:timers/promises"
import type { OwnDatabase } from "../stored/database.ts"
import { runCommand } from "../stored/service.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { listReleases } from "../../src/rules/release/loadRelease.ts"
import type { Replicas } from "./replicas.ts"
import type { RunningLoad } from "./startLoad.ts"

export interface Happened {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly endedMs: number
  readonly what: string
  /** Undefined where it worked. */
  readonly failure: string | undefined
}

interface Soak {
  readonly database: OwnDatabase
  readonly key: string
  readonly load: RunningLoad
  readonly minutes: number
  readonly replicas: Replicas
  readonly endsAtMs: number
}

/** Undefined where the command ends with 0, else what it printed. */
const failureOf = async (database: OwnDatabase, args: ReadonlyArray<string>): Promise<string | undefined> => {
  try {
    await runCommand(database, args)
    return undefined
  } catch (error) {
    const { stderr, stdout } = error as { readonly stdout: string; readonly stderr: string }
    return `${stdout}${stderr}`.trim()
  }
}

const ofTheOrganization = ["--org", "demo", "--mode", "test"]

/** One round of changes; `n` counts rounds. */
const round = (
  { database, load, replicas }: Soak,
  n: number
): ReadonlyArray<readonly [what: string, change: () => Promise<string | undefined>]> => {
  const signal = n % 2 === 0 ? "SIGTERM" : "SIGKILL"
  const known = listReleases(packageRoot)
  const release = known[n % known.length]
  return [
    [
      `a replica ends by ${signal}`,
      async () => {
        load.askAt(replicas.urls().slice(0, 1))
        await replicas.end(signal)
        return undefined
      }
    ],
    ["the chain is verified", () => failureOf(database, ["evidence", "verify", ...ofTheOrganization])],
    [
      `a replica comes with ${release}`,
      async () => {
        await replicas.start(release)
        load.askAt(replicas.urls())
        return undefined
      }
    ],
    [
      "another policy set",
      () => failureOf(database, ["orgs", "set-policies", "demo", n % 2 === 0 ? "starter" : "none"])
    ],
    [
      "assessments of an agent are erased",
      () => failureOf(database, ["evidence", "erase", ...ofTheOrganization, "--agent", `agent-${n % 40}`])
    ]
  ]
}

/** Changes until the end of the time; the pauses between them grow with the length of the soak, to half a minute. */
export const changes = (soak: Soak) => {
  const events: Array<Happened> = []
  const pauseMs = Math.min(30_000, Math.max(2_000, soak.minutes * 1_000))
  const done = (async () => {
    for (let n = 0; Date.now() < soak.endsAtMs; n++) {
      for (const [what, change] of round(soak, n)) {
        const atMs = Date.now()
        const failure = await change()
        events.push({ atMs, endedMs: Date.now(), what, failure: isTooNew(failure) ? undefined : failure })
        await pause(Math.min(pauseMs, Math.max(0, soak.endsAtMs - Date.now())))
      }
    }
  })()
  return { events, done }
}

/** `evidence erase` ends with 1 where some are too new to be erased yet: the next round erases them. */
const isTooNew = (failure: string | undefined): boolean => failure?.includes("too new") ?? false
