/** The gates between working files and a release, and the report of a release. */

import { Result, SemVer } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { LocatedFinding } from "../Finding.ts"
import type { Rulebook } from "../Rulebook.ts"
import { moveText } from "../ScoreAndControl.ts"
import { readCorpus } from "../corpus/Corpus.ts"
import type { PlacelessCall } from "../corpus/callGroups.ts"
import { catalogueCode, diffCatalogues } from "../diff/diffCatalogue.ts"
import { locateFindings } from "../files/locate.ts"
import type { ReleaseCandidate } from "./Candidate.ts"
import type { ChangelogEntry } from "./changelog.ts"
import type { FrozenRelease } from "./frozen.ts"
import { gateFinding, type GateResult, proveGate } from "./proveGate.ts"

/** In the order in which they run. */
export const gateNames = ["version", "changelog", "check", "evaluators", "test", "prove"] as const
export type GateName = (typeof gateNames)[number]

export interface Gate {
  readonly name: GateName
  /** `not run`: the working files are unreadable, which an earlier gate reports. */
  readonly outcome: "passed" | "failed" | "not run"
  readonly ms: number
  /** The result in a few words. */
  readonly says: string
  /** Only warnings if the gate passed. */
  readonly findings: ReadonlyArray<LocatedFinding>
}

export interface ReleaseReport {
  /** True if every gate passed. */
  readonly ok: boolean
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
  /** The newest release before this one; null for the first release. */
  readonly from: string | null
  readonly gates: ReadonlyArray<Gate>
  /** The written release; null after a failed gate or a dry run. */
  readonly frozen: FrozenRelease | null
}

/** Null if the gate cannot run because the working files are unreadable. An earlier gate reports that. */
type GateCheck = () => GateResult | null | Promise<GateResult | null>

const runGate = async (name: GateName, check: GateCheck): Promise<Gate> => {
  const startedAtMs = performance.now()
  const result = await check()
  const ms = Math.round(performance.now() - startedAtMs)
  if (result === null) return { name, outcome: "not run", ms, says: "the files cannot be read", findings: [] }
  const { findings, says, ok = findings.length === 0 } = result
  return { name, outcome: ok ? "passed" : "failed", ms, says, findings }
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Whether a score or a control can differ from the newest release. False if the files are unreadable, which `check` reports. */
const opinionsMove = ({ before, draft, scoringParts }: ReleaseCandidate): boolean => {
  if (before === null) return true
  if (Result.isFailure(before) || Result.isFailure(draft)) return false
  return !isDeepStrictEqual(scoringParts(before.success), scoringParts(draft.success))
}

const entryOf = ({ changelog, version }: ReleaseCandidate): ChangelogEntry | undefined =>
  changelog.entries.find((entry) => entry.version === version)

/**
 * Every gate of a release, in order. `accepted`: the codes that may lower scores or weaken controls. `further`: calls in addition to those
 * of this installation, for comparing changed knowledge.
 */
export const releaseGates = (
  candidate: ReleaseCandidate,
  accepted: ReadonlyArray<string>,
  further: ReadonlyArray<PlacelessCall> = []
): ReadonlyArray<() => Promise<Gate>> => {
  const { draft } = candidate
  const moves = opinionsMove(candidate)
  const withDraft =
    (check: (draft: Rulebook) => GateResult | Promise<GateResult>): GateCheck =>
    () =>
      Result.isFailure(draft) ? null : check(draft.success)
  const checks: Readonly<Record<GateName, GateCheck>> = {
    version: () => checkVersion(candidate, moves),
    changelog: () => checkChangelog(candidate, moves, accepted),
    check: () => checkWorkingFiles(candidate),
    evaluators: withDraft((rulebook) => compareEvaluators(candidate, rulebook)),
    test: withDraft((rulebook) => runTests(candidate, rulebook)),
    prove: withDraft((rulebook) => proveNothingFalls(candidate, rulebook, accepted, further))
  }
  return gateNames.map((name) => () => runGate(name, checks[name]))
}

const checkVersion = (candidate: ReleaseCandidate, moves: boolean): GateResult => ({
  says: candidate.newest === null ? "the first release" : `${candidate.newest} → ${candidate.version}`,
  findings: versionFindings(candidate, moves)
})

const checkChangelog = (
  candidate: ReleaseCandidate,
  moves: boolean,
  accepted: ReadonlyArray<string>
): GateResult => {
  const entry = entryOf(candidate)
  const items = entry?.items ?? []
  const stars = items.filter((item) => item.moves).length
  return {
    says: entry === undefined ? "no entry" : `${countOf(items.length, "change")}, ${stars} with ★`,
    findings: changelogFindings(candidate, moves, accepted)
  }
}

const checkWorkingFiles = ({ check }: ReleaseCandidate): GateResult => {
  const { files, findings, ok } = check()
  return { ok, findings, says: `${countOf(files, "file")}, ${countOf(findings.length, "finding")}` }
}

const compareEvaluators = async (
  { differing, root, stated }: ReleaseCandidate,
  draft: Rulebook
): Promise<GateResult> => {
  const names = await differing(draft)
  return {
    says: names.length === 0 ? "both agree around every boundary" : "they differ",
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
}

const runTests = ({ test }: ReleaseCandidate, draft: Rulebook): GateResult => {
  const { cases, findings, ok } = test(draft)
  return { ok, findings, says: `${countOf(cases.total, "case")}, ${cases.failed} failed` }
}

const proveNothingFalls = (
  candidate: ReleaseCandidate,
  draft: Rulebook,
  accepted: ReadonlyArray<string>,
  further: ReadonlyArray<PlacelessCall>
): GateResult => {
  const { before, changelog, newest, root } = candidate
  if (before === null) return { says: "nothing was released before", findings: [] }
  return Result.match(before, {
    onFailure: (findings) => ({
      says: `${newest} cannot be read`,
      findings: locateFindings(root, findings)
    }),
    onSuccess: (before) => {
      const place = { file: changelog.file, line: entryOf(candidate)?.line ?? 1 }
      const ofCatalogue = accepted.filter((code) => code.startsWith(catalogueCode))
      const rules = accepted.filter((code) => !ofCatalogue.includes(code))
      const proof = proveGate(before, draft, rules, {
        ...place,
        corpus: readCorpus(root, further)
      })
      const findings = [...proof.findings, ...loweringEntries(before, draft, ofCatalogue, place)]
      return { says: proof.says, findings }
    }
  })
}

/** Catalogue entries that lower or weaken something without acceptance, and accepted ones that do not. */
export const loweringEntries = (
  before: Rulebook,
  draft: Rulebook,
  accepted: ReadonlyArray<string>,
  { file, line }: { readonly file: string; readonly line: number }
): ReadonlyArray<LocatedFinding> => {
  const finding = gateFinding("could-score-lower", file)
  const lowering = diffCatalogues(before, draft).filter(({ kind }) => kind === "looser" || kind === "moved")
  const open = lowering.filter(({ code }) => !accepted.includes(code))
  const superfluous = accepted.filter((code) => lowering.every((change) => change.code !== code))
  return [
    ...open.map(({ code, witness }) =>
      finding(
        line,
        witness === undefined
          ? `\`${code}\` lowers a score or weakens a control`
          : `this request ${moveText(witness)} by \`${code}\`: ${JSON.stringify(witness.request)}`,
        `--accept-lower ${code}, with the reason in this changelog`
      )
    ),
    ...superfluous.map((code) =>
      finding(
        line,
        `nothing scores lower or gets a weaker control by \`${code}\`, so there is nothing to accept`
      )
    )
  ]
}

type Versioned = Pick<ReleaseCandidate, "root" | "newest" | "version" | "stated">

/** The lowest version that may follow: a patch if only texts change, a minor version if a score or a control can change. */
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
    return `the newest release is \`${newest}\`, and a release never changes: release \`${patch}\` or higher`
  }
  const minor = leastAfter(newest, true)
  return moves && isBelow(version, minor)
    ? `scores or controls can move since \`${newest}\`, so this is not a patch: release \`${minor}\` or higher`
    : null
}

/** Checks that the files state the version and that it is high enough. `moves`: whether a score or a control can change. */
export const versionFindings = (candidate: Versioned, moves: boolean): ReadonlyArray<LocatedFinding> => {
  const { root, stated, version } = candidate
  const problem = tooLow(candidate, moves)
  const message =
    problem ??
    (stated.version === version
      ? null
      : `\`${version}\` is about to be released: the files must state that version`)
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

/** Whether both versions have the same major and minor numbers. */
const isPatch = (newest: string | null, version: string): boolean =>
  newest !== null && newest !== version && newest.replace(/\.\d+$/, "") === version.replace(/\.\d+$/, "")

/**
 * Checks that the changelog has an entry for the version, with a star on changes that affect scores or controls and a reason for each code
 * that may lower them. `moves`: whether a score or a control can change. `accepted`: the codes that may lower one.
 */
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
    ...(entry === first ? [] : [finding(line, `\`${version}\` is the newest and belongs first`)]),
    ...(items.length > 0
      ? []
      : [finding(line, "the entry is empty: say what changed, one `- ` for each change")]),
    ...(moves && items.length > 0 && !items.some((item) => item.moves)
      ? [finding(line, "scores or controls can move, but no item has the ★ that says so", "- ★ …")]
      : []),
    ...(isPatch(newest, version) && items.some((item) => item.moves)
      ? [finding(line, "an item has a ★, but a change that can move a score or a control is not a patch")]
      : []),
    ...unexplained.map((code) =>
      finding(
        line,
        `no item says why \`${code}\` may lower a score or weaken a control`,
        `- ★ Accepted lower: ${code}, because …`
      )
    )
  ]
}
