/** `--history`: recorded assessments, from a file, from standard input or from the database. */

import { Effect, Layer, Stream } from "effect"
import { type Command } from "effect/cli"
import type { Mode } from "../../domain/Caller.ts"
import { exportEvidence } from "../../evidence/exportEvidence.ts"
import { backtestJobsMax } from "../../limits.ts"
import { AssessmentRecords } from "../../storage/assessments/AssessmentRecords.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { wrongFlag } from "../commandFailures.ts"
import { elseNull, integerFlag, optionalOwnerFlags, pathFlag, sinceFlag } from "../flags.ts"
import { type UseInput, withInput, withLineBreak } from "../operatorFiles.ts"

/** The value of `--history` for the assessments in the database. */
const databaseHistory = "database"

export const historyFlags = {
  history: pathFlag(
    "history",
    "history.ndjson|database|-",
    "Recorded assessments: a file from `evidence export`, - for standard input, or database together with --org and --mode"
  ),
  ...optionalOwnerFlags("With --history database"),
  since: sinceFlag,
  jobs: elseNull(
    integerFlag("jobs", 1, backtestJobsMax),
    "Scoring threads; the result does not depend on their number (default: one per core)"
  )
}

type HistoryOptions = Command.Command.Config.Infer<typeof historyFlags>

/** The same bytes that `evidence export` writes. */
const fromDatabase = Effect.fnUntraced(
  function* <A, E, R>(slug: string, mode: Mode, since: string | null, use: UseInput<A, E, R>) {
    const lines = exportEvidence(yield* ownerOf(slug, mode), { since, until: null }).pipe(
      Stream.mapArray((bodies) => [Buffer.concat(bodies.map(withLineBreak))])
    )
    const bytes = yield* Stream.toAsyncIterableEffect(lines)
    return yield* use({ bytes, totalBytes: null, name: databaseHistory })
  },
  (effect) => Effect.provide(effect, AssessmentRecords.layer.pipe(Layer.provideMerge(Stores)))
)

/** Opens the history named by the flags, and closes it after `use`. */
export const withHistory = <A, E, R>(options: Omit<HistoryOptions, "jobs">, use: UseInput<A, E, R>) =>
  Effect.gen(function* () {
    const { history, mode, org, since } = options
    if (history === databaseHistory) {
      // Checked before anything starts, so that a wrong call fails immediately.
      if (org === null || mode === null)
        return yield* wrongFlag("history", databaseHistory, "used together with --org and --mode")
      return yield* fromDatabase(org, mode, since, use)
    }
    if (since !== null)
      return yield* wrongFlag(
        "since",
        since,
        "used together with --history database: a file is read completely"
      )
    return yield* withInput(history, use)
  })
