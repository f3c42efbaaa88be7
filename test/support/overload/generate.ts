/** Load from a separate process, so that the service does not pay for it. */

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

/** The maximum time of a share of the answers. */
export const quantile = (ms: ReadonlyArray<number>, share: number): number =>
  ms.toSorted((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0
