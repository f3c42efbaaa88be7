/** Opens what a reviewer names, a version or `draft`, as a rulebook to compare with another. */

import { Result } from "effect"
import { listReleases, loadDraft, loadRelease } from "./loadRelease.ts"
import { loadPolicySet, loadPolicyVersion } from "./policies/loadPolicySet.ts"
import type { Read } from "./Read.ts"
import type { Root } from "./readTree.ts"
import type { Rulebook } from "./Rulebook.ts"

/** Rules without the rules of any customer. */
export const openRulebook = (root: Root, version: string): Read<Rulebook> =>
  Result.map(version === "draft" ? loadDraft(root) : loadRelease(root, version), (release) => ({
    label: version,
    release,
    policies: loadPolicySet(root, "none")
  }))

/** A policy set on top of the newest rule release, or of the working rules where none is released. */
export const openPolicyRulebook = (root: Root, set: string, version: string): Read<Rulebook> =>
  Result.gen(function* () {
    const newest = listReleases(root).at(-1) ?? "draft"
    const { release } = yield* openRulebook(root, newest)
    const policies = yield* loadPolicyVersion(root, set, version)
    return { label: `${set}@${version}`, release, policies }
  })
