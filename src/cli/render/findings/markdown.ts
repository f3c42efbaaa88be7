/** Findings as a Markdown table, for a comment on a pull request. */

import type { LocatedFinding } from "../../../rules/LocatedFinding.ts"
import { closing } from "./closing.ts"
import type { FindingsPage } from "./FindingsPage.ts"
import { lintPage } from "./lintPage.ts"

/** Text of a cell: a bar would end it, and brackets, stars or tags would be taken for Markdown; code stays code. */
const cell = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/[\\*_[\]<>]/g, String.raw`\$&`)))
    .join("")
    .replaceAll("|", String.raw`\|`)

const row = ({ column, file, line, message, rule, severity, suggestion }: LocatedFinding): string => {
  const page = lintPage(rule)
  const named = page === null ? rule : `[${rule}](${page})`
  const instead =
    suggestion === undefined ? "" : `<br>write \`${suggestion.replaceAll("|", String.raw`\|`)}\``
  return `| ${severity} | ${named} | \`${file}:${line}:${column}\` | ${cell(message)}${instead} |`
}

export const renderMarkdown = (page: FindingsPage): string => {
  const heading = `### action-risk ${page.command}`
  const table = ["|   | Lint | Where | What |", "| - | - | - | - |", ...page.findings.map(row)]
  return [heading, "", ...(page.findings.length === 0 ? [] : [...table, ""]), `${closing(page)}.`].join("\n")
}
