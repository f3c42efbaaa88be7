/** `action-risk policies diff <set> <v> <v>`: what changed between two versions of a policy set. */

import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { policySet, policyVersionOf } from "../../options/policySet.ts"
import { printDiff } from "../../printDiff.ts"
import { policyRulebook } from "../../rulebook.ts"

const command = "policies diff"

const version = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

const from = version("from", "A version of the set, or draft for the working files")
const to = version("to", "What it is compared with, likewise")

export const diffPolicies = Command.make(
  "diff",
  { policySet, from, to, format, json },
  Effect.fnUntraced(function* ({ policySet: set, ...options }) {
    const before = yield* policyVersionOf(command, "from", set, options.from)
    const after = yield* policyVersionOf(command, "to", set, options.to)
    yield* printDiff(command, yield* policyRulebook(set, before), yield* policyRulebook(set, after), options)
  })
).pipe(
  Command.withDescription(
    "Tell what got stricter, looser, moved or only reworded in a policy set, each with a request that shows it"
  ),
  Command.withExamples([
    {
      command: "action-risk policies diff starter 1.0.0 draft",
      description: "What the working files change"
    },
    {
      command: "action-risk policies diff starter 1.0.0 draft --format markdown",
      description: "For a pull request"
    }
  ])
)
