/** `<set>` of the policy commands, and the versions that one has. An unknown one is wrong usage. */

import { Effect } from "effect"
import { Argument, CliError } from "effect/cli"
import { packageRoot } from "../../rules/packageRoot.ts"
import { listPolicySets, listPolicyVersions } from "../../rules/policies/loadPolicySet.ts"
import { wrongUsage } from "../wrongUsage.ts"

export const policySet = Argument.String("set").pipe(
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
export const policyVersionOf = (command: string, option: string, set: string, version: string) => {
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
