/** The rules that a process serves, as services: rule releases and policy sets. `installedRules.ts` has their layers. */

import { Context, type Effect } from "effect"
import type { RulesRefused } from "./Finding.ts"
import type { Root } from "./files/readTree.ts"
import type { PreparedPolicySet } from "./policies/PreparedPolicySet.ts"
import type { Prepared } from "./release/loadRelease.ts"

/** A version, the newest release, or the working files. */
export type RequestedRelease = string | "newest" | "draft"

export class RuleReleases extends Context.Service<
  RuleReleases,
  {
    /** Where they are installed, for threads that open them too. */
    readonly root: Root
    readonly open: (wanted: RequestedRelease) => Effect.Effect<Prepared, RulesRefused>
  }
>()("action-risk/rules/RuleReleases") {}

/**
 * The policy sets of this installation, as a service. `policyRegistry.ts` provides its layer. A broken set never stops the service and
 * never lowers a score.
 */
export class PolicySets extends Context.Service<
  PolicySets,
  {
    /** A missing set counts as an unreadable one: every opinion under it is incomplete and assumes the worst. */
    readonly get: (name: string) => PreparedPolicySet
  }
>()("action-risk/rules/PolicySets") {}
