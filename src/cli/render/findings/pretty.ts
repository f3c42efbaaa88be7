/** Findings for people: by file, each with its place, the line it is about, what to write instead, and where it is explained. */

import type { LocatedFinding } from "../../../rules/LocatedFinding.ts"
import type { Sheet } from "../Sheet.ts"
import { wrap } from "../wrap.ts"
import { closing } from "./closing.ts"
import { excerpt } from "./excerpt.ts"
import type { FindingsPage } from "./FindingsPage.ts"
import { lintPage } from "./lintPage.ts"
import type { LineOf } from "./sourceLines.ts"

const indent = (lines: ReadonlyArray<string>, by: string): ReadonlyArray<string> =>
  lines.map((line) => `${by}${line}`)

export const renderFinding = (
  sheet: Sheet,
  finding: LocatedFinding,
  line?: string
): ReadonlyArray<string> => {
  const { column, file, line: at, message, rule, severity, suggestion } = finding
  const colour = severity === "error" ? "red" : "yellow"
  const shown = excerpt(line, finding, sheet.width - 6)
  const page = lintPage(rule)
  return [
    `${sheet.ink("cyan", `${file}:${at}:${column}`)} ${sheet.ink(colour, severity)} ${sheet.ink("dim", rule)}`,
    ...indent(wrap(message, sheet.width - 2), "  "),
    ...(shown === null ? [] : indent([shown.text, sheet.ink(colour, shown.marks)], "    ")),
    ...(suggestion === undefined ? [] : [`  write ${sheet.ink("green", suggestion)}`]),
    ...(page === null ? [] : [sheet.ink("dim", `  see ${page}`)])
  ]
}

export const renderPretty = (sheet: Sheet, page: FindingsPage, lineOf: LineOf): string => {
  const blocks = page.findings.map((finding) =>
    renderFinding(sheet, finding, lineOf(finding.file, finding.line)).join("\n")
  )
  const style = page.findings.length === 0 ? "green" : "bold"
  return [...blocks, sheet.ink(style, closing(page))].join("\n\n")
}
