/** Findings as the workflow commands that GitHub Actions shows beside the lines of a pull request. */

import type { LocatedFinding } from "../../../rules/LocatedFinding.ts"
import { closing } from "./closing.ts"
import type { FindingsPage } from "./FindingsPage.ts"

const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

const renderFinding = ({
  column,
  file,
  line,
  message,
  rule,
  severity,
  suggestion
}: LocatedFinding): string => {
  const properties = { file, line: String(line), col: String(column), title: rule }
  const stated = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`)
  const instead = suggestion === undefined ? "" : ` (write: ${suggestion})`
  return `::${severity} ${stated.join(",")}::${escapeMessage(`${message}${instead}`)}`
}

export const renderGithub = (page: FindingsPage): string =>
  [...page.findings.map(renderFinding), `action-risk ${page.command}: ${closing(page)}`].join("\n")
