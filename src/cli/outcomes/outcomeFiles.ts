/** `outcomes export` and `outcomes labels`: what happened to assessed actions, for auditors and as labels for `rules agree`. */

import { Effect, Result, Stream } from "effect"
import { exportOutcomes, toldAssessments } from "../../evidence/outcomeHistory.ts"
import { labelOf } from "../../evidence/outcomeReport.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { databaseSettings, outFlag, ownerFlags, sinceFlag } from "../flags.ts"
import { withLineBreak, writeWhole } from "../operatorFiles.ts"
import { verb } from "../verb.ts"

export const exportOutcomeEvents = verb({
  about: "Export outcome events as NDJSON in the order of their chain, each with its seal",
  takes: { ...ownerFlags, out: outFlag("outcomes.ndjson") },
  fails: "there is no such organization, or the file cannot be written",
  reads: databaseSettings,
  examples: {
    "--org acme --mode live --out outcomes.ndjson": "A copy to keep elsewhere"
  },
  run: Effect.fnUntraced(function* ({ mode, org, out }) {
    yield* writeWhole(out, Stream.map(exportOutcomes(yield* ownerOf(org, mode)), withLineBreak))
  }, Effect.provide(Stores))
})

export const labels = verb({
  about: "Export outcomes as labelled calls, for `rules agree`",
  takes: { ...ownerFlags, since: sinceFlag, out: outFlag("outcomes.ndjson") },
  fails: "there is no such organization, or the file cannot be written",
  reads: databaseSettings,
  examples: {
    "action-risk outcomes labels --org acme --mode live --since 2026-12-01 | action-risk rules agree --labels -":
      "Whether the rules agree with December's outcomes"
  },
  run: Effect.fnUntraced(function* ({ mode, org, out, since }) {
    const lines = toldAssessments(yield* ownerOf(org, mode), since).pipe(
      Stream.filterMap((told) => {
        const label = labelOf(told)
        return label === null ? Result.failVoid : Result.succeed(Buffer.from(`${JSON.stringify(label)}\n`))
      })
    )
    yield* writeWhole(out, lines)
  }, Effect.provide(Stores))
})
