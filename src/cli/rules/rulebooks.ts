/** The rulebooks that a command works on: how the command line names releases and policy sets, and how they are opened. */

import { Effect, Result } from "effect"
import { Argument, CliError, Flag } from "effect/cli"
import { AppConfig } from "../../config.ts"
import { type Read, RulesRefused } from "../../rules/Finding.ts"
import { openPolicyRulebook, openRulebook } from "../../rules/Rulebook.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { didYouMean } from "../../rules/nearestName.ts"
import { listPolicySets, listPolicyVersions, loadPolicyVersion } from "../../rules/policies/loadPolicySet.ts"
import { listReleases } from "../../rules/release/loadRelease.ts"
import { wrongUsage } from "../commandFailures.ts"

/** What was read, or a refusal that says what is wrong with the files. */
export const readOrRefuse = <A>(read: Read<A>): Effect.Effect<A, RulesRefused> =>
  Effect.fromResult(Result.mapError(read, RulesRefused.of))

export const rulebook = (version: string) =>
  Effect.suspend(() => readOrRefuse(openRulebook(packageRoot, version)))

export const policyRulebook = (set: string, version: string) =>
  Effect.suspend(() => readOrRefuse(openPolicyRulebook(packageRoot, set, version)))

/** What is named, else what this machine's service would score with: RULES_VERSION, the newest release, the working rules. */
export const rulebookOrServed = Effect.fnUntraced(function* (named: string | null) {
  const { rulesVersion } = yield* AppConfig
  return yield* rulebook(named ?? rulesVersion ?? listReleases(packageRoot).at(-1) ?? "draft")
})

/** A policy set's working folder over such a release. */
export const workingPolicies = Effect.fnUntraced(function* (set: string, rules: string | null) {
  const { release } = yield* rulebookOrServed(rules)
  const policies = yield* readOrRefuse(loadPolicyVersion(packageRoot, set, "draft"))
  return { label: `${set}@draft`, release, policies }
})

/** `<v>` of the rule commands: a frozen release, or `draft` for the working files. An unknown one is wrong usage. */
export const releaseArgument = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(description),
    Argument.mapEffect((version) => {
      const known = [...listReleases(packageRoot), "draft"]
      return known.includes(version)
        ? Effect.succeed(version)
        : Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: version,
              expected: `one of ${known.join(", ")}`,
              kind: "argument"
            })
          )
    })
  )

/** `--rules <v>`: a frozen release, or `draft` for the working files. An unknown one is wrong usage. */
const expectedRelease = (known: ReadonlyArray<string>, value: string) =>
  new CliError.InvalidValue({ option: "rules", value, expected: `one of ${known.join(", ")}`, kind: "flag" })

export const rulesFlag = (description: string) =>
  Flag.String("rules").pipe(
    Flag.withDescription(description),
    Flag.withMetavar("version|draft"),
    Flag.mapEffect((version) => {
      const known = [...listReleases(packageRoot), "draft"]
      return known.includes(version) ? Effect.succeed(version) : Effect.fail(expectedRelease(known, version))
    })
  )

/** `--policies <set>`: the customer policies that a score is made under. An unknown set is wrong usage. */
export const policiesFlagFor = (description: string) =>
  Flag.String("policies").pipe(
    Flag.withDescription(description),
    Flag.withMetavar("set"),
    Flag.mapEffect((set) => {
      const known = listPolicySets(packageRoot)
      return known.includes(set)
        ? Effect.succeed(set)
        : Effect.fail(
            new CliError.InvalidValue({
              option: "policies",
              value: set,
              expected: `one of ${known.join(", ")}`,
              kind: "flag"
            })
          )
    })
  )

export const policiesFlag = policiesFlagFor("Policy set: a folder under policies/").pipe(
  Flag.withDefault("none")
)

/** `<set>` of the policy commands, and the versions that one has. An unknown one is wrong usage. */
export const policySetArgument = Argument.String("set").pipe(
  Argument.withDescription("A policy set: a folder under policies/"),
  Argument.mapEffect((set) => {
    const known = listPolicySets(packageRoot)
    return known.includes(set)
      ? Effect.succeed(set)
      : Effect.fail(
          new CliError.InvalidValue({
            option: "set",
            value: set,
            expected: `one of ${known.join(", ")}`,
            kind: "argument"
          })
        )
  })
)

/** The version if the set has it; for commands that are told the version apart from the set. */
export const knownPolicyVersion = (command: string, option: string, set: string, version: string) => {
  const known = [...listPolicyVersions(packageRoot, set), "draft"]
  return known.includes(version)
    ? Effect.succeed(version)
    : Effect.fail(
        wrongUsage(
          command,
          new CliError.InvalidValue({
            option,
            value: version,
            expected: `of ${set} one of ${known.join(", ")}`,
            kind: "argument"
          })
        )
      )
}

/** A name that is none of those that exist: wrong usage, with the nearest one or the way to the list. */
interface Unknown {
  /** The command's words below the root. */
  readonly command: string
  readonly argument: string
  readonly written: string
  readonly known: ReadonlyArray<string>
  /** The command that prints the known ones. */
  readonly list: string
}

export const unknownName = ({ argument, command, known, list, written }: Unknown) => {
  const spelled = known.find((name) => name.toLowerCase() === written.toLowerCase())
  const { hint } = didYouMean(spelled ?? written, known)
  return wrongUsage(
    command,
    new CliError.InvalidValue({
      option: argument,
      value: written,
      expected: `one of those that ${list} prints${hint}`,
      kind: "argument"
    })
  )
}
