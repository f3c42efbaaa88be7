/** The policy sets of this installation, as a service. `policyRegistry.ts` has its layer. */

import { Context } from "effect"
import type { PreparedPolicySet } from "./PreparedPolicySet.ts"

/** A broken set never stops the service and never lowers a score. */
export class PolicySets extends Context.Service<
  PolicySets,
  {
    /** A missing set is like an unreadable one: every opinion under it is incomplete and at its worst case. */
    readonly get: (name: string) => PreparedPolicySet
  }
>()("action-risk/rules/PolicySets") {}
