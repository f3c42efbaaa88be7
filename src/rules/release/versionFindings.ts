/** Whether the version is the next one: stated by the files, above the newest, and raised by enough. */

import { SemVer } from "effect"
import { locateFindings } from "../locate.ts"
import type { LocatedFinding } from "../LocatedFinding.ts"
import type { Candidate } from "./Candidate.ts"

type Versioned = Pick<Candidate, "root" | "newest" | "version" | "stated">

/** The least version that may follow: words alone need a patch, whatever can move a score at least a minor. */
const leastAfter = (newest: string, moves: boolean): string => {
  const before = SemVer.parseUnsafe(newest)
  return SemVer.format(moves ? SemVer.bumpMinor(before) : SemVer.bumpPatch(before))
}

const isBelow = (version: string, least: string): boolean =>
  SemVer.isLessThan(SemVer.parseUnsafe(version), SemVer.parseUnsafe(least))

const tooLow = ({ newest, version }: Versioned, moves: boolean): string | null => {
  if (newest === null) return null
  const patch = leastAfter(newest, false)
  if (isBelow(version, patch)) {
    return `the newest release is \`${newest}\`, and what is released never changes: release \`${patch}\` or higher`
  }
  const minor = leastAfter(newest, true)
  return moves && isBelow(version, minor)
    ? `scores can move since \`${newest}\`, so this is no patch: release \`${minor}\` or higher`
    : null
}

/** `moves`: whether a score could differ from the newest release. */
export const versionFindings = (candidate: Versioned, moves: boolean): ReadonlyArray<LocatedFinding> => {
  const { root, stated, version } = candidate
  const problem = tooLow(candidate, moves)
  const message =
    problem ?? (stated.version === version ? null : `\`${version}\` is to be released: the files must say so`)
  return message === null
    ? []
    : locateFindings(root, [
        {
          rule: "version-not-raised",
          file: stated.file,
          path: ["version"],
          message,
          ...(problem === null ? { suggestion: version } : {})
        }
      ])
}
