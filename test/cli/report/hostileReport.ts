/** The example report with hostile texts: every name, message and request attempts to inject markup. */

import type { Report } from "../../../src/cli/report/Report.ts"
import { exampleReport } from "./exampleReport.ts"

/** Ends with a character that reverses the direction of the following text. */
const attempt = `</code><script>alert('1')</script>" onload="x | [a](javascript:x) @everyone *b* www.evil.example ](\u202e`

/** Every text except the few words that the code itself chooses. */
const free = new Set([
  "label",
  "version",
  "digest",
  "file",
  "message",
  "suggestion",
  "rule",
  "code",
  "summary",
  "covers",
  "history",
  "text",
  "assessmentId",
  "action_type",
  "destination",
  "of"
])

const harm = (value: unknown, key: string): unknown => {
  if (typeof value === "string") return free.has(key) || key === "details" ? attempt + value : value
  if (Array.isArray(value)) return value.map((item) => harm(item, key))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, harm(inner, name)]))
}

export const hostileReport: Report = { ...(harm(exampleReport, "") as Report), of: exampleReport.of }
