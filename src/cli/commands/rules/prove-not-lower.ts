/** `action-risk rules prove-not-lower <v> <v>`: is there any request that scores lower under the second? */

import { Effect } from "effect"
import { Command } from "effect/cli"
import { format } from "../../options/format.ts"
import { json } from "../../options/json.ts"
import { release } from "../../options/release.ts"
import { printProof } from "../../printProof.ts"
import { rulebook } from "../../rulebook.ts"

const from = release("from", "A rule release, or draft for the working files")
const to = release("to", "The one that must score nothing lower, likewise")

export const proveRulesNotLower = Command.make(
  "prove-not-lower",
  { from, to, format, json },
  Effect.fnUntraced(function* ({ from, to, ...options }) {
    const books = [yield* rulebook(from), yield* rulebook(to)] as const
    yield* printProof("rules prove-not-lower", ...books, { ...options, file: "rules/ruleset.json" })
  })
).pipe(
  Command.withDescription("Prove that no request scores lower under the second, or show one that does"),
  Command.withExamples([
    {
      command: "action-risk rules prove-not-lower 1.0.0 draft",
      description: "Before the working files are released"
    },
    {
      command: "action-risk rules prove-not-lower 1.0.0 draft --format github",
      description: "As an annotation in a pull request"
    }
  ])
)
