/** `action-risk policies release <set> <version>`: takes a policy set through every gate and freezes it for good. */

import { Command } from "effect/cli"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { policyCandidate } from "../../../rules/release/policyCandidate.ts"
import { acceptLower } from "../../options/acceptLower.ts"
import { dryRun } from "../../options/dryRun.ts"
import { json } from "../../options/json.ts"
import { newVersion } from "../../options/newVersion.ts"
import { policySet } from "../../options/policySet.ts"
import { passGates } from "../../passGates.ts"

export const releasePolicies = Command.make(
  "release",
  { set: policySet, version: newVersion, acceptLower, dryRun, json },
  ({ set, version, ...options }) => passGates(policyCandidate(packageRoot, set, version), options)
).pipe(
  Command.withDescription(
    "Check, test and prove a policy set, and freeze it as a version that never changes again"
  ),
  Command.withExamples([
    { command: "action-risk policies release starter 1.1.0 --dry-run", description: "What the gates say" },
    { command: "action-risk policies release starter 1.1.0 --json", description: "For scripts" }
  ])
)
