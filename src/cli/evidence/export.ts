/** `action-risk evidence export`: writes stored assessments as NDJSON. Each line is one body of the API, byte for byte; the oldest comes first. */

import { Console, Effect, Layer, Option, Schema, Stream } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { modes } from "../../domain/Caller.ts"
import { Erasures } from "../../evidence/Erasures.ts"
import { exportChain } from "../../evidence/exportEvidence.ts"
import { AssessmentRecords } from "../../storage/assessments/AssessmentRecords.ts"
import { organizationOf, orgFlag, Stores } from "../Stores.ts"
import { wrongUsage } from "../commandFailures.ts"
import { instantFlag, jsonFlag, modeFlag, pathFlag, sinceFlag } from "../flags.ts"
import { writeWhole } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../texts.ts"

export const evidenceExportSchema = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  since: Schema.NullOr(Schema.String).annotate({ description: "From this date-time on; null for all." }),
  until: Schema.NullOr(Schema.String).annotate({ description: "Before this date-time; null for all." }),
  assessments: Schema.Int.annotate({ description: "Lines of the file that hold an assessment." }),
  erased: Schema.Int.annotate({ description: "Lines that hold the entry of an erased assessment." }),
  out: Schema.String.annotate({ description: "The file, as it was named." })
})

const lineBreak = Buffer.from("\n")

export const exportCommand = Command.make(
  "export",
  {
    org: orgFlag,
    mode: modeFlag,
    since: sinceFlag,
    until: instantFlag("until").pipe(
      Flag.withDescription("Only assessments before this instant"),
      Flag.optional
    ),
    out: pathFlag("out", "history.ndjson").pipe(
      Flag.withDescription("The file to write, whole or not at all (default: standard output)"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (options) {
    const out = Option.getOrNull(options.out)
    if (options.json && out === null) return yield* wrongUsage("evidence export", outRequired)
    const span = { since: Option.getOrNull(options.since), until: Option.getOrNull(options.until) }
    let [assessments, erased] = [0, 0]
    yield* withProgress({ title: "export", unit: "assessments" }, (progress) =>
      Effect.gen(function* () {
        const { id } = yield* organizationOf(options.org)
        const lines = exportChain({ organizationId: id, mode: options.mode }, span).pipe(
          Stream.map((stored) => {
            if (stored.erased) erased++
            else assessments++
            progress.at(assessments + erased, null)
            return Buffer.concat([stored.line, lineBreak])
          })
        )
        yield* writeWhole(out, lines)
      }).pipe(
        Effect.provide(
          Layer.mergeAll(AssessmentRecords.layer, Erasures.layer).pipe(Layer.provideMerge(Stores))
        )
      )
    )
    if (out === null) return
    const { mode, org } = options
    const document: typeof evidenceExportSchema.Encoded = {
      organization: org,
      mode,
      ...span,
      assessments,
      erased,
      out
    }
    yield* options.json
      ? Console.log(JSON.stringify(document))
      : Console.log(
          `${counted(assessments, "assessment")} of ${org}, ${mode}, in ${out}` +
            (erased === 0
              ? ""
              : `, and ${counted(erased, "entry of an erased one", "entries of erased ones")}`)
        )
  })
).pipe(
  Command.withDescription("Export stored assessments as NDJSON, oldest first, each with its evidence"),
  Command.withExamples([
    {
      command: "action-risk evidence export --org acme --mode live --since 2026-12-01 --out december.ndjson",
      description: "For `rules backtest`, and as a copy to keep elsewhere"
    },
    {
      command: "action-risk evidence export --org acme --mode test | jq .action_risk.level",
      description: "To standard output, one assessment on each line"
    }
  ])
)

const outRequired = new CliError.InvalidValue({
  option: "json",
  value: "true",
  expected: "used together with --out, because the export itself goes to standard output",
  kind: "flag"
})
