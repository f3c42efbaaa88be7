/** `action-risk policies prove-not-lower <set> <v> <v>`: is there any request that scores lower under the second version? */

import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { policySet, policyVersionOf } from "../../options/policySet.ts"
import { printProof } from "../../printProof.ts"
import { policyRulebook } from "../../rulebook.ts"

const command = "policies prove-not-lower"

const version = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

const from = version("from", "A version of the set, or draft for the working files")
const to = version("to", "The one that must score nothing lower, likewise")

export const provePoliciesNotLower = Command.make(
  "prove-not-lower",
  { policySet, from, to, format, json },
  Effect.fnUntraced(function* ({ policySet: set, ...options }) {
    const before = yield* policyVersionOf(command, "from", set, options.from)
    const after = yield* policyVersionOf(command, "to", set, options.to)
    const books = [yield* policyRulebook(set, before), yield* policyRulebook(set, after)] as const
    yield* printProof(command, ...books, { ...options, file: `policies/${set}/policy.json` })
  })
).pipe(
  Command.withDescription(
    "Prove that no request scores lower under the second version of a policy set, or show one that does"
  ),
  Command.withExamples([
    {
      command: "action-risk policies prove-not-lower starter 1.0.0 draft",
      description: "Before the working files are released"
    },
    {
      command: "action-risk policies prove-not-lower starter 1.0.0 draft --json",
      description: "With the request as a cases file takes it"
    }
  ])
)
