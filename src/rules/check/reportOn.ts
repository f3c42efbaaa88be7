/** Findings as a report: the asked-for files only, in reading order, each finding once. */

import type { LocatedFinding } from "../LocatedFinding.ts"
import { inReadingOrder } from "../locate.ts"
import type { CheckReport } from "./CheckReport.ts"

/** `paths` are files and folders below the root; none means all. */
export const reportOn = (
  findings: ReadonlyArray<LocatedFinding>,
  files: ReadonlyArray<string>,
  paths: ReadonlyArray<string>
): CheckReport => {
  const asked = (file: string) =>
    paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`))
  const own = new Map(
    findings.filter(({ file }) => asked(file)).map((finding) => [JSON.stringify(finding), finding])
  )
  return {
    ok: own.size === 0,
    findings: [...own.values()].toSorted(inReadingOrder),
    files: files.filter(asked).length
  }
}
