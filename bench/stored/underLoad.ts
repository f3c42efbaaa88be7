/** Puts a load on servers from another process, so that making it and answering it share no thread. */

import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Request } from "./requests.ts"

/** A load on one or more servers. It is sent to the process that makes it. */
export interface Load {
  /** Where it goes, each with its share of the connections. */
  readonly urls: ReadonlyArray<string>
  /** Assessments without end, numbered from `from` under the name of a run; or given requests, in turn. */
  readonly requests:
    | { readonly run: string; readonly from: number; readonly key: string }
    | ReadonlyArray<Request>
  readonly connections: number
  readonly seconds: number
  /** Null: each connection asks again as soon as it has its answer. */
  readonly perSecond: number | null
}

/** The answers to a load. The figures cover answers with 200. */
export interface Loaded {
  readonly answered: number
  readonly perSecond: number
  readonly medianUs: number
  readonly p99Us: number
  /** Answers other than 200, and requests without one. */
  readonly failed: number
}

/** Throws when nothing at all was answered with 200. */
export const underLoad = async (load: Load): Promise<Loaded> => {
  const child = fork(join(import.meta.dirname, "makeLoad.ts"))
  try {
    child.send(load)
    const [loaded] = (await once(child, "message")) as [Loaded]
    if (loaded.answered === 0) throw new Error(`${load.urls.join(" and ")} answered nothing with 200`)
    return loaded
  } finally {
    child.kill()
  }
}
