/** Prints what running cases gave, and ends with 1 where one fails or, with coverage, something is not reached. */

import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import type { CasesReport } from "../rules/cases/CasesReport.ts"
import { packageRoot } from "../rules/packageRoot.ts"
import { Found } from "./Found.ts"
import type { Format } from "./options/format.ts"
import { casesTable } from "./render/cases.ts"
import { renderFindings } from "./render/findings.ts"
import { terminal } from "./render/Sheet.ts"
import type { testShape } from "./shapes/rules/test.ts"

export const coverage = Flag.Boolean("coverage").pipe(
  Flag.withDescription("Also find the rules, answers and thresholds that no case of their own reaches"),
  Flag.withDefault(false),
  Flag.withoutNegation
)

export const casesJson = ({ coverage, ...report }: CasesReport): typeof testShape.Encoded => ({
  ...report,
  ...(coverage === undefined
    ? {}
    : {
        coverage: {
          ...coverage,
          gaps: coverage.gaps.map(({ code, kind, message, rule }) => ({ kind, code, rule, message }))
        }
      })
})

const scopeOf = ({ cases: { failed, total } }: CasesReport): string => {
  if (total === 0) return "no cases were run"
  return `${total} ${total === 1 ? "case" : "cases"}, ${failed === 0 ? "all hold" : `${failed} failed`}`
}

interface Options {
  readonly json: boolean
  readonly format: Format
}

export const printCases = Effect.fn("cli.printCases")(function* (
  command: string,
  report: CasesReport,
  { format, json }: Options
) {
  const { total } = report.cases
  const scope = scopeOf(report)
  const page = { command, scope, findings: report.findings }
  if (json) yield* Console.log(JSON.stringify(casesJson(report), null, 2))
  else {
    if (format === "pretty" && total > 0) yield* Console.log(`${casesTable(terminal(), report).join("\n")}\n`)
    yield* Console.log(renderFindings(format, page, packageRoot))
  }
  if (!report.ok) return yield* new Found()
})
