/** `action-risk evidence export`: stored assessments as NDJSON, one exact body of the API on each line, oldest first. */

import { Console, Effect, Layer, Option, Stream } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { exportChain } from "../../../assessment/exportEvidence.ts"
import { AssessmentRecords } from "../../../storage/AssessmentRecords.ts"
import { Erasures } from "../../../storage/Erasures.ts"
import { instant } from "../../options/instant.ts"
import { json } from "../../options/json.ts"
import { mode } from "../../options/mode.ts"
import { org, organizationOf } from "../../options/organization.ts"
import { pathFlag } from "../../options/path.ts"
import { withProgress } from "../../progress.ts"
import type { evidenceExportShape } from "../../shapes/evidence/export.ts"
import { Stores } from "../../Stores.ts"
import { writeWhole } from "../../writeWhole.ts"
import { wrongUsage } from "../../wrongUsage.ts"

const lineBreak = Buffer.from("\n")

export const exportCommand = Command.make(
  "export",
  {
    org,
    mode,
    since: instant("since").pipe(
      Flag.withDescription("Only assessments from this instant on"),
      Flag.optional
    ),
    until: instant("until").pipe(Flag.withDescription("Only assessments before this instant"), Flag.optional),
    out: pathFlag("out", "history.ndjson").pipe(
      Flag.withDescription("The file to write, whole or not at all (default: standard output)"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* (options) {
    const out = Option.getOrNull(options.out)
    if (options.json && out === null) return yield* wrongUsage("evidence export", needsOut)
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
    const told: typeof evidenceExportShape.Encoded = {
      organization: org,
      mode,
      ...span,
      assessments,
      erased,
      out
    }
    yield* options.json
      ? Console.log(JSON.stringify(told))
      : Console.log(
          `${assessments.toLocaleString("en-US")} assessments of ${org}, ${mode}, in ${out}` +
            (erased === 0 ? "" : `, and the entries of ${erased.toLocaleString("en-US")} erased ones`)
        )
  })
).pipe(
  Command.withDescription("Export stored assessments as NDJSON, oldest first, each with its evidence"),
  Command.withExamples([
    {
      command: "action-risk evidence export --org acme --mode live --since 2026-12-01 --out december.ndjson",
      description: "For `rules backtest`, and for whoever keeps a copy"
    },
    {
      command: "action-risk evidence export --org acme --mode test | jq .action_risk.level",
      description: "To standard output, one assessment on each line"
    }
  ])
)

const needsOut = new CliError.InvalidValue({
  option: "json",
  value: "true",
  expected: "used together with --out, because the export itself goes to standard output",
  kind: "flag"
})
