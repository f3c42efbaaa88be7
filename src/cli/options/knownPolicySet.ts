/** A policy set that an organization may be given; an unknown one is refused with the name that was meant. */

import { Effect } from "effect"
import { didYouMean } from "../../rules/nearestName.ts"
import { packageRoot } from "../../rules/packageRoot.ts"
import { listPolicySets } from "../../rules/policies/loadPolicySet.ts"
import { Refused } from "../Refused.ts"

export const knownPolicySet = (set: string): Effect.Effect<string, Refused> => {
  const known = listPolicySets(packageRoot)
  if (known.includes(set)) return Effect.succeed(set)
  const { hint } = didYouMean(set, known)
  const instead = hint === "" ? `: give one of ${known.join(", ")}` : hint
  return Effect.fail(new Refused({ message: `there is no policy set \`${set}\`${instead}` }))
}
