/** Prints what a check says, and ends with 1 where it found something. */

import { Console, Effect } from "effect"
import type { CheckReport } from "../rules/check/CheckReport.ts"
import { packageRoot } from "../rules/packageRoot.ts"
import { Found } from "./Found.ts"
import type { Format } from "./options/format.ts"
import { renderFindings } from "./render/findings.ts"
import type { checkShape } from "./shapes/rules/check.ts"

interface Options {
  readonly json: boolean
  readonly format: Format
}

export const printCheck = Effect.fn("cli.printCheck")(function* (
  command: string,
  report: CheckReport,
  { format, json }: Options
) {
  const document: typeof checkShape.Encoded = report
  const scope = `${report.files} ${report.files === 1 ? "file" : "files"}`
  yield* Console.log(
    json
      ? JSON.stringify(document, null, 2)
      : renderFindings(format, { command, scope, findings: report.findings }, packageRoot)
  )
  if (!report.ok) return yield* new Found()
})
