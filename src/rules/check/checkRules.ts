/** Checks the working rule files and everything frozen: does it parse, type-check, and make sense? */

import { existsSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { runCases } from "../cases/runCases.ts"
import { checkDigests } from "../digests.ts"
import type { LocatedFinding } from "../LocatedFinding.ts"
import { locateFindings } from "../locate.ts"
import { openRulebook } from "../openRulebook.ts"
import type { Finding } from "../Problem.ts"
import type { Root } from "../readTree.ts"
import { boundariesIn } from "./cases/boundaries.ts"
import type { CheckReport } from "./CheckReport.ts"
import { examine } from "./examine.ts"
import { lintFiles } from "./lintFiles.ts"
import { reportOn } from "./reportOn.ts"
import { readBackground } from "./background.ts"

const needed = ["ruleset", "currencies", "calibration", "recommendations"].map((name) => `rules/${name}.json`)

const missing = (root: Root): ReadonlyArray<Finding> =>
  needed
    .filter((file) => !existsSync(join(root, file)))
    .map((file) => ({ rule: "unreadable-file", file, path: [], message: "there is no such file" }))

/** Without them nothing raises a score, and everything else about such a folder is in order. */
const noFactors = (files: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  files.some((file) => file.startsWith("rules/factors/"))
    ? []
    : [{ rule: "unreadable-file", file: "rules/factors", path: [], message: "there are no factors" }]

/** What only shows when all files are taken together as a release. */
const asRelease = (root: Root, unclear: ReadonlySet<string>): ReadonlyArray<LocatedFinding> =>
  Result.match(openRulebook(root, "draft"), {
    onFailure: (findings) => locateFindings(root, findings),
    onSuccess: (draft) => boundariesIn(runCases(root, draft, { coverage: true }), unclear)
  })

/** `paths`: files and folders below the root that alone are reported on. */
export const checkRules = (root: Root, paths: ReadonlyArray<string> = []): CheckReport => {
  const examined = examine(root, "rules")
  const files = examined.map(({ file }) => file)
  const found = locateFindings(root, [
    ...missing(root),
    ...noFactors(files),
    ...lintFiles(root, examined, readBackground(root))
  ])
  const unclear = new Set(found.map(({ file }) => file))
  const findings = [...found, ...asRelease(root, unclear), ...checkDigests(root, "rules")]
  return reportOn(findings, files, paths)
}
