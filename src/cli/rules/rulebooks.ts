/** The rulebooks with which a verb scores, chosen by its flags and this machine's settings. */

import { Effect, Result } from "effect"
import { AppConfig } from "../../config.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { loadPolicySet, loadPolicyVersion } from "../../rules/policies/loadPolicySet.ts"
import { listReleases } from "../../rules/release/loadRelease.ts"
import { OpenRules, openVersion, ruleFiles, type Subject } from "./subject.ts"

/** The named release, or the one with which a service on this machine scores: RULES_VERSION, the newest release, or the working files. */
const rulebookOrServed = Effect.fnUntraced(function* (named: string | null) {
  const { rulesVersion } = yield* AppConfig
  return yield* openVersion(ruleFiles, named ?? rulesVersion ?? listReleases(packageRoot).at(-1) ?? "draft")
})

/** The same release with a policy set. */
export const servedRulebook = (rules: string | null, policies: string) =>
  Effect.map(rulebookOrServed(rules), ({ label, release }) => ({
    label,
    release,
    policies: loadPolicySet(packageRoot, policies)
  }))

/**
 * The working files of the subject as a rulebook. `rules`: for the rules, a release to use in place of the working files; for a policy set,
 * the release under it.
 */
export const workingRulebook = Effect.fnUntraced(function* (subject: Subject, rules: string | null) {
  if (subject.kind === "rules") return (yield* OpenRules)(rules ?? "draft")
  const { release } = yield* rulebookOrServed(rules)
  const label = `${subject.set}@draft`
  return Result.map(loadPolicyVersion(packageRoot, subject.set, "draft"), (policies) => ({
    label,
    release,
    policies
  }))
})
