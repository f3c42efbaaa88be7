/** `action-risk policies check [set]`: are the files of the policy sets well-formed, and do they make sense? */

import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { checkPolicies } from "../../../rules/check/checkPolicies.ts"
import { packageRoot } from "../../../rules/packageRoot.ts"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { policySet } from "../../options/policySet.ts"
import { printCheck } from "../../printCheck.ts"

const set = policySet.pipe(Argument.withDefault(undefined))

export const checkPolicyFiles = Command.make(
  "check",
  { set, format, json },
  Effect.fnUntraced(function* ({ set, ...options }) {
    yield* printCheck("policies check", checkPolicies(packageRoot, set), options)
  })
).pipe(
  Command.withDescription(
    "Check that the files of one policy set, or of all, parse, type-check and make sense"
  ),
  Command.withExamples([
    { command: "action-risk policies check", description: "All policy sets, for people" },
    { command: "action-risk policies check starter --json", description: "One set, for scripts" }
  ])
)
