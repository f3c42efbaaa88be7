/** The two sides of a backtest by their names, so that each worker can open them for itself. */

import { Result } from "effect"
import { openPolicyRulebook, openRulebook } from "../openRulebook.ts"
import { loadPolicySet } from "../policies/loadPolicySet.ts"
import type { Read } from "../Read.ts"
import type { Root } from "../readTree.ts"
import { type Comparison, compare } from "./Comparison.ts"
import { givenPolicies, recordedPolicies } from "./PolicyBook.ts"

export interface Sides {
  readonly root: Root
  /** - `rules`: two releases; with `policies`, every record is scored with that set instead of the recorded one.
   *  - `policies`: two versions of a set on the newest release. */
  readonly of:
    | { readonly kind: "rules"; readonly policies: string | null }
    | { readonly kind: "policies"; readonly set: string }
  readonly from: string
  readonly to: string
}

export interface OpenSides {
  /** The labels of the two rulebooks. */
  readonly from: string
  readonly to: string
  readonly comparison: Comparison
}

export const openSides = ({ from, of, root, to }: Sides): Read<OpenSides> =>
  Result.gen(function* () {
    const open = (version: string) =>
      of.kind === "rules" ? openRulebook(root, version) : openPolicyRulebook(root, of.set, version)
    const one = yield* open(from)
    const other = yield* open(to)
    const given = of.kind === "rules" && of.policies !== null ? loadPolicySet(root, of.policies) : null
    const policiesOf =
      of.kind === "policies"
        ? givenPolicies(one.policies.policySet, other.policies.policySet)
        : given === null
          ? recordedPolicies(root)
          : givenPolicies(given.policySet, given.policySet)
    return { from: one.label, to: other.label, comparison: compare(one, other, policiesOf) }
  })
