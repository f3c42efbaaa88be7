/** `action-risk evidence export`: writes stored assessments as NDJSON. Each line is one body of the API, byte for byte, oldest first. */

import { Effect, Layer, Schema, Stream } from "effect"
import { Flag } from "effect/cli"
import { Erasures } from "../../evidence/Erasures.ts"
import { exportChain, exportOcsf } from "../../evidence/exportEvidence.ts"
import { AssessmentRecords } from "../../storage/assessments/AssessmentRecords.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { lines } from "../Terminal.ts"
import { wrongFlag } from "../commandFailures.ts"
import { databaseSettings, elseNull, flagOr, instantFlag, outFlag, ownerFlags, sinceFlag } from "../flags.ts"
import { int, members, nullOr, ownerFields, string } from "../jsonShapes.ts"
import { withLineBreak, writeWhole } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import { counted } from "../texts.ts"
import { verb } from "../verb.ts"

const exportFormats = ["evidence", "ocsf"] as const

export const evidenceExportShape = members({
  ...ownerFields,
  format: Schema.Literals(exportFormats),
  since: nullOr(Schema.String, "From this date-time on; null: no limit."),
  until: nullOr(Schema.String, "Before this date-time; null: no limit."),
  assessments: int("Assessments in the file."),
  findings: int("Lines with a Detection Finding; 0 in the format evidence."),
  erased: int("Lines with the entry of an erased assessment; 0 in the format ocsf."),
  out: string("The file, as given.")
})

interface ExportedLine {
  readonly line: Uint8Array
  readonly findings: number
  readonly erased: boolean
}

type Counts = Pick<typeof evidenceExportShape.Type, "assessments" | "findings" | "erased">

/** The lines of an export. Two lines about one assessment come in one step. */
const linesOf = (format: (typeof exportFormats)[number], ...of: Parameters<typeof exportChain>) =>
  format === "ocsf"
    ? Stream.map(exportOcsf(...of), (events): ExportedLine => ({
        line: Buffer.from(events.join("\n")),
        findings: events.length - 1,
        erased: false
      }))
    : Stream.map(exportChain(...of), (read): ExportedLine => ({ ...read, findings: 0 }))

const countsText = ({ assessments, erased, findings }: Counts): string =>
  lines(
    counted(assessments, "assessment"),
    findings > 0 && counted(findings, "finding"),
    erased > 0 && counted(erased, "entry of an erased one", "entries of erased ones")
  ).join(", ")

export const exportEvidenceVerb = verb({
  about: "Export stored assessments as NDJSON, oldest first, each with its evidence",
  takes: {
    ...ownerFlags,
    since: sinceFlag,
    until: elseNull(instantFlag("until"), "Only assessments before this instant"),
    format: flagOr(
      Flag.Literals("format", exportFormats),
      "evidence",
      "evidence: each assessment as the API returns it, with its seal; ocsf: events of OCSF 1.8.0 for security tools (default: evidence)"
    ),
    out: outFlag("history.ndjson")
  },
  prints: evidenceExportShape,
  fails: "there is no such organization, or the file cannot be written",
  reads: databaseSettings,
  examples: {
    "--org acme --mode live --since 2026-12-01 --out december.ndjson":
      "For `rules backtest`, and as a copy to keep elsewhere",
    "--org acme --mode live --since 1h --format ocsf":
      "API Activity and Detection Findings, for a security data lake",
    "--org acme --mode test | jq .action_risk.level": "To standard output, one assessment on each line"
  },
  run: Effect.fnUntraced(function* (options) {
    const { format, mode, org, out, since, until } = options
    if (options.json && out === null) return yield* outRequired
    const span = { since, until }
    const counts = { assessments: 0, findings: 0, erased: 0 }
    yield* withProgress({ title: "export", unit: "assessments" }, (progress) =>
      Effect.gen(function* () {
        const stored = linesOf(format, yield* ownerOf(org, mode), span)
        const written = stored.pipe(
          Stream.map(({ erased, findings, line }) => {
            counts[erased ? "erased" : "assessments"] += 1
            counts.findings += findings
            progress.at(counts.assessments + counts.erased, null)
            return withLineBreak(line)
          })
        )
        yield* writeWhole(out, written)
      }).pipe(
        Effect.provide(
          Layer.mergeAll(AssessmentRecords.layer, Erasures.layer).pipe(Layer.provideMerge(Stores))
        )
      )
    )
    if (out === null) return
    return {
      json: () => ({ organization: org, mode, format, ...span, ...counts, out }),
      text: () => `${countsText(counts)} of ${org}, ${mode}, in ${out}`
    }
  })
})

const outRequired = wrongFlag(
  "json",
  "true",
  "used together with --out, because the export itself goes to standard output"
)
