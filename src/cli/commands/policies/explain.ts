/** `action-risk policies explain <set> <request.json>`: what a policy set asks for, question by question. */

import { Command, Flag } from "effect/cli"
import { explainRequest, explaining } from "../../explainRequest.ts"
import { json } from "../../options/json.ts"
import { policySet } from "../../options/policySet.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { workingPolicies } from "../../rulebook.ts"

const rules = rulesVersion("Which release scores; else RULES_VERSION or the newest").pipe(
  Flag.withDefault(null)
)

export const explainPolicies = Command.make(
  "explain",
  { set: policySet, ...explaining, rules, json },
  (options) => explainRequest(workingPolicies(options.set, options.rules), options, "policy")
).pipe(
  Command.withDescription(
    "Tell which rules of a working policy set hold for a request and which came near, with what each one saw"
  ),
  Command.withExamples([
    {
      command: "action-risk policies explain starter examples/requests/stripe-payout.json",
      description: "Rules that hold, and near misses"
    },
    {
      command: "action-risk policies explain starter request.json --history history.json --all",
      description: "Every rule of the set, for an organization that has asked before"
    }
  ])
)
