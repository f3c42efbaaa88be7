/** The subject of a verb (the rule releases after `rules`, the versions of one policy set after `policies`), and the calls for comparing two versions. */

import { Context, Effect, Result } from "effect"
import { Argument, Flag } from "effect/cli"
import { basename, join } from "node:path"
import { type Read, readEvery, reasonOf, RulesRefused } from "../../rules/Finding.ts"
import { openPolicyRulebook, openRulebook, type ReadRelease, type Rulebook } from "../../rules/Rulebook.ts"
import { readCorpus } from "../../rules/corpus/Corpus.ts"
import { collectedCalls } from "../../rules/corpus/callGroups.ts"
import { listJson, packageRoot, readSource } from "../../rules/files/readTree.ts"
import { readFactor, readTypology } from "../../rules/files/ruleFiles.ts"
import { didYouMean } from "../../rules/nearestName.ts"
import { listPolicySets, listPolicyVersions } from "../../rules/policies/loadPolicySet.ts"
import { listReleases } from "../../rules/release/loadRelease.ts"
import { refuse, wrongArgument } from "../commandFailures.ts"
import { expectedOneOf, flagOr, knownWord, pathFlag, textFlag } from "../flags.ts"

/** The first word of the command line. */
export type Noun = "rules" | "policies"

export type Subject = { readonly kind: "rules" } | { readonly kind: "policies"; readonly set: string }

export const ruleFiles: Subject = { kind: "rules" }

/** The value, or a refusal that lists what is wrong with the files. */
export const readOrRefuse = <A>(read: Read<A>): Effect.Effect<A, RulesRefused> =>
  Effect.fromResult(Result.mapError(read, RulesRefused.of))

const policySets = () => listPolicySets(packageRoot)

/** `<set>` of the policy commands. */
export const policySetArgument = knownWord(
  Argument.String("set").pipe(Argument.withDescription("A policy set: a folder under policies/")),
  policySets
)

interface SubjectArguments {
  readonly subject?: Argument.Argument<Subject>
}

/** The argument that names the subject, before every other argument: none for `rules`, the set for `policies`. */
export const subjectArguments: Readonly<Record<Noun, SubjectArguments>> = {
  rules: {},
  policies: { subject: policySetArgument.pipe(Argument.map((set): Subject => ({ kind: "policies", set }))) }
}

/** The rule versions that a command line may name. */
const releasesAndDraft = (): ReadonlyArray<string> => [...listReleases(packageRoot), "draft"]

/** A policy version is checked later by `checkVersions`, because the set is another argument. */
const versionArgument = (noun: Noun, name: string, description: string) => {
  const version = Argument.String(name).pipe(Argument.withDescription(description))
  return noun === "policies" ? version : knownWord(version, releasesAndDraft)
}

/** The description of a version that may also be the working files. */
export const versionOrDraft: Readonly<Record<Noun, string>> = {
  rules: "A rule release, or draft for the working files",
  policies: "A version of the set, or draft for the working files"
}

/** The two versions of a comparison, with their descriptions: each a frozen version, or `draft` for the working files. */
export const versionArguments = (noun: Noun, from: string, to: string) => ({
  from: versionArgument(noun, "from", from),
  to: versionArgument(noun, "to", to)
})

/** `--rules <v>`: a frozen release, or `draft` for the working files. */
export const rulesFlag = <const Else>(description: string, otherwise: Else) =>
  flagOr(knownWord(textFlag("rules", "version|draft"), releasesAndDraft), otherwise, description)

/** `--rules` of the verbs that show rules. */
export const shownReleaseFlag = rulesFlag("The release (default: the working files)", "draft")

/** `--rules` of the policy commands: the release under the working policy set. */
export const scoringReleaseFlag = rulesFlag(
  "The release that scores (default: RULES_VERSION, or the newest)",
  null
)

/** `--policies <set>`: the customer policies under which to score. */
export const policiesFlagOr = <const Else>(description: string, otherwise: Else) =>
  flagOr(knownWord(textFlag("policies", "set"), policySets), otherwise, description)

export const policiesFlag = policiesFlagOr("Policy set: a folder under policies/", "none")

export interface Versions {
  readonly from: string
  readonly to: string
}

/** A usage error if the policy set does not have one of the versions. */
export const checkVersions = Effect.fnUntraced(function* (subject: Subject, versions: Versions) {
  if (subject.kind === "rules") return
  const known = [...listPolicyVersions(packageRoot, subject.set), "draft"]
  for (const option of ["from", "to"] as const) {
    const value = versions[option]
    if (known.includes(value)) continue
    return yield* wrongArgument(option, value, `of ${subject.set} ${expectedOneOf(known)}`)
  }
})

/** Opens both versions of a comparison as rulebooks. An unknown one is a usage error. */
export const openVersions = Effect.fnUntraced(function* (subject: Subject, versions: Versions) {
  yield* checkVersions(subject, versions)
  return { from: yield* openVersion(subject, versions.from), to: yield* openVersion(subject, versions.to) }
})

/**
 * Opens the rules of this installation by version. A process that runs many commands can provide a function that opens each version once.
 */
export const OpenRules = Context.Reference("action-risk/OpenRules", {
  defaultValue:
    () =>
    (version: string): Read<Rulebook> =>
      openRulebook(packageRoot, version)
})

/** Opens a frozen version or `draft` as a rulebook. */
export const openVersion = (subject: Subject, version: string) =>
  Effect.flatMap(OpenRules, (openRules) =>
    readOrRefuse(
      subject.kind === "rules"
        ? openRules(version)
        : openPolicyRulebook(packageRoot, subject.set, version, openRules)
    )
  )

const sourcesIn = (folder: "factors" | "typologies", code: string | undefined) =>
  readEvery(
    listJson(join(packageRoot, "rules", folder))
      .filter((path) => !path.endsWith(".cases.json"))
      .filter((path) => code === undefined || basename(path, ".json") === code)
      .map((path) => readSource(packageRoot, path))
  )

/** The working factors and typologies without the lexicon, which takes seconds to open after a change to it. */
const readWorkingRules = (code: string | undefined): Read<ReadRelease> =>
  Result.gen(function* () {
    const files = {
      factors: yield* sourcesIn("factors", code),
      typologies: yield* sourcesIn("typologies", code)
    }
    const rules = {
      factors: (yield* readEvery(files.factors.map(readFactor))).flat(),
      typologies: (yield* readEvery(files.typologies.map(readTypology))).flat()
    }
    return { files, rules }
  })

/** The rules of a version, for showing and not for scoring. `code`: the one rule of the working files that is needed. */
export const readRulesOf = Effect.fnUntraced(function* (version: string, code?: string) {
  if (version === "draft") return yield* readOrRefuse(readWorkingRules(code))
  return (yield* openVersion(ruleFiles, version)).release satisfies ReadRelease
})

export const callsFlag = pathFlag(
  "calls",
  "path",
  "More calls to compare knowledge by: an NDJSON file with a command or a request on each line, or a folder of them"
).pipe(Flag.atLeast(0))

/** Refuses a path that cannot be read or contains no call. */
export const callsAt = (paths: ReadonlyArray<string>) =>
  Effect.forEach(paths, (path) =>
    Effect.try({
      try: () => [...collectedCalls(path).values()].flat(),
      catch: (cause) => refuse(`${path} cannot be read: ${reasonOf(cause)}`)
    }).pipe(
      Effect.filterOrFail(
        (calls) => calls.length > 0,
        () => refuse(`${path} has no call: expected \`command\` or a request on each line`)
      )
    )
  ).pipe(Effect.map((calls) => calls.flat()))

export const corpusWith = (paths: ReadonlyArray<string>) =>
  Effect.map(callsAt(paths), (calls) => readCorpus(packageRoot, calls))

/** A usage error that suggests the nearest known name, or the command `list` that lists the names. */
export const unknownName = (
  argument: string,
  written: string,
  known: ReadonlyArray<string>,
  list: string
) => {
  const spelled = known.find((name) => name.toLowerCase() === written.toLowerCase())
  const { hint } = didYouMean(spelled ?? written, known)
  return wrongArgument(argument, written, `one of those that ${list} prints${hint}`)
}
