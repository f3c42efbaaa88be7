/** The gates between working files and a release, in their order; each can be asked by itself. */

import { Result, SemVer } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { LocatedFinding } from "../Finding.ts"
import type { Rulebook } from "../Rulebook.ts"
import { readSampleSituations } from "../counterexample/sampleSituations.ts"
import { locateFindings } from "../files/locate.ts"
import type { ReleaseCandidate } from "./Candidate.ts"
import { type Gate, type GateName, gateNames } from "./freeze.ts"
import { gateFinding, proveGate } from "./proveGate.ts"

interface GateResult {
  readonly says: string
  readonly findings: ReadonlyArray<LocatedFinding>
  /** Where findings alone do not say it. */
  readonly ok?: boolean
}

/** Null: nothing is there to look at, which an earlier gate has said. */
type GateCheck = () => GateResult | null | Promise<GateResult | null>

const runGate = async (name: GateName, look: GateCheck): Promise<Gate> => {
  const startedAtMs = performance.now()
  const told = await look()
  const ms = Math.round(performance.now() - startedAtMs)
  if (told === null) return { name, outcome: "not run", ms, says: "the files cannot be read", findings: [] }
  const { findings, says, ok = findings.length === 0 } = told
  return { name, outcome: ok ? "passed" : "failed", ms, says, findings }
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** Whether a score could differ from the newest release; false where the files cannot be read, which `check` says. */
const scoresMove = ({ before, draft, scoringParts }: ReleaseCandidate): boolean => {
  if (before === null) return true
  if (Result.isFailure(before) || Result.isFailure(draft)) return false
  return !isDeepStrictEqual(scoringParts(before.success), scoringParts(draft.success))
}

/** `accepted`: the codes that may score lower than before. */
export const releaseGates = (
  candidate: ReleaseCandidate,
  accepted: ReadonlyArray<string>
): ReadonlyArray<() => Promise<Gate>> => {
  const { before, changelog, check, differing, draft, newest, root, stated, test, version } = candidate
  const moves = scoresMove(candidate)
  const entry = changelog.entries.find((entry) => entry.version === version)
  const withDraft =
    (look: (draft: Rulebook) => GateResult | Promise<GateResult>): GateCheck =>
    () =>
      Result.isFailure(draft) ? null : look(draft.success)

  const looks: Readonly<Record<GateName, GateCheck>> = {
    version: () => ({
      says: newest === null ? "the first release" : `${newest} → ${version}`,
      findings: versionFindings(candidate, moves)
    }),
    changelog: () => {
      const items = entry?.items ?? []
      const stars = items.filter((item) => item.moves).length
      return {
        says: entry === undefined ? "no entry" : `${countOf(items.length, "change")}, ${stars} with ★`,
        findings: changelogFindings(candidate, moves, accepted)
      }
    },
    check: () => {
      const { files, findings, ok } = check()
      return { ok, findings, says: `${countOf(files, "file")}, ${countOf(findings.length, "finding")}` }
    },
    evaluators: withDraft(async (draft) => {
      const names = await differing(draft)
      return {
        says: names.length === 0 ? "both say the same around every boundary" : "they differ",
        findings: locateFindings(
          root,
          names.map((name) => ({
            rule: "evaluators-differ",
            file: stated.file,
            path: [],
            message: `the two evaluators differ on \`${name}\``
          }))
        )
      }
    }),
    test: withDraft((draft) => {
      const { cases, findings, ok } = test(draft)
      return { ok, findings, says: `${countOf(cases.total, "case")}, ${cases.failed} failed` }
    }),
    prove: withDraft((draft) => {
      if (before === null) return { says: "nothing was released before", findings: [] }
      return Result.match(before, {
        onFailure: (findings) => ({
          says: `${newest} cannot be read`,
          findings: locateFindings(root, findings)
        }),
        onSuccess: (before) =>
          proveGate(before, draft, accepted, {
            file: changelog.file,
            line: entry?.line ?? 1,
            sampleSituations: readSampleSituations(root)
          })
      })
    })
  }
  return gateNames.map((name) => () => runGate(name, looks[name]))
}

/** Whether the version is the next one: stated by the files, above the newest, and raised by enough. */
type Versioned = Pick<ReleaseCandidate, "root" | "newest" | "version" | "stated">

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

/**
 * Whether the changelog tells of the version: what changed, what can move a score, and why something may score lower.
 * Of the same major and minor version.
 */
const isPatch = (newest: string | null, version: string): boolean =>
  newest !== null && newest !== version && newest.replace(/\.\d+$/, "") === version.replace(/\.\d+$/, "")

/** `moves`: whether a score could differ from the newest release; `accepted`: codes that may score lower. */
export const changelogFindings = (
  {
    changelog: { entries, file },
    newest,
    version
  }: Pick<ReleaseCandidate, "changelog" | "newest" | "version">,
  moves: boolean,
  accepted: ReadonlyArray<string>
): ReadonlyArray<LocatedFinding> => {
  const finding = gateFinding("missing-changelog", file)
  const entry = entries.find((entry) => entry.version === version)
  const [first] = entries
  if (entry === undefined) {
    const where = first?.line ?? 1
    return [finding(where, `there is no entry for \`${version}\`: say what changed`, `## ${version}`)]
  }
  const { items, line } = entry
  const unexplained = accepted.filter((code) => items.every((item) => item.accepted?.code !== code))
  return [
    ...(entry === first ? [] : [finding(line, `\`${version}\` is the newest and stands first`)]),
    ...(items.length > 0
      ? []
      : [finding(line, "the entry is empty: say what changed, one `- ` for each change")]),
    ...(moves && items.length > 0 && !items.some((item) => item.moves)
      ? [finding(line, "scores can move, and no item has the ★ that says so", "- ★ …")]
      : []),
    ...(isPatch(newest, version) && items.some((item) => item.moves)
      ? [finding(line, "an item has a ★, and what can move a score is no patch")]
      : []),
    ...unexplained.map((code) =>
      finding(
        line,
        `no item says why \`${code}\` may score lower than before`,
        `- ★ Accepted lower: ${code}, because …`
      )
    )
  ]
}
