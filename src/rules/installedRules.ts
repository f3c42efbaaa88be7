/** The rule releases and policy sets that are installed with this program. */

import { Layer } from "effect"
import { packageRoot } from "./files/readTree.ts"
import { policySetsAt } from "./policies/policyRegistry.ts"
import { ruleReleasesAt } from "./ruleReleases.ts"

export const installedRules = Layer.merge(ruleReleasesAt(packageRoot), policySetsAt(packageRoot))
