/** Load from a process of its own, so that what it costs is not the service's. */

import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Asking, Told } from "./Asking.ts"

const generator = join(import.meta.dirname, "generator.ts")

export const generate = async (asking: Asking): Promise<ReadonlyArray<Told>> => {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(asking)], {
    maxBuffer: 512 * 1_048_576
  })
  return JSON.parse(stdout) as ReadonlyArray<Told>
}

/** The time that a share of the answers took at most. */
export const quantile = (ms: ReadonlyArray<number>, share: number): number =>
  ms.toSorted((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0
