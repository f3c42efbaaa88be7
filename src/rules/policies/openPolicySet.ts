/** Opens a policy set for serving: loaded whole, and believed once both evaluators say the same of each of its rules. */

import { Effect } from "effect"
import type { Root } from "../readTree.ts"
import { verifyPolicies } from "../verify.ts"
import { loadPolicySet } from "./loadPolicySet.ts"
import { unreadablePolicySet } from "./PreparedPolicySet.ts"
import { reasonOf } from "../reasonOf.ts"

/** Never fails: what is wrong stands in `findings`, and counts at its worst. */
export const openPolicySet = Effect.fn("openPolicySet")(function* (root: Root, name: string) {
  const unreadable = (rule: "unreadable-file" | "evaluators-differ", message: string) =>
    unreadablePolicySet(name, [{ rule, file: `policies/${name}`, path: [], message }])
  const prepared = yield* Effect.try({ try: () => loadPolicySet(root, name), catch: reasonOf }).pipe(
    Effect.catch((message) => Effect.succeed(unreadable("unreadable-file", message)))
  )
  const differing: Array<string> = []
  for (const rule of prepared.rules) {
    // One rule at a time: a set may be opened while requests are answered.
    yield* Effect.yieldNow
    differing.push(...(yield* Effect.promise(() => verifyPolicies([rule], prepared.policySet.match))))
  }
  return differing.length === 0
    ? prepared
    : unreadable(
        "evaluators-differ",
        `the compiled and the reference evaluator differ on ${differing.join(", ")}`
      )
})
