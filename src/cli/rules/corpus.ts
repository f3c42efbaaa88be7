/** `--calls` of the verbs that compare two rulebooks: more calls by which changed knowledge is compared. */

import { Effect } from "effect"
import { Flag } from "effect/cli"
import { reasonOf } from "../../rules/Finding.ts"
import { readCorpus } from "../../rules/corpus/Corpus.ts"
import { collectedCalls } from "../../rules/corpus/callGroups.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { CommandRefused } from "../commandFailures.ts"
import { pathFlag } from "../flags.ts"

export const callsFlag = pathFlag("calls", "path").pipe(
  Flag.withDescription(
    "More calls to compare knowledge by: an NDJSON file with a command or a request on each line, or a folder of them"
  ),
  Flag.atLeast(0)
)

/** Refuses a path that cannot be read, or that has no call. */
export const callsAt = (paths: ReadonlyArray<string>) =>
  Effect.forEach(paths, (path) =>
    Effect.try({
      try: () => [...collectedCalls(path).values()].flat(),
      catch: (cause) => new CommandRefused({ message: `${path} cannot be read: ${reasonOf(cause)}` })
    }).pipe(
      Effect.filterOrFail(
        (calls) => calls.length > 0,
        () =>
          new CommandRefused({
            message: `${path} has no call: expected \`command\` or a request on each line`
          })
      )
    )
  ).pipe(Effect.map((calls) => calls.flat()))

export const corpusWith = (paths: ReadonlyArray<string>) =>
  Effect.map(callsAt(paths), (calls) => readCorpus(packageRoot, calls))
