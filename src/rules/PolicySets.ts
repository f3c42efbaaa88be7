/** The policy sets of this installation, loaded once; a broken one never stops the service and never lowers a score. */

import { Context, Effect, Layer } from "effect"
import { packageRoot } from "./packageRoot.ts"
import { type PreparedPolicySet, unreadablePolicySet } from "./policies/PreparedPolicySet.ts"
import { listPolicySets, loadPolicySet } from "./policies/loadPolicySet.ts"
import { renderFinding } from "./Problem.ts"
import type { Root } from "./readTree.ts"
import { verifyPolicies } from "./verify.ts"

const load = Effect.fn("PolicySets.load")(function* (root: Root, name: string) {
  const prepared = loadPolicySet(root, name)
  for (const finding of prepared.findings) {
    yield* Effect.logWarning(`policy set ${name} is taken at its worst: ${renderFinding(finding)}`)
  }
  const differing = yield* Effect.promise(() => verifyPolicies(prepared.rules, prepared.policySet.match))
  if (differing.length === 0) return prepared
  const message = `the compiled and the reference evaluator differ on ${differing.join(", ")}`
  yield* Effect.logWarning(`policy set ${name} is taken at its worst: ${message}`)
  return unreadablePolicySet(name, [{ file: `policies/${name}`, path: [], message }])
})

const missing = (name: string): PreparedPolicySet =>
  unreadablePolicySet(name, [{ file: `policies/${name}`, path: [], message: "there is no such policy set" }])

export class PolicySets extends Context.Service<
  PolicySets,
  {
    /** A set that is not there is an unreadable one: every opinion under it is incomplete and at its worst. */
    readonly get: (name: string) => PreparedPolicySet
  }
>()("action-risk/rules/PolicySets") {
  static readonly layerAt = (root: Root) =>
    Layer.effect(
      PolicySets,
      Effect.gen(function* () {
        const sets = new Map<string, PreparedPolicySet>()
        for (const name of listPolicySets(root)) sets.set(name, yield* load(root, name))
        return { get: (name) => sets.get(name) ?? missing(name) }
      })
    )
  static readonly layer = PolicySets.layerAt(packageRoot)
}
