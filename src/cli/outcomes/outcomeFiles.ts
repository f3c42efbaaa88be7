/** `outcomes export` and `outcomes labels`: what became of assessed actions, for auditors and as labels for `rules agree`. */

import { Effect, Result, Stream } from "effect"
import { Flag } from "effect/cli"
import { exportOutcomes, toldAssessments } from "../../evidence/outcomeHistory.ts"
import { labelOf } from "../../evidence/outcomeReport.ts"
import { organizationOf, orgFlag, Stores } from "../Stores.ts"
import { modeFlag, pathFlag, sinceFlag, databaseSettings } from "../flags.ts"
import { writeWhole } from "../operatorFiles.ts"
import { verb } from "../verb.ts"

const outFlag = pathFlag("out", "outcomes.ndjson").pipe(
  Flag.withDescription("The file to write, whole or not at all (default: standard output)"),
  Flag.withDefault(null)
)

const lineBreak = Buffer.from("\n")

export const exportOutcomeEvents = verb({
  about: "Export outcome events as NDJSON in the order of their chain, each with its seal",
  takes: { org: orgFlag, mode: modeFlag, out: outFlag },
  fails: "there is no such organization, or the file cannot be written",
  reads: databaseSettings,
  examples: {
    "--org acme --mode live --out outcomes.ndjson": "A copy to keep elsewhere"
  },
  run: Effect.fnUntraced(function* ({ mode, org, out }) {
    const { id } = yield* organizationOf(org)
    const lines = exportOutcomes({ organizationId: id, mode }).pipe(
      Stream.map((line) => Buffer.concat([line, lineBreak]))
    )
    yield* writeWhole(out, lines)
  }, Effect.provide(Stores))
})

export const labels = verb({
  about: "Write what happened as labelled calls, for `rules agree`",
  takes: { org: orgFlag, mode: modeFlag, since: sinceFlag, out: outFlag },
  fails: "there is no such organization, or the file cannot be written",
  reads: databaseSettings,
  examples: {
    "action-risk outcomes labels --org acme --mode live --since 2026-12-01 | action-risk rules agree --labels -":
      "Whether the rules agree with December's outcomes"
  },
  run: Effect.fnUntraced(function* ({ mode, org, out, since }) {
    const { id } = yield* organizationOf(org)
    const lines = toldAssessments({ organizationId: id, mode }, since).pipe(
      Stream.filterMap((told) => {
        const label = labelOf(told)
        return label === null ? Result.failVoid : Result.succeed(Buffer.from(`${JSON.stringify(label)}\n`))
      })
    )
    yield* writeWhole(out, lines)
  }, Effect.provide(Stores))
})
