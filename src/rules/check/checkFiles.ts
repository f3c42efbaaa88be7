/** Checks that working files parse, match their schemas and make sense, and that frozen files are unchanged. */

import { Result, SemVer } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { readBytes } from "../../json/jsonText.ts"
import { ruleFileBytesMax } from "../../limits.ts"
import type { Finding, LocatedFinding, Read } from "../Finding.ts"
import { openPolicyRulebook, openRulebook, type Rulebook } from "../Rulebook.ts"
import { runCases, runPolicyCases } from "../cases/runCases.ts"
import { keepCompiled, openCompiled } from "../compiled/compiledFiles.ts"
import { inReadingOrder, locateFindings } from "../files/locate.ts"
import { entriesOf, listJson, packageRoot, type Root, unreadIn } from "../files/readTree.ts"
import { listPolicySets, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import { contentOf, statedText } from "../files/releaseDocument.ts"
import { checkDigests } from "../release/frozen.ts"
import { listReleases, loadDraft, openReleaseFiles, type Prepared } from "../release/loadRelease.ts"
import { catalogueFindings } from "./catalogueLints.ts"
import { boundaryFindings } from "./caseLints.ts"
import { examine, type ExaminedFile } from "./examine.ts"
import { type LintContext, lintFiles, readLintContext, withOwnRecommendations } from "./lintFiles.ts"

export interface CheckReport {
  /** True if there are no findings. */
  readonly ok: boolean
  /** Ascending by file, line, column. */
  readonly findings: ReadonlyArray<LocatedFinding>
  /** The number of working files that were checked. */
  readonly files: number
}

const requiredFiles = ["ruleset", "currencies", "calibration", "recommendations"].map(
  (name) => `rules/${name}.json`
)

const missingFiles = (root: Root): ReadonlyArray<Finding> =>
  requiredFiles
    .filter((file) => !existsSync(join(root, file)))
    .map((file) => ({ rule: "unreadable-file", file, path: [], message: "there is no such file" }))

/** Without factors no rule can raise a score, and no other check would notice such a folder. */
const noFactors = (files: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  files.some((file) => file.startsWith("rules/factors/"))
    ? []
    : [{ rule: "unreadable-file", file: "rules/factors", path: [], message: "there are no factors" }]

/** Findings that require all files together, opened as a release. */
const checkAsRelease = (root: Root, unclear: ReadonlySet<string>): ReadonlyArray<LocatedFinding> =>
  Result.match(openRulebook(root, "draft"), {
    onFailure: (findings) => locateFindings(root, findings),
    onSuccess: (draft) => [
      ...locateFindings(root, versionFindings(root, draft.release)),
      ...boundaryFindings(runCases(root, draft, { coverage: true }), unclear)
    ]
  })

/** A version identifies one set of rules, so working files that differ from the newest release need a higher version. */
const versionFindings = (root: Root, { files }: Prepared): ReadonlyArray<Finding> => {
  const newest = listReleases(root).at(-1)
  const stated = SemVer.parse(statedText(files.ruleset.json, "version"))
  if (newest === undefined || Result.isFailure(stated)) return []
  if (SemVer.isGreaterThan(stated.success, SemVer.parseUnsafe(newest))) return []
  const released = openReleaseFiles(root, newest)
  // The digest check reports releases that cannot be opened.
  if (Result.isFailure(released)) return []
  if (isDeepStrictEqual(contentOf(files), contentOf(released.success.files))) return []
  const message = `the working files differ from \`${newest}\`, the newest release, so their version must be above it`
  return [{ rule: "version-not-raised", file: files.ruleset.file, path: ["version"], message }]
}

/** `paths`: reports only findings in these files and folders below the root; everything if empty. */
export const checkRules = (root: Root, paths: ReadonlyArray<string> = []): CheckReport => {
  const digest = digestOfFolders(root, ["rules", "policies"])
  const clean = filesFoundClean(digest)
  if (clean !== undefined) return toCheckReport([], clean, paths)
  const { files, findings } = findInRules(root)
  if (findings.length === 0) keepClean(root, digest, files)
  return toCheckReport(findings, files, paths)
}

const isOfLexicon = (file: string): boolean => file.startsWith("rules/lexicon/")

const findInRules = (root: Root) => {
  // Lexicon lints read only the lexicon, and most changes are to rules and numbers.
  const lexicon = digestOfFolders(root, ["rules/lexicon"])
  const isClean = filesFoundClean(lexicon) !== undefined
  const examined = examine(root, "rules", (file) => isClean && isOfLexicon(file))
  const files = examined.map(({ file }) => file)
  const found = locateFindings(root, [
    ...missingFiles(root),
    ...noFactors(files),
    ...lintFiles(root, examined, readLintContext(root))
  ])
  const unclear = new Set(found.map(({ file }) => file))
  if (!isClean && ![...unclear].some(isOfLexicon)) keepClean(root, lexicon, files.filter(isOfLexicon))
  return { files, findings: [...found, ...checkAsRelease(root, unclear), ...checkDigests(root, "rules")] }
}

/** The files with this digest, if this version of the code has already checked them without findings. */
const filesFoundClean = (digest: string | undefined): ReadonlyArray<string> | undefined =>
  digest === undefined ? undefined : openCompiled<ReadonlyArray<string>>("checked", digest)

const keepClean = (root: Root, digest: string | undefined, files: ReadonlyArray<string>): void => {
  if (digest !== undefined && root === packageRoot) keepCompiled("checked", digest, files)
}

/** Undefined if something is a link or cannot be read. */
const digestOfFolders = (root: Root, names: ReadonlyArray<string>): string | undefined => {
  const digest = createHash("sha256")
  for (const folder of names.map((name) => join(root, name))) {
    const isPlain = entriesOf(folder, true).every((entry) => entry.isFile() || entry.isDirectory())
    if (!isPlain || unreadIn(root, folder).length > 0) return undefined
    for (const path of listJson(folder)) {
      const bytes = readBytes(path, frozen.test(path) ? Number.POSITIVE_INFINITY : ruleFileBytesMax)
      if (typeof bytes === "string") return undefined
      digest.update(`${relative(root, path)} ${bytes.length}\n`).update(bytes)
    }
  }
  return digest.digest("hex")
}

const frozen = /[/\\]releases[/\\]/

/** The working set with the working rules, or with the newest release if the working rules are unreadable. */
const openOver = (draft: Read<Prepared>, root: Root, set: string): Read<Rulebook> =>
  Result.match(draft, {
    onFailure: () => openPolicyRulebook(root, set, "draft"),
    onSuccess: (release) =>
      Result.map(loadPolicyVersion(root, set, "draft"), (policies) => ({ label: set, release, policies }))
  })

/** Findings that require all files of a set together. */
const checkAsSet = (
  root: Root,
  book: Read<Rulebook>,
  examined: ReadonlyArray<ExaminedFile>,
  unclear: ReadonlySet<string>
): ReadonlyArray<LocatedFinding> =>
  Result.match(book, {
    onFailure: (findings) => locateFindings(root, findings),
    onSuccess: (opened) =>
      examined.some(({ cases }) => cases !== undefined)
        ? boundaryFindings(runPolicyCases(root, opened, { coverage: true }), unclear)
        : []
  })

interface PolicyChecks {
  /** Opened once for all sets, because opening takes most of the time. */
  readonly draft: Read<Prepared>
  readonly context: LintContext
  /** An ISO date, for entries past their review date. */
  readonly today: string | null
}

const checkPolicySet = (root: Root, set: string, { context, draft, today }: PolicyChecks) => {
  const examined = examine(root, `policies/${set}`)
  const model = Result.isSuccess(draft) ? draft.success.model : null
  const found = locateFindings(root, [
    ...lintFiles(root, examined, withOwnRecommendations(context, examined)),
    ...catalogueFindings(examined, model, today)
  ])
  const unclear = new Set(found.map(({ file }) => file))
  return {
    files: examined.map(({ file }) => file),
    findings: [...found, ...checkAsSet(root, openOver(draft, root, set), examined, unclear)]
  }
}

/** Checks `set`, or every set. `today`: an ISO date; without it, no catalogue entry counts as expired. */
export const checkPolicies = (root: Root, set?: string, today: string | null = null): CheckReport => {
  const checks = { draft: loadDraft(root), context: readLintContext(root), today }
  const sets = set === undefined ? listPolicySets(root) : [set]
  const checked = sets.map((name) => checkPolicySet(root, name, checks))
  const frozen = checkDigests(root, "policies").filter(
    ({ file }) => set === undefined || file.startsWith(`policies/releases/${set}@`)
  )
  return toCheckReport(
    [...checked.flatMap(({ findings }) => findings), ...frozen],
    checked.flatMap(({ files }) => files),
    []
  )
}

/** Removes duplicates, sorts in reading order, and keeps only findings below `paths` (all if empty). */
const toCheckReport = (
  findings: ReadonlyArray<LocatedFinding>,
  files: ReadonlyArray<string>,
  paths: ReadonlyArray<string>
): CheckReport => {
  const isSelected = (file: string) =>
    paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`))
  const own = new Map(
    findings.filter(({ file }) => isSelected(file)).map((finding) => [JSON.stringify(finding), finding])
  )
  return {
    ok: own.size === 0,
    findings: [...own.values()].toSorted(inReadingOrder),
    files: files.filter(isSelected).length
  }
}
