/** The answers of a report in the terminal, and where the rest of it is. */

import type { Sheet, Style } from "../Sheet.ts"
import { table } from "../table.ts"
import { answersOf, type State } from "./answers.ts"
import type { Report } from "./Report.ts"

const marks: Readonly<Record<State, { readonly text: string; readonly style: Style }>> = {
  good: { text: "✓", style: "green" },
  look: { text: "!", style: "yellow" },
  bad: { text: "✕", style: "red" },
  none: { text: "–", style: "dim" }
}

export const renderAnswers = (sheet: Sheet, report: Report, out: string): string =>
  [
    sheet.ink("bold", `${report.from.label} → ${report.to.label}`),
    "",
    ...table(
      sheet,
      answersOf(report).map(({ question, state, statement }) => [marks[state], question, statement])
    ),
    "",
    `Everything else is in ${out}`
  ].join("\n")
