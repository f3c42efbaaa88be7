/** Runs a command in this process, and returns its output as lines. */

import { actionRisk } from "./inProcess.ts"

export interface Spoken {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: ReadonlyArray<string>
}

/** For what never reaches a database. */
export const spoken = async (...args: ReadonlyArray<string>): Promise<Spoken> => {
  const { code, stderr, stdout } = await actionRisk(args)
  return { code, stdout: stdout.replace(/\n$/, ""), stderr: stderr.split("\n").slice(0, -1) }
}
