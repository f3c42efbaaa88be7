/** The flags `--rules` and `--policies`, the rulebooks behind them, and the message for an unknown name. */

import { Effect, Result } from "effect"
import { Flag } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { didYouMean } from "../../rules/nearestName.ts"
import { listPolicySets, loadPolicySet, loadPolicyVersion } from "../../rules/policies/loadPolicySet.ts"
import { listReleases } from "../../rules/release/loadRelease.ts"
import { wrongArgument } from "../commandFailures.ts"
import {
  expectedOneOf,
  OpenRules,
  openVersion,
  releasesAndDraft,
  ruleFiles,
  type Subject
} from "./subject.ts"

/** The named release, else the one with which a service on this machine scores: RULES_VERSION, the newest release, or the working files. */
export const rulebookOrServed = Effect.fnUntraced(function* (named: string | null) {
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
 * The working files of the subject as a rulebook.
 * `rules`: for the rules, the release to use instead of the working files; for a policy set, the release under it.
 */
export const workingRulebook = Effect.fnUntraced(function* (subject: Subject, rules: string | null) {
  if (subject.kind === "rules") return (yield* OpenRules)(rules ?? "draft")
  const { release } = yield* rulebookOrServed(rules)
  return Result.map(loadPolicyVersion(packageRoot, subject.set, "draft"), (policies) => ({
    label: `${subject.set}@draft`,
    release,
    policies
  }))
})

/** `--rules <v>`: a frozen release, or `draft` for the working files. An unknown one is wrong usage. */
export const rulesFlag = (description: string) =>
  Flag.String("rules").pipe(
    Flag.withDescription(description),
    Flag.withMetavar("version|draft"),
    Flag.filter(
      (version) => releasesAndDraft().includes(version),
      () => expectedOneOf(releasesAndDraft())
    )
  )

/** `--rules` of the verbs that show rules. */
export const shownReleaseFlag = rulesFlag("Which release; else the working files").pipe(
  Flag.withDefault("draft")
)

/** `--rules` of the policy commands: the release under the working policy set. */
export const scoringReleaseFlag = rulesFlag("Which release scores; else RULES_VERSION or the newest").pipe(
  Flag.withDefault(null)
)

/** `--policies <set>`: the customer policies that a score is made under. An unknown set is wrong usage. */
export const policiesFlagFor = (description: string) =>
  Flag.String("policies").pipe(
    Flag.withDescription(description),
    Flag.withMetavar("set"),
    Flag.filter(
      (set) => listPolicySets(packageRoot).includes(set),
      () => expectedOneOf(listPolicySets(packageRoot))
    )
  )

export const policiesFlag = policiesFlagFor("Policy set: a folder under policies/").pipe(
  Flag.withDefault("none")
)

interface UnknownName {
  readonly argument: string
  readonly written: string
  readonly known: ReadonlyArray<string>
  /** The command that prints the known names. */
  readonly list: string
}

/** Wrong usage, with the nearest known name or the command that lists them. */
export const unknownName = ({ argument, known, list, written }: UnknownName) => {
  const spelled = known.find((name) => name.toLowerCase() === written.toLowerCase())
  const { hint } = didYouMean(spelled ?? written, known)
  return wrongArgument(argument, written, `one of those that ${list} prints${hint}`)
}
