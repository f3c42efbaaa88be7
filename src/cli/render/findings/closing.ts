/** The last line of a report: how much was looked at and how much was found. */

import type { FindingsPage } from "./FindingsPage.ts"

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** `112 files, no findings`; `112 files, 1 error and 3 warnings` */
export const closing = ({ findings, scope }: FindingsPage): string => {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const parts = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : [])
  ]
  return `${scope}, ${parts.length === 0 ? "no findings" : parts.join(" and ")}`
}
