/** `action-risk outcomes`: records what became of assessed actions, says what it shows, and writes it for auditors and as labels for `rules agree`. */

import { Effect, Option, Result, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { exportOutcomes, toldAssessments } from "../../evidence/outcomeHistory.ts"
import { labelOf } from "../../evidence/outcomeReport.ts"
import { organizationOf, orgFlag, Stores } from "../Stores.ts"
import { modeFlag, pathFlag, sinceFlag } from "../flags.ts"
import { writeWhole } from "../operatorFiles.ts"
import { recordOutcome } from "./record.ts"
import { report } from "./report.ts"

const outFlag = pathFlag("out", "outcomes.ndjson").pipe(
  Flag.withDescription("The file to write, whole or not at all (default: standard output)"),
  Flag.optional
)

const lineBreak = Buffer.from("\n")

const exportOutcomesCommand = Command.make(
  "export",
  { org: orgFlag, mode: modeFlag, out: outFlag },
  Effect.fnUntraced(function* ({ mode, org, out }) {
    const { id } = yield* organizationOf(org)
    const lines = exportOutcomes({ organizationId: id, mode }).pipe(
      Stream.map((line) => Buffer.concat([line, lineBreak]))
    )
    yield* writeWhole(Option.getOrNull(out), lines)
  }, Effect.provide(Stores))
).pipe(
  Command.withDescription("Export outcome events as NDJSON in the order of their chain, each with its seal"),
  Command.withExamples([
    {
      command: "action-risk outcomes export --org acme --mode live --out outcomes.ndjson",
      description: "A copy to keep elsewhere"
    }
  ])
)

const labels = Command.make(
  "labels",
  { org: orgFlag, mode: modeFlag, since: sinceFlag, out: outFlag },
  Effect.fnUntraced(function* ({ mode, org, out, since }) {
    const { id } = yield* organizationOf(org)
    const lines = toldAssessments({ organizationId: id, mode }, Option.getOrNull(since)).pipe(
      Stream.filterMap((told) => {
        const label = labelOf(told)
        return label === null ? Result.failVoid : Result.succeed(Buffer.from(`${JSON.stringify(label)}\n`))
      })
    )
    yield* writeWhole(Option.getOrNull(out), lines)
  }, Effect.provide(Stores))
).pipe(
  Command.withDescription("Write what happened as labelled calls, for `rules agree`"),
  Command.withExamples([
    {
      command:
        "action-risk outcomes labels --org acme --mode live --since 2026-12-01 | action-risk rules agree --labels -",
      description: "Whether the rules agree with December's outcomes"
    }
  ])
)

export const outcomesCommand = Command.make("outcomes").pipe(
  Command.withDescription("Record what became of assessed actions, and compare the answers with it"),
  Command.withSubcommands([recordOutcome, report, labels, exportOutcomesCommand])
)
