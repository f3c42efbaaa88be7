/** What a check or a test has found, where a reviewer's editor finds it: as `--json` prints it. */

import type { Finding } from "./Problem.ts"

/** - `error`: the set cannot be used or would be wrong; `warning`: it can, and a reviewer must know. Both are findings. */
export type FindingSeverity = "error" | "warning"

export interface LocatedFinding extends Pick<Finding, "file" | "message"> {
  /** The lint that speaks, a page of `docs/lints/`: `unknown-fact`. */
  readonly rule: string
  readonly severity: FindingSeverity
  /** From 1; 1 where the finding is about the file as a whole. */
  readonly line: number
  /** From 1, in UTF-16 code units as editors count. */
  readonly column: number
  /** What to write instead. */
  readonly suggestion?: string
}
