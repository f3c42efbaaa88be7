/** `action-risk policies mutate <set>`: which small changes of a policy set's conditions would no case notice? */

import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { policyMutation } from "../../../rules/mutation/runMutants.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { codes, mutateFiles } from "../../mutateFiles.ts"
import { json } from "../../options/json.ts"
import { percentMin } from "../../options/percentMin.ts"
import { policySet } from "../../options/policySet.ts"
import { rulesVersion } from "../../options/rulesVersion.ts"
import { workingPolicies, whatIs } from "../../rulebook.ts"

const rules = rulesVersion("Which release scores; else RULES_VERSION or the newest").pipe(
  Flag.withDefault(null)
)

export const mutatePolicies = Command.make(
  "mutate",
  { set: policySet, codes: codes("Only these rules"), rules, min: percentMin, json },
  Effect.fnUntraced(function* (options) {
    const book = yield* workingPolicies(options.set, options.rules)
    const mutation = yield* whatIs(policyMutation(packageRoot, book))
    yield* mutateFiles(mutation, {
      command: "policies mutate",
      list: `policies show ${options.set}`,
      ...options
    })
  })
).pipe(
  Command.withDescription(
    "Change the conditions of a policy set by one small thing at a time, and tell which changes no case notices"
  ),
  Command.withExamples([
    { command: "action-risk policies mutate starter", description: "All rules; exit code 1 below 95 %" },
    {
      command: "action-risk policies mutate starter new-payees-are-called-back --min 100",
      description: "One rule, every mutant of it"
    }
  ])
)
