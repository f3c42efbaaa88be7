/** What `action-risk rules release --json` and `policies release --json` print. */

import { Schema } from "effect"
import { gateNames, type ReleaseReport } from "../../rules/release/ReleaseReport.ts"
import { findingShape } from "./finding.ts"

const gateShape = Schema.Struct({
  gate: Schema.Literals(gateNames),
  outcome: Schema.Literals(["passed", "failed", "not run"]).annotate({
    description: "`not run`: the files cannot be read, which another gate tells."
  }),
  ms: Schema.Int,
  says: Schema.String.annotate({ description: "What it looked at, for people." }),
  findings: Schema.Array(findingShape)
})

export const releaseShape = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Every gate is passed." }),
  release: Schema.String.annotate({ description: "`1.1.0`, or of a policy set `starter@1.1.0`." }),
  from: Schema.NullOr(Schema.String).annotate({
    description: "The newest version before; null for a first release."
  }),
  dry_run: Schema.Boolean,
  gates: Schema.Array(gateShape).annotate({ description: "In the order in which they are passed." }),
  frozen: Schema.NullOr(
    Schema.Struct({
      file: Schema.String,
      digest: Schema.String.annotate({ description: "SHA-256, hex." }),
      released_at: Schema.String
    })
  ).annotate({ description: "What was written; null where a gate failed and in a dry run." })
})

export const releaseJson = (report: ReleaseReport, dryRun: boolean): typeof releaseShape.Type => ({
  ok: report.ok,
  release: report.name,
  from: report.from,
  dry_run: dryRun,
  gates: report.gates.map(({ name, ...gate }) => ({ gate: name, ...gate })),
  frozen:
    report.frozen === null
      ? null
      : {
          file: report.frozen.file,
          digest: report.frozen.digest,
          released_at: report.frozen.releasedAt
        }
})
