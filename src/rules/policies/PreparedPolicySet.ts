/** A policy set ready to match, whole or with its unreadable part taken at its worst. */

import { Result } from "effect"
import { digestOf } from "../../json/digest.ts"
import { byCodeUnit } from "../../json/json.ts"
import type { Facts } from "../../scoring/Facts.ts"
import type { PolicyMatches, PolicyRuleMatch, PolicySet } from "../../scoring/Model.ts"
import { type Finding, findingsOf, inFile, type Read } from "../Finding.ts"
import { decodeFile } from "../files/decodeFile.ts"
import { PolicySetFile, readPolicyRule, worstFloor, worstMatchOf } from "../files/policyFiles.ts"
import type { PolicyFiles } from "../files/readTree.ts"
import { checkFolder, checkNumber } from "../files/ruleFiles.ts"
import type { PolicyRule } from "../language/Rule.ts"
import { compilePolicies } from "../language/compile.ts"
import { referencePolicies } from "../language/reference.ts"

export interface PreparedPolicySet {
  readonly policySet: PolicySet
  /** The same question to the reference evaluator. */
  readonly matchByReference: (facts: Facts) => Promise<PolicyMatches>
  readonly rules: ReadonlyArray<PolicyRule>
  /** What is wrong with it; while there is anything, every match is incomplete. */
  readonly findings: ReadonlyArray<Finding>
  /** What all of it was read from; without rules where nothing could be. */
  readonly files: PolicyFiles
}

/** Invariant: what cannot be read counts as matched, so that no broken file ever lowers a score. */
const withBroken =
  (broken: ReadonlyArray<PolicyRuleMatch>) =>
  ({ matched, incomplete }: PolicyMatches): PolicyMatches =>
    broken.length === 0
      ? { matched, incomplete }
      : { matched: [...matched, ...broken].toSorted((a, b) => byCodeUnit(a.rule, b.rule)), incomplete: true }

const assemble = (
  named: Pick<PolicySet, "name" | "version" | "digest">,
  rules: ReadonlyArray<PolicyRule>,
  broken: ReadonlyArray<PolicyRuleMatch>,
  findings: ReadonlyArray<Finding>,
  files: PolicyFiles
): PreparedPolicySet => {
  const complete = withBroken(broken)
  const compiled = compilePolicies(rules)
  const reference = referencePolicies(rules)
  return {
    policySet: { ...named, match: (facts) => complete(compiled(facts)) },
    matchByReference: async (facts) => complete(await reference(facts)),
    rules,
    findings,
    files
  }
}

/** A set of which nothing can be known: it may have asked for anything, so it is taken to ask for the highest score. */
export const unreadablePolicySet = (name: string, findings: ReadonlyArray<Finding>): PreparedPolicySet =>
  assemble(
    { name, version: "0.0.0", digest: digestOf({ name, unreadable: true }) },
    [],
    [
      {
        policy: name,
        rule: "unreadable-policy-set",
        effect: "raise_floor",
        floor: worstFloor,
        recommendations: []
      }
    ],
    findings,
    { policy: { file: `policies/${name}`, name: "policy", folder: name, json: null }, rules: [] }
  )

/** What working files are known by, frozen or not: equal rules have equal digests. */
const policyDigest = ({ policy, rules }: PolicyFiles): string =>
  digestOf({ policy: policy.json, rules: rules.map(({ json }) => json) })

const readSet = (name: string, files: PolicyFiles): Read<typeof PolicySetFile.Type> =>
  Result.flatMap(decodeFile(PolicySetFile, files.policy), (file) => {
    const { file: where } = files.policy
    const findings: ReadonlyArray<Finding> = [
      ...inFile(where, checkFolder("name", file.name, name)),
      ...inFile(where, checkNumber(files.rules.length))
    ]
    return findings.length > 0 ? Result.fail(findings) : Result.succeed(file)
  })

export const preparePolicySet = (name: string, files: PolicyFiles): PreparedPolicySet =>
  Result.match(readSet(name, files), {
    onFailure: (findings) => unreadablePolicySet(name, findings),
    onSuccess: ({ version }) => {
      const read = files.rules.map((source) => ({ source, rule: readPolicyRule(name, source) }))
      return assemble(
        { name, version, digest: policyDigest(files) },
        read.flatMap(({ rule }) => (Result.isSuccess(rule) ? [rule.success] : [])),
        read.flatMap(({ rule, source }) => (Result.isFailure(rule) ? [worstMatchOf(name, source)] : [])),
        read.flatMap(({ rule }) => findingsOf(rule)),
        files
      )
    }
  })
