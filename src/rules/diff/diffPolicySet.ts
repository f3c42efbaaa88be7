/** What a policy set says of itself, other than its version: words, that no score is made of. */

import type { Rulebook } from "../Rulebook.ts"
import type { Unwitnessed } from "./Diff.ts"
import { changedTexts } from "./words/changedTexts.ts"

export const diffPolicySet = (from: Rulebook, to: Rulebook): ReadonlyArray<Unwitnessed> => {
  const { policy } = to.policies.files
  const { details, phrases } = changedTexts(from.policies.files.policy.json, policy.json)
  if (phrases.length === 0) return []
  return [
    { code: "policy", kind: "text", file: policy.file, summary: phrases.join("; "), details, search: null }
  ]
}
