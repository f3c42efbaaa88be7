/** `action-risk rules release <version>`: takes the working rules through every gate and freezes them for good. */

import { Command } from "effect/cli"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { ruleCandidate } from "../../../rules/release/ruleCandidate.ts"
import { acceptLower } from "../../options/acceptLower.ts"
import { dryRun } from "../../options/dryRun.ts"
import { json } from "../../options/json.ts"
import { newVersion } from "../../options/newVersion.ts"
import { passGates } from "../../passGates.ts"

export const releaseRules = Command.make(
  "release",
  { version: newVersion, acceptLower, dryRun, json },
  ({ version, ...options }) => passGates(ruleCandidate(packageRoot, version), options)
).pipe(
  Command.withDescription(
    "Check, test and prove the working rules, and freeze them as a release that never changes again"
  ),
  Command.withExamples([
    { command: "action-risk rules release 1.1.0 --dry-run", description: "What the gates say" },
    {
      command: "action-risk rules release 1.1.0 --accept-lower HIGH_RECORD_COUNT",
      description: "Although that factor may score lower than before; the changelog says why"
    }
  ])
)
