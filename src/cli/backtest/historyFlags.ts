/** The flags of commands that look at recorded assessments: where they are, and how many cores may work on them. */

import { type Command, Flag } from "effect/cli"
import { modes } from "../../domain/Mode.ts"
import { backtestJobsMax } from "../../Limits.ts"
import { pathFlag } from "../options/path.ts"

/** What `--history` says for the stored assessments themselves. */
export const database = "database"

export const historyFlags = {
  history: pathFlag("history", "history.ndjson|database|-").pipe(
    Flag.withDescription(
      "Recorded assessments: a file from `evidence export`, - for standard input, or database together with --org and --mode"
    )
  ),
  org: Flag.String("org").pipe(
    Flag.withDescription("With --history database: the organization's slug"),
    Flag.withMetavar("slug"),
    Flag.optional
  ),
  mode: Flag.Literals("mode", modes).pipe(
    Flag.withDescription("With --history database: which of the two worlds"),
    Flag.optional
  ),
  jobs: Flag.Int("jobs").pipe(
    Flag.withDescription("Threads that score; the result does not depend on it (default: one per core)"),
    Flag.filter(
      (jobs) => jobs >= 1 && jobs <= backtestJobsMax,
      (jobs) => `expected 1 to ${backtestJobsMax} jobs, not ${jobs}`
    ),
    Flag.optional
  )
}

export type HistoryOptions = Command.Command.Config.Infer<typeof historyFlags>
