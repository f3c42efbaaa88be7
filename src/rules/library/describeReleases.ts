/** The releases and policy sets of this installation in readable form: each rule with its texts, its condition and its history. */

import { Result, Struct } from "effect"
import type { ReadRelease } from "../Rulebook.ts"
import { digestOf } from "../../json/canonical.ts"
import { libraryVersionsMax } from "../../limits.ts"
import {
  catalogueFactors,
  cataloguePolicies,
  catalogueTypologies,
  describeEffect
} from "../explain/catalogue.ts"
import type { Root } from "../files/readTree.ts"
import { readRules } from "../files/ruleFiles.ts"
import type { Condition } from "../language/Rule.ts"
import { listPolicySets, listPolicyVersions, loadPolicyVersion } from "../policies/loadPolicySet.ts"
import type { PreparedPolicySet } from "../policies/PreparedPolicySet.ts"
import { listReleases, openReleaseFiles } from "../release/loadRelease.ts"

/** One way to match. A factor has one per severity. */
interface DescribedBranch {
  readonly name: string
  /** A severity, a minimum score, or the effect of a policy in words. */
  readonly gives: string
  readonly condition: Condition
}

export interface DescribedRule {
  readonly kind: "factor" | "typology" | "policy"
  /** The code of a factor, the name of a typology, or the id of a policy rule. */
  readonly code: string
  /** The category of a factor, the effect of a policy rule, or `typology`. */
  readonly category: string
  readonly title: string | null
  readonly lifecycle: string | null
  readonly owner: string | null
  readonly why: string
  readonly misses: string | null
  readonly expects: string | null
  /** The message template with `{fact}` placeholders. */
  readonly message: string | null
  readonly recommendations: ReadonlyArray<string>
  readonly branches: ReadonlyArray<DescribedBranch>
  /** Hex SHA-256 of the file's canonical form: equal if nothing in it changed. */
  readonly digest: string
}

/** One version of the rules, or of one policy set. */
export interface DescribedVersion {
  readonly version: string
  /** In hex. */
  readonly digest: string
  readonly rules: ReadonlyArray<DescribedRule>
}

/** Each list is oldest first. */
export interface DescribedLibrary {
  readonly releases: ReadonlyArray<DescribedVersion>
  readonly policySets: Readonly<Record<string, ReadonlyArray<DescribedVersion>>>
}

/** Members that only some kinds of rules have. */
const unstated = {
  title: null,
  lifecycle: null,
  owner: null,
  misses: null,
  expects: null,
  message: null,
  recommendations: []
}

const describeFactors = (release: ReadRelease): ReadonlyArray<DescribedRule> =>
  catalogueFactors(release).map(({ code, described, rules, source }) => ({
    ...unstated,
    kind: "factor",
    code,
    ...Struct.pick(described, ["category", "lifecycle", "why", "misses", "message", "recommendations"]),
    expects: described.expects ?? null,
    branches: rules.map(({ condition, match, name }) => ({ name, gives: match.severity, condition })),
    digest: digestOf(source.json)
  }))

const describeTypologies = (release: ReadRelease): ReadonlyArray<DescribedRule> =>
  catalogueTypologies(release).map(({ code, described, rules, source }) => ({
    ...unstated,
    kind: "typology",
    code,
    category: "typology",
    ...Struct.pick(described, ["title", "lifecycle", "why", "misses", "message"]),
    branches: rules.map(({ condition, match, name }) => ({
      name,
      gives: `a score of at least ${match.floor}`,
      condition
    })),
    digest: digestOf(source.json)
  }))

const describePolicies = (set: PreparedPolicySet): ReadonlyArray<DescribedRule> =>
  cataloguePolicies(set).flatMap(({ code, described, rules, source }) =>
    rules.map(({ condition, match, name }) => ({
      ...unstated,
      kind: "policy" as const,
      code,
      category: match.effect,
      title: described.description,
      ...Struct.pick(described, ["owner", "why"]),
      misses: described.misses ?? null,
      recommendations: match.recommendations,
      branches: [{ name, gives: describeEffect(match), condition }],
      digest: digestOf(source.json)
    }))
  )

/** Reads the rules of a release without preparing it for scoring, which would take ten times as long. */
const describeRelease = (root: Root, version: string): ReadonlyArray<DescribedVersion> => {
  const read = Result.gen(function* () {
    const { digest, files } = yield* openReleaseFiles(root, version)
    const release = { files, rules: yield* readRules(files) }
    return { version, digest, rules: [...describeFactors(release), ...describeTypologies(release)] }
  })
  // `rules check` and the start of the service report releases that cannot be opened.
  return Result.isSuccess(read) ? [read.success] : []
}

const describeSet = (root: Root, set: string): ReadonlyArray<DescribedVersion> => {
  const frozen = listPolicyVersions(root, set)
  const versions = frozen.length === 0 ? ["draft"] : frozen.slice(-libraryVersionsMax)
  return versions.flatMap((version) => {
    const read = loadPolicyVersion(root, set, version)
    if (Result.isFailure(read)) return []
    const { digest } = read.success.policySet
    return [{ version, digest, rules: describePolicies(read.success) }]
  })
}

/** The newest `libraryVersionsMax` releases, and as many versions of each policy set. */
export const describeLibrary = (root: Root): DescribedLibrary => ({
  releases: listReleases(root)
    .slice(-libraryVersionsMax)
    .flatMap((version) => describeRelease(root, version)),
  policySets: Object.fromEntries(listPolicySets(root).map((set) => [set, describeSet(root, set)]))
})
