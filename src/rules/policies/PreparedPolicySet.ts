/** A policy set that is ready to match. Unreadable parts are assumed to be the worst case. */

import { Result } from "effect"
import { digestOf } from "../../json/canonical.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { PolicyMatches, PolicyRuleMatch, PolicySet } from "../../scoring/Model.ts"
import { type Finding, findingsOf, inFile, type Read, succeedUnless } from "../Finding.ts"
import {
  type OrganizationEntry,
  prepareOrganizationCatalogue
} from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { readOrganizationCatalogue, type WrittenEntry } from "../files/catalogueFile.ts"
import { decodeFile } from "../files/decodeFile.ts"
import {
  policyContent,
  PolicySetFile,
  readPolicyRule,
  worstMatch,
  worstMatchOf
} from "../files/policyFiles.ts"
import type { PolicyFiles } from "../files/readTree.ts"
import { checkFolder, checkNumber } from "../files/ruleFiles.ts"
import type { PolicyRule } from "../language/Rule.ts"
import { compilePolicies } from "../language/compile.ts"
import { referencePolicies } from "../language/reference.ts"

export interface PreparedPolicySet {
  readonly policySet: PolicySet
  /** Matches with the reference evaluator. */
  readonly matchByReference: (facts: Facts) => Promise<PolicyMatches>
  readonly rules: ReadonlyArray<PolicyRule>
  /** The problems in the set's files. With any finding, every match is incomplete. */
  readonly findings: ReadonlyArray<Finding>
  /** The files from which the set was read; without rules if the whole set is unreadable. */
  readonly files: PolicyFiles
}

/** Invariant: an unreadable rule counts as matched, so that a broken file never lowers a score. */
const withBroken =
  (broken: ReadonlyArray<PolicyRuleMatch>) =>
  ({ matched, incomplete }: PolicyMatches): PolicyMatches =>
    broken.length === 0
      ? { matched, incomplete }
      : { matched: [...matched, ...broken].toSorted((a, b) => byCodeUnit(a.rule, b.rule)), incomplete: true }

const assemble = (
  identity: Omit<PolicySet, "match">,
  rules: ReadonlyArray<PolicyRule>,
  broken: ReadonlyArray<PolicyRuleMatch>,
  findings: ReadonlyArray<Finding>,
  files: PolicyFiles
): PreparedPolicySet => {
  const complete = withBroken(broken)
  const compiled = compilePolicies(rules)
  const reference = referencePolicies(rules)
  return {
    policySet: { ...identity, match: (facts) => complete(compiled(facts)) },
    matchByReference: async (facts) => complete(await reference(facts)),
    rules,
    findings,
    files
  }
}

/** A set that is unreadable as a whole. */
export const unreadablePolicySet = (name: string, findings: ReadonlyArray<Finding>): PreparedPolicySet =>
  assemble(
    { name, version: "0.0.0", digest: digestOf({ name, unreadable: true }) },
    [],
    [worstMatch(name, "unreadable-policy-set")],
    findings,
    { policy: { file: `policies/${name}`, name: "policy", folder: name, json: null }, rules: [] }
  )

const readSet = (name: string, { policy, rules }: PolicyFiles): Read<typeof PolicySetFile.Type> =>
  Result.flatMap(decodeFile(PolicySetFile, policy), (file) => {
    const problems = [...checkFolder("name", file.name, name), ...checkNumber(rules.length)]
    return succeedUnless(inFile(policy.file, problems), () => file)
  })

/** An entry without its texts for reviewers. */
const withoutWords = ({ owner: _owner, why: _why, ...entry }: WrittenEntry): OrganizationEntry => entry

export const preparePolicySet = (name: string, files: PolicyFiles): PreparedPolicySet =>
  Result.match(readSet(name, files), {
    onFailure: (findings) => unreadablePolicySet(name, findings),
    onSuccess: ({ version }) => {
      const read = files.rules.map((source) => ({ source, rule: readPolicyRule(name, source) }))
      const entries =
        files.catalogue === undefined ? Result.succeed([]) : readOrganizationCatalogue(files.catalogue)
      const known = Result.getOrElse(entries, () => [])
      return assemble(
        {
          name,
          version,
          // Equal for working files and their frozen version: equal content has an equal digest.
          digest: digestOf(policyContent(files)),
          ...(known.length === 0 ? {} : { catalogue: prepareOrganizationCatalogue(known.map(withoutWords)) })
        },
        read.flatMap(({ rule }) => (Result.isSuccess(rule) ? [rule.success] : [])),
        [
          ...read.flatMap(({ rule, source }) => (Result.isFailure(rule) ? [worstMatchOf(name, source)] : [])),
          ...(Result.isFailure(entries) ? [worstMatch(name, "catalogue")] : [])
        ],
        [...read.map(({ rule }) => rule), entries].flatMap<Finding>(findingsOf),
        files
      )
    }
  })
