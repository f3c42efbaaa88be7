/** A rulebook as the commands open one: rule files that cannot be used refuse in one line. */

import { Effect, Result } from "effect"
import { AppConfig } from "../Config.ts"
import { listReleases } from "../rules/loadRelease.ts"
import { openPolicyRulebook, openRulebook } from "../rules/openRulebook.ts"
import { packageRoot } from "../rules/packageRoot.ts"
import { loadPolicyVersion } from "../rules/policies/loadPolicySet.ts"
import type { Read } from "../rules/Read.ts"
import { RulesRefused } from "../rules/RulesRefused.ts"

/** What was read, or a refusal that says what is wrong with the files. */
export const whatIs = <A>(read: Read<A>): Effect.Effect<A, RulesRefused> =>
  Effect.fromResult(Result.mapError(read, RulesRefused.of))

export const rulebook = (version: string) => Effect.suspend(() => whatIs(openRulebook(packageRoot, version)))

export const policyRulebook = (set: string, version: string) =>
  Effect.suspend(() => whatIs(openPolicyRulebook(packageRoot, set, version)))

/** What is named, else what this machine's service would score with: RULES_VERSION, the newest release, the working rules. */
export const rulebookOr = Effect.fnUntraced(function* (named: string | null) {
  const { rulesVersion } = yield* AppConfig
  return yield* rulebook(named ?? rulesVersion ?? listReleases(packageRoot).at(-1) ?? "draft")
})

/** A policy set's working folder over such a release. */
export const workingPolicies = Effect.fnUntraced(function* (set: string, rules: string | null) {
  const { release } = yield* rulebookOr(rules)
  const policies = yield* whatIs(loadPolicyVersion(packageRoot, set, "draft"))
  return { label: `${set}@draft`, release, policies }
})
