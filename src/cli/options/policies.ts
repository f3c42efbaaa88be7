/** `--policies <set>`: the customer policies that a score is made under. An unknown set is wrong usage. */

import { Effect } from "effect"
import { CliError, Flag } from "effect/cli"
import { packageRoot } from "../../rules/packageRoot.ts"
import { listPolicySets } from "../../rules/policies/loadPolicySet.ts"

export const knownPolicies = (description: string) =>
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

export const policies = knownPolicies("Policy set: a folder under policies/").pipe(Flag.withDefault("none"))
