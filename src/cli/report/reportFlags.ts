/** The flags of `rules report` and `policies report`. */

import { type Command, Flag } from "effect/cli"
import { historyFlags } from "../backtest/historyFlags.ts"
import { json } from "../options/json.ts"
import { pathFlag } from "../options/path.ts"
import { reportFormat } from "../options/reportFormat.ts"

export const reportFlags = {
  ...historyFlags,
  history: historyFlags.history.pipe(Flag.optional),
  out: pathFlag("out", "report.html").pipe(
    Flag.withDescription(
      "The file to write, whole or not at all (default: report.html for a page, standard output for Markdown)"
    ),
    Flag.optional
  ),
  format: reportFormat,
  json
}

export type ReportOptions = Command.Command.Config.Infer<typeof reportFlags>
