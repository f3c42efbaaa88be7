/** `action-risk rules explain <request.json>`: why a request scores as it does, question by question. */

import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { loadPolicySet } from "../../../rules/policies/loadPolicySet.ts"
import { explainRequest, explaining } from "../../explainRequest.ts"
import { json } from "../../options/json.ts"
import { policies } from "../../options/policies.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { rulebookOr } from "../../rulebook.ts"

const rules = rulesVersion("Which release; else RULES_VERSION or the newest").pipe(Flag.withDefault(null))

export const explainRules = Command.make("explain", { ...explaining, rules, policies, json }, (options) => {
  const underPolicies = Effect.map(rulebookOr(options.rules), ({ label, release }) => ({
    label,
    release,
    policies: loadPolicySet(packageRoot, options.policies)
  }))
  return explainRequest(underPolicies, options)
}).pipe(
  Command.withDescription("Tell which rules hold for a request and which came near, with what each one saw"),
  Command.withExamples([
    {
      command: "action-risk rules explain examples/requests/salesforce-export.json",
      description: "Rules that hold, and near misses"
    },
    {
      command: "action-risk rules explain request.json --rules draft --history history.json --all",
      description: "Every rule of the working files, for an organization that has asked before"
    }
  ])
)
