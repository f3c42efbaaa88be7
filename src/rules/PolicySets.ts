/** The policy sets of this installation; a broken one never stops the service and never lowers a score. */

import { Context, Effect, Layer } from "effect"
import { policyLookMs } from "../Limits.ts"
import { packageRoot } from "./packageRoot.ts"
import { type PreparedPolicySet, unreadablePolicySet } from "./policies/PreparedPolicySet.ts"
import { makeShelf } from "./policies/Shelf.ts"
import type { Root } from "./readTree.ts"

const missing = (name: string): PreparedPolicySet =>
  unreadablePolicySet(name, [
    { rule: "unreadable-file", file: `policies/${name}`, path: [], message: "there is no such policy set" }
  ])

export class PolicySets extends Context.Service<
  PolicySets,
  {
    /** A set that is not there is an unreadable one: every opinion under it is incomplete and at its worst. */
    readonly get: (name: string) => PreparedPolicySet
  }
>()("action-risk/rules/PolicySets") {
  /** Takes over what is frozen or edited while it runs. */
  static readonly layerAt = (root: Root, lookMs: number = policyLookMs) =>
    Layer.effect(
      PolicySets,
      Effect.gen(function* () {
        const shelf = yield* makeShelf(root)
        yield* Effect.forkScoped(Effect.forever(Effect.delay(shelf.refresh, lookMs)))
        return { get: (name) => shelf.get(name) ?? missing(name) }
      })
    )
  static readonly layer = PolicySets.layerAt(packageRoot)
}
